import type { StructField } from '../common/data_type.ts';
import type { WirePlan } from '../operators/wire.ts';
import type { NativeEngine } from './addon.ts';
import { addon, loadedAddon } from './addon.ts';
import type { FileSetDescription } from './describe.ts';
import { parseDescription } from './describe.ts';
import type { EngineResult } from './engine_result.ts';
import { makeResult } from './engine_result.ts';
import { defaultMemoryLimit, defaultTempDir, defaultThreads } from './machine.ts';
import { fromNative } from './native_error.ts';
import { resultSchema } from './wire_schema.ts';

export type { DescribedBounds, DescribedColumn, DescribedFile, FileSetDescription } from './describe.ts';
export type { EngineMetrics, EngineResult } from './engine_result.ts';
export { defaultMemoryLimit, defaultThreads } from './machine.ts';

export interface EngineOptions {
  /** default: cgroup quota, then CPU affinity */
  readonly threads?: number | undefined;
  /** bytes; default 80 % of the smaller of cgroup limit and RAM */
  readonly memoryLimit?: number | undefined;
  readonly tempDir?: string | undefined;
  /** `batch.rows`: rows of a vector */
  readonly batchRows?: number | undefined;
  /** `list.offset_limit`: child elements up to which offsets are 32-bit */
  readonly listOffsetLimit?: number | undefined;
}

/** How files are read to be described; the plan's scan has the same options. */
export interface DescribeOptions {
  readonly format: 'parquet' | 'arrow';
  readonly binaryAsString?: boolean | undefined;
  readonly bfloat16?: readonly string[] | undefined;
  readonly unionByName?: boolean | undefined;
  /** leave bad files out and list them in `skipped` */
  readonly skipBadFiles?: boolean | undefined;
}

export interface EngineCapabilities {
  readonly devices: readonly string[];
  /** plan node kinds */
  readonly operators: readonly string[];
  /** built-in tables: what a `generate` node can name */
  readonly generators: readonly { readonly name: string; readonly columns: readonly StructField[] }[];
}

/** The native engine: memory, threads and open files that its queries share. Several may live side by side. */
export class Engine {
  private readonly native: NativeEngine;

  constructor(options: EngineOptions = {}) {
    this.native = guarded(() =>
      addon().open({
        threads: options.threads ?? defaultThreads(),
        memoryLimit: options.memoryLimit ?? defaultMemoryLimit(),
        tempDir: options.tempDir ?? defaultTempDir(),
        batchRows: options.batchRows ?? 2048,
        listOffsetLimit: options.listOffsetLimit ?? 2 ** 31 - 1,
      }),
    );
  }

  /** Starts a plan. Errors of the plan and of the run come out of the result's batches. */
  execute(plan: WirePlan, options: { readonly signal?: AbortSignal | undefined } = {}): EngineResult {
    const query = guarded(() => this.native.execute(JSON.stringify(plan)));
    return makeResult(query, resultSchema(plan), options.signal);
  }

  /** One schema, row counts and bounds of files, from their footers. */
  async describeFiles(paths: readonly string[], options: DescribeOptions): Promise<FileSetDescription> {
    const request = {
      format: options.format,
      paths,
      binaryAsString: options.binaryAsString ?? false,
      bfloat16: options.bfloat16 ?? [],
      unionByName: options.unionByName ?? false,
      skipBadFiles: options.skipBadFiles ?? false,
    };
    return parseDescription(await settled(() => this.native.describe(request)));
  }

  /** Footer of one Parquet file: schema, row groups, encodings, sizes, statistics (JSON of parquet::inspect_json). */
  async inspectFile(path: string, options: { readonly scanLevels?: boolean | undefined } = {}): Promise<unknown> {
    return JSON.parse(await settled(() => this.native.inspect(path, options.scanLevels ?? false)));
  }

  /** Cancels what runs and ends all threads. Nothing can be started afterwards. */
  close(): Promise<void> {
    return this.native.close();
  }
}

/** Removes what is being written and not yet complete, without waiting: for a process that ends while queries run. */
export function discardUnfinishedFiles(): void {
  loadedAddon()?.discardUnfinishedFiles();
}

/** What this build can run. */
export function capabilities(): EngineCapabilities {
  return guarded(() => JSON.parse(addon().capabilities()) as EngineCapabilities);
}

/** The GPU that plans run on, or why there is none. */
export interface DeviceStatus {
  /** path of quern_cuda.so; null = not built */
  readonly library: string | null;
  readonly device: {
    readonly ordinal: number;
    readonly name: string;
    readonly capability: string;
    readonly memory: number;
    readonly multiprocessors: number;
    readonly driver: number;
  } | null;
  readonly reason: string | null;
}

/** Opens the GPU library. */
export function deviceStatus(): DeviceStatus {
  return guarded(() => JSON.parse(addon().deviceStatus()) as DeviceStatus);
}

/** By node of the plan why it runs on the CPU; '' = the GPU can run it. */
export function placement(plan: WirePlan): readonly string[] {
  return guarded(() => JSON.parse(addon().placement(JSON.stringify(plan))) as string[]);
}

/** One row of the native function table (native/src/plan/functions.def). */
export interface NativeFunction {
  readonly name: string;
  readonly aggregate: boolean;
  readonly over: readonly string[];
  readonly arguments: readonly string[];
  readonly variadic: boolean;
  readonly result: string;
  readonly nulls: 'strict' | 'custom';
  readonly fallible: boolean;
}

/** The function table that the addon was built with. */
export function functionTable(): readonly NativeFunction[] {
  return guarded(() => JSON.parse(addon().functions()) as NativeFunction[]);
}

/** What a plan must carry as `functions`. */
export function functionTableHash(): string {
  return guarded(() => addon().functionsHash);
}

function guarded<T>(body: () => T): T {
  try {
    return body();
  } catch (error) {
    throw fromNative(error);
  }
}

async function settled<T>(body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (error) {
    throw fromNative(error);
  }
}
