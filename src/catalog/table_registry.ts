import { didYouMean } from '../common/did_you_mean.ts';
import type { QuernError } from '../common/error.ts';
import { userError } from '../common/error.ts';
import type { SourceSpan } from '../common/source_span.ts';
import type { FileRequest } from './file_request.ts';

/** A named query; `Query` is the parser's tree, which the catalog does not look into. */
export interface View<Query> {
  readonly kind: 'view';
  readonly name: string;
  readonly query: Query;
  readonly columns: readonly { readonly kind: 'identifier'; readonly name: string; readonly span: SourceSpan }[];
}

export interface RegisteredFiles {
  readonly kind: 'files';
  readonly name: string;
  readonly request: FileRequest;
}

export type RegisteredTable<Query> = View<Query> | RegisteredFiles;

/** Names that FROM may use, without regard to case. */
export class TableRegistry<Query> {
  readonly #tables = new Map<string, RegisteredTable<Query>>();

  find(name: string): RegisteredTable<Query> | undefined {
    return this.#tables.get(name.toLowerCase());
  }

  set(table: RegisteredTable<Query>): void {
    this.#tables.set(table.name.toLowerCase(), table);
  }

  delete(name: string): boolean {
    return this.#tables.delete(name.toLowerCase());
  }

  /** sorted */
  names(): string[] {
    return [...this.#tables.values()].map((table) => table.name).sort();
  }

  notFound(name: string, span: SourceSpan): QuernError {
    const names = this.names();
    const hint = didYouMean(name, names);
    const none = "files are read by path: FROM 'file.parquet'";
    const some = `there ${names.length === 1 ? 'is' : 'are'} ${names.slice(0, 8).join(', ')}; ${none}`;
    return userError('catalog', `table "${name}" not found`, span, hint ?? (names.length === 0 ? none : some));
  }
}

/** The request of a table registered by a path or glob. */
export function registeredFiles(name: string, glob: string): RegisteredFiles {
  return {
    kind: 'files',
    name,
    request: {
      patterns: [glob],
      format: null,
      hivePartitioning: null,
      unionByName: false,
      filename: null,
      fileRowNumber: false,
      binaryAsString: false,
      bfloat16: [],
      label: name,
    },
  };
}
