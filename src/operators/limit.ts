import type { Operator } from './operator.ts';

/** Rows `offset` … `offset + limit` of the input's order. */
export interface Limit {
  readonly kind: 'limit';
  /** null = all */
  readonly limit: number | null;
  readonly offset: number;
}

export const limit: Operator<Limit> = {
  explain: (node) => limitText(node.limit, node.offset),
  encode: (node) => ({ kind: 'limit', limit: node.limit, offset: node.offset }),
};

export function limitText(count: number | null, offset: number): string {
  return [...(count === null ? [] : [`limit=${count}`]), ...(offset === 0 ? [] : [`offset=${offset}`])].join(' ');
}
