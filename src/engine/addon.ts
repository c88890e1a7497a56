import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { QuernError } from '../common/error.ts';

/** One block of result rows: see ResultBlock in native/src/exec/export.hpp. */
export interface NativeBlock {
  readonly rows: number;
  readonly layout: Float64Array;
  readonly buffer: ArrayBuffer;
}

export interface NativeQuery {
  /** null after the last block */
  next(): Promise<NativeBlock | null>;
  /** any number of times; the pending and every later next() rejects with `cancelled` */
  cancel(): void;
  /** JSON of EngineMetrics */
  metrics(): string;
}

export interface NativeDescribeRequest {
  readonly format: 'parquet' | 'arrow';
  readonly paths: readonly string[];
  readonly binaryAsString: boolean;
  readonly bfloat16: readonly string[];
  readonly unionByName: boolean;
  readonly skipBadFiles: boolean;
}

export interface NativeEngine {
  /** starts the plan (JSON of WirePlan); errors come out of next() */
  execute(plan: string): NativeQuery;
  describe(request: NativeDescribeRequest): Promise<string>;
  inspect(path: string, scanLevels: boolean): Promise<string>;
  /** cancels every query and joins all threads, off the JavaScript thread */
  close(): Promise<void>;
}

export interface NativeAddon {
  open(options: {
    readonly threads: number;
    readonly memoryLimit: number;
    readonly tempDir: string;
    readonly batchRows: number;
    readonly listOffsetLimit: number;
  }): NativeEngine;
  /** removes the temporary files of all that is being written, without waiting */
  discardUnfinishedFiles(): void;
  capabilities(): string;
  /** JSON: by node of the plan why it runs on the CPU, '' = the GPU can run it */
  placement(plan: string): string;
  /** JSON of DeviceStatus; opens the GPU library */
  deviceStatus(): string;
  functions(): string;
  readonly functionsHash: string;
  readonly planFormat: number;
}

/** Where the addon lies, seen from the sources and from the bundle in dist/. */
const PLACES = ['../build/native/Release/quern.node', '../../build/native/Release/quern.node', './quern.node'];

let loaded: NativeAddon | undefined;

/** The native addon, opened on first use. `QUERN_ADDON` names another build of it. */
export function addon(): NativeAddon {
  loaded ??= load();
  return loaded;
}

/** The addon if it has been opened. */
export function loadedAddon(): NativeAddon | undefined {
  return loaded;
}

function load(): NativeAddon {
  const path = findAddon();
  try {
    return createRequire(import.meta.url)(path) as NativeAddon;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw missing(`the native addon does not load: ${reason}`, cause);
  }
}

function findAddon(): string {
  const forced = process.env.QUERN_ADDON;
  if (forced !== undefined && forced !== '') return forced;
  const paths = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  const found = paths.find((path) => existsSync(path));
  if (found === undefined) throw missing('the native addon is not built', undefined);
  return found;
}

function missing(message: string, cause: unknown): QuernError {
  return new QuernError({ source: 'resource', code: 'io', message, hint: 'run `npm run setup`', cause });
}
