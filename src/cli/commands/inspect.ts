import { findFiles } from '../../catalog/find_files.ts';
import { QuernError } from '../../common/error.ts';
import { Engine } from '../../engine/index.ts';
import { type Context, reportError, reportingOf } from '../context.ts';
import { worstExitCode } from '../error_report.ts';
import type { FileDocument } from '../inspect/document.ts';
import {
  chunkSection,
  columnTotals,
  fileList,
  fileSummary,
  keyValueSection,
  rowGroupSection,
  schemaSection,
} from '../inspect/sections.ts';
import { Totals } from '../inspect/totals.ts';
import { sessionOptions } from '../settings.ts';
import { StdoutTarget } from '../stdout_target.ts';
import { usageError } from '../usage_error.ts';

/** Sections of one file, by the option that asks for them. */
const SECTIONS: readonly { readonly option: string; readonly text: (file: FileDocument) => string }[] = [
  { option: 'schema', text: schemaSection },
  { option: 'rowGroups', text: rowGroupSection },
  { option: 'columns', text: chunkSection },
  { option: 'kv', text: keyValueSection },
];

/** `quern inspect`: what footers say, without reading data (unless --scan-levels asks for exact counts). */
export async function runInspect(context: Context): Promise<number> {
  const { options, parsed } = context;
  if (parsed.args.length === 0) throw usageError('no files to inspect', 'quern inspect FILE...');
  const session = sessionOptions(context.sources);
  const engine = new Engine({ threads: session.threads, memoryLimit: session.memoryLimit, tempDir: session.tempDir });
  const target = new StdoutTarget(context.interruption.signal);
  try {
    const inspection = new Inspection(context, engine, target);
    const code = await inspection.run(parsed.args, options.scanLevels === true);
    await target.commit();
    return code;
  } finally {
    await engine.close();
  }
}

class Inspection {
  readonly #context: Context;
  readonly #engine: Engine;
  readonly #target: StdoutTarget;
  readonly #totals = new Totals();
  readonly #documents: FileDocument[] = [];
  readonly #failures: number[] = [];

  constructor(context: Context, engine: Engine, target: StdoutTarget) {
    this.#context = context;
    this.#engine = engine;
    this.#target = target;
  }

  async run(patterns: readonly string[], scanLevels: boolean): Promise<number> {
    const files: string[] = [];
    for (const pattern of patterns) {
      files.push(...((await this.#attempt(() => findFiles(pattern, process.cwd(), undefined))) ?? []));
    }
    const { json } = this.#context.options;
    if (json === true) await this.#target.write('{"files":[');
    const several = files.length > 1;
    for (const file of files) {
      const document = await this.#attempt(() => this.#engine.inspectFile(file, { scanLevels }));
      if (document !== undefined) await this.#show(document as FileDocument, several);
    }
    if (json === true) await this.#target.write(`],"totals":${JSON.stringify(this.#sums())}}\n`);
    else await this.#showTotals(several);
    return worstExitCode(this.#failures);
  }

  /** A bad file is reported, the others go on. */
  async #attempt<T>(step: () => Promise<T>): Promise<T | undefined> {
    try {
      return await step();
    } catch (error) {
      if (!(error instanceof QuernError) || this.#context.interruption.signal.aborted) throw error;
      await this.#target.flush();
      this.#failures.push(await reportError(error, undefined, reportingOf(this.#context)));
      return undefined;
    }
  }

  async #show(file: FileDocument, several: boolean): Promise<void> {
    const { options } = this.#context;
    const first = this.#totals.files === 0;
    this.#totals.add(file);
    if (options.json === true) {
      await this.#target.write((first ? '' : ',\n') + JSON.stringify(file));
      return;
    }
    if (options.count === true) {
      await this.#target.write(several ? `${file.rows}\t${file.path}\n` : `${file.rows}\n`);
      return;
    }
    const sections = SECTIONS.filter(({ option }) => options[option] === true);
    if (sections.length > 0) {
      const title = several ? `${first ? '' : '\n'}${file.path}\n` : '';
      await this.#target.write(title + sections.map(({ text }) => text(file)).join('\n'));
    } else {
      // Only what the list of files shows: footers of ten thousand files would not fit.
      this.#documents.push(several ? { ...file, schema: [], key_values: [], row_groups: slim(file) } : file);
    }
  }

  async #showTotals(several: boolean): Promise<void> {
    const totals = this.#totals;
    if (this.#context.options.count === true) {
      if (several) await this.#target.write(`${totals.rows}\ttotal\n`);
      return;
    }
    const [only] = this.#documents;
    if (only === undefined) return;
    const head = several ? fileList(this.#documents, totals) : fileSummary(only);
    await this.#target.write(`${head}\n${columnTotals(totals)}`);
  }

  #sums(): Readonly<Record<string, number>> {
    const { files, rows, bytes, rowGroups } = this.#totals;
    return { files, rows, bytes, row_groups: rowGroups };
  }
}

/** Row groups without their columns. */
function slim(file: FileDocument): FileDocument['row_groups'] {
  return file.row_groups.map((group) => ({ ...group, columns: [] }));
}
