import type { BigIntStats } from 'node:fs';
import { statSync } from 'node:fs';
import path from 'node:path';
import type { SourceSpan } from '../common/source_span.ts';
import type { FileRequest } from './file_request.ts';
import type { FileTable } from './file_table.ts';
import { isStandardInput } from './find_files.ts';
import type { FileDescriber, OpenOptions } from './open_table.ts';
import { filesOf, openTable } from './open_table.ts';

/** Tables that are kept, those used last. */
const CAPACITY = 256;
/** A table of more files is described anew: to remember the state of each costs as much memory as its footers. */
const MOST_FILES = 10_000;
/** ms; a file that changed so shortly before it was read may change again without another time stamp (NFS: 1 s). */
const UNSETTLED_MS = 2000;

interface Kept {
  readonly files: readonly string[];
  /** state of each file when it was read */
  readonly stamps: readonly string[];
  readonly table: FileTable;
}

/**
 * Tables that were opened before, as long as their files are the same: by device, inode, size and times. The pattern is
 * looked up anew each time.
 */
export class TableCache {
  readonly #kept = new Map<string, Kept>();
  #standardInput: Promise<unknown> = Promise.resolve();

  async open(
    request: FileRequest,
    describer: FileDescriber,
    options: OpenOptions,
    span: SourceSpan | undefined,
  ): Promise<FileTable> {
    const files = await filesOf(request, options, span);
    if (files.some(isStandardInput))
      return this.#afterStandardInput(() => openTable(request, files, describer, options, span));
    const key = JSON.stringify([request, options.onBadFile]);
    const stamps = files.length > MOST_FILES ? null : stampsOf(files, options.cwd);
    const known = this.#kept.get(key);
    if (stamps !== null && known !== undefined && isSame(known.files, files) && isSame(known.stamps, stamps)) {
      this.#keep(key, known);
      return known.table;
    }
    const table = await openTable(request, files, describer, options, span);
    if (stamps !== null) this.#keep(key, { files, stamps, table });
    return table;
  }

  #keep(key: string, kept: Kept): void {
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    if (this.#kept.size > CAPACITY) this.#kept.delete(this.#kept.keys().next().value as string);
  }

  /** What comes through a pipe comes once: the engine keeps it for the next reader. */
  #afterStandardInput(open: () => Promise<FileTable>): Promise<FileTable> {
    const opened = this.#standardInput.then(open, open);
    this.#standardInput = opened;
    return opened;
  }
}

/** null = one of them is no plain file, is gone, or has changed only just. */
function stampsOf(files: readonly string[], cwd: string): string[] | null {
  const settled = BigInt(Date.now() - UNSETTLED_MS);
  const stamps: string[] = [];
  for (const file of files) {
    const status = statSync(path.resolve(cwd, file), { bigint: true, throwIfNoEntry: false });
    if (status === undefined || !status.isFile() || status.mtimeMs > settled || status.ctimeMs > settled) return null;
    stamps.push(stampOf(status));
  }
  return stamps;
}

const stampOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string =>
  `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`;

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((value, i) => value === b[i]);
