import type { Environment } from './environment.ts';
import type { DataDescription } from './tables.ts';

export type QueryStatus = 'ok' | 'failed' | 'timeout' | 'incorrect' | 'skipped';

/** Times of one engine on one query. Milliseconds. */
export interface Times {
  /** the first run, warm-up or not */
  readonly first_ms: number;
  readonly times_ms: readonly number[];
  readonly median_ms: number;
  readonly min_ms: number;
  readonly mad_ms: number;
  /** CPU time of the process per timed run: says more than the clock on a busy machine */
  readonly cpu_ms: number;
}

export interface QueryResult extends Partial<Times> {
  readonly id: string;
  readonly hash: string;
  readonly tags: readonly string[];
  readonly status: QueryStatus;
  readonly rows?: number;
  readonly validation: {
    readonly status: 'passed' | 'failed' | 'off';
    readonly method: string;
    readonly mismatches: readonly string[];
  };
  readonly error?: { readonly message: string };
  /** the other engine, measured in turns with quern */
  readonly vs?:
    | (Times & { readonly engine: string /** median of quern ÷ median of the other */; readonly ratio: number })
    | undefined;
}

/** The result file of a benchmark run. */
export interface BenchResult {
  readonly schema: 'quern.bench/1';
  readonly id: string;
  readonly started: string;
  readonly finished: string;
  readonly tool: {
    readonly name: 'quern';
    readonly version: string;
    readonly vs?: { readonly name: string; readonly version: string } | undefined;
  };
  readonly env: Environment;
  readonly data: DataDescription | null;
  readonly suite: { readonly name: string; readonly hash: string };
  readonly config: Readonly<Record<string, unknown>>;
  readonly queries: readonly QueryResult[];
  readonly summary: {
    readonly queries: number;
    readonly ok: number;
    readonly geomean_ms: number;
    readonly total_ms: number;
    /** geometric mean of the ratios; absent without another engine */
    readonly geomean_ratio?: number | undefined;
    /** what the suite allows, where it is more than that */
    readonly max_geomean_ratio?: number | undefined;
    /** queries slower than the other engine, worst first */
    readonly losers: readonly { readonly id: string; readonly ratio: number }[];
    /** queries over the suite's bar */
    readonly missed: readonly { readonly id: string; readonly ratio: number; readonly max_ratio: number }[];
  };
}
