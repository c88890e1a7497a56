import type { SourceSpan } from '../../common/source_span.ts';

/** What every node has: the place in the SQL text it was read from. */
export interface Node {
  readonly span: SourceSpan;
}

/** A name as written, without its quotes. */
export interface Identifier extends Node {
  readonly kind: 'identifier';
  readonly name: string;
}

/** `t`, `schema.t`, `database.schema.t`: at least one part. */
export type QualifiedName = readonly Identifier[];
