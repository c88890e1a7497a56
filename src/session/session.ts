import { TableCache } from '../catalog/table_cache.ts';
import type { RegisteredTable } from '../catalog/table_registry.ts';
import { registeredFiles, TableRegistry } from '../catalog/table_registry.ts';
import type { Result, ResultBatch } from '../common/batch.ts';
import { QuernError, unsupported, userError } from '../common/error.ts';
import { exhaustive } from '../common/exhaustive.ts';
import type { Engine, EngineCapabilities } from '../engine/index.ts';
import { capabilities, deviceStatus, functionTableHash, placement } from '../engine/index.ts';
import { FUNCTION_ROWS, MACRO_ROWS } from '../functions/index.ts';
import { encodePlan } from '../operators/index.ts';
import type { ParquetWrite } from '../operators/write_parquet.ts';
import type { BindInput, CatalogAccess, ParameterValue, PartitionBy, Plans } from '../planner/index.ts';
import {
  bind,
  parameterValue,
  placeOnDevice,
  planQuery,
  planWrite,
  resolveSources,
  WRITE_SCHEMA,
} from '../planner/index.ts';
import type {
  Copy,
  CreateView,
  Describe,
  DropView,
  Explain,
  Expression,
  Identifier,
  Query,
  SetSetting,
  Show,
  Statement,
  Summarize,
} from '../sql/ast.ts';
import { parseStatements, splitStatements } from '../sql/index.ts';
import { copyWrite } from './copy_options.ts';
import { EngineHolder } from './engine_holder.ts';
import { explainResult } from './explain.ts';
import type { Settings } from './settings.ts';
import { changeSetting, DEFAULT_SETTINGS, resetSetting, settingList } from './settings.ts';
import { countResult, emptyResult, textResult } from './text_result.ts';
import type { QueryOptions, RowsWrite, Session, SessionOptions, StatementResult } from './types.ts';

type QueryStatement = Query | Describe | Summarize;

/** One open session: settings, views, and an engine that is opened when first needed. */
export class OpenSession implements Session {
  readonly #tables = new TableRegistry<Query>();
  readonly #engine = new EngineHolder();
  readonly #opened = new TableCache();
  readonly #cwd = process.cwd();
  #settings: Settings;
  #known: EngineCapabilities | undefined;
  readonly #strict: boolean;

  constructor(options: SessionOptions) {
    let settings: Settings = {
      ...DEFAULT_SETTINGS,
      threads: options.threads ?? null,
      memoryLimit: options.memoryLimit ?? null,
      tempDir: options.tempDir ?? null,
      device: String(options.device ?? 'auto'),
    };
    for (const [name, text] of Object.entries(options.settings ?? {})) settings = changeSetting(settings, name, text);
    this.#settings = settings;
    this.#strict = options.strict ?? false;
  }

  async *query(sql: string, options: QueryOptions = {}): AsyncGenerator<StatementResult> {
    for (const span of splitStatements(sql)) {
      refuseCancelled(options.signal);
      for (const statement of parseStatements(sql, span)) {
        yield { span: statement.span, result: await this.#run(statement, options) };
      }
    }
  }

  registerTable(name: string, glob: string): void {
    this.#tables.set(registeredFiles(name, glob));
  }

  set(name: string, value: string): void {
    this.#settings = changeSetting(this.#settings, name, value);
  }

  async close(): Promise<void> {
    await this.#engine.close();
  }

  async #run(statement: Statement, options: QueryOptions): Promise<Result> {
    switch (statement.kind) {
      case 'select_statement':
        return this.#runQuery(statement.query, options);
      case 'describe':
      case 'summarize':
        return this.#runQuery(statement, options);
      case 'explain':
        return this.#explain(statement, options);
      case 'show':
        return this.#show(statement);
      case 'set':
        return this.#set(statement, options);
      case 'reset':
        if (options.dryRun !== true) this.#settings = resetSetting(this.#settings, statement.name, statement.nameSpan);
        return emptyResult();
      case 'create_view':
        return this.#createView(statement, options);
      case 'drop_view':
        return this.#dropView(statement, options);
      case 'copy':
        return this.#copy(statement, options);
      default:
        return exhaustive(statement);
    }
  }

  /** Opens files, binds and plans. */
  async #plan(statement: QueryStatement, options: QueryOptions, partitionBy?: PartitionBy): Promise<Plans> {
    const logical = await this.#bind(statement, options, partitionBy);
    const plans = planQuery(logical, { capabilities: this.#capabilities(), distinctAsGroups: this.#onDevice() });
    if (!this.#onDevice()) return plans;
    const reasons = placement(encodePlan(plans.physical, functionTableHash()));
    const { gpuScan: scan, fuse } = this.#settings;
    const physical = placeOnDevice(plans.physical, reasons, { strict: this.#strict, scan, fuse });
    return { ...plans, physical };
  }

  async #bind(statement: QueryStatement, options: QueryOptions, partitionBy?: PartitionBy) {
    const input: Omit<BindInput, 'sources'> = {
      parameters: parameters(options),
      now: BigInt(Date.now()) * 1000n,
      nullsFirst: this.#settings.nullsFirst,
      generators: () => this.#capabilities().generators,
      partitionBy,
    };
    const sources = await resolveSources(statement, this.#access(), input);
    return bind(statement, { ...input, sources });
  }

  async #runQuery(statement: QueryStatement, options: QueryOptions): Promise<Result> {
    if (options.dryRun === true) {
      const { columns } = await this.#bind(statement, options);
      return emptyResult(columns.map(({ name, type }) => ({ name, type })));
    }
    if (options.writeTo !== undefined) return this.#write(statement, options.writeTo(), options);
    const { physical } = await this.#plan(statement, options);
    this.#requireDevice();
    return this.#openEngine().execute(encodePlan(physical, functionTableHash()), { signal: options.signal });
  }

  async #copy(statement: Copy, options: QueryOptions): Promise<Result> {
    const write = copyWrite(statement);
    if (options.dryRun === true) {
      await this.#bind(statement.query, options, 'parquet' in write ? write.partitionBy : undefined);
      return emptyResult(WRITE_SCHEMA);
    }
    if ('parquet' in write) return this.#write(statement.query, write.parquet, options, write.partitionBy);
    return this.#writeRows(statement, write.rows, options);
  }

  /** Hands the rows of a query to `writeRows`, which puts them into the target. */
  async #writeRows(statement: Copy, write: RowsWrite, options: QueryOptions): Promise<Result> {
    const { writeRows } = options;
    if (writeRows === undefined) throw unsupported(`COPY TO in format ${write.format} here`, statement.targetSpan);
    const { physical } = await this.#plan(statement.query, options);
    this.#requireDevice();
    const result = this.#openEngine().execute(encodePlan(physical, functionTableHash()), { signal: options.signal });
    let rows = 0;
    const counted: Result = {
      ...result,
      async *batches() {
        for await (const batch of result.batches()) {
          rows += batch.rows;
          yield batch;
        }
      },
    };
    await writeRows(counted, write);
    return countResult(WRITE_SCHEMA, rows, () => result.metrics());
  }

  /** Runs a writing plan to its end; its batches hold the number of rows. */
  async #write(
    statement: QueryStatement,
    write: ParquetWrite,
    options: QueryOptions,
    partitionBy?: PartitionBy,
  ): Promise<Result> {
    const { physical } = await this.#plan(statement, options, partitionBy);
    this.#requireDevice();
    const plan = planWrite(physical, write, { capabilities: this.#capabilities() });
    const result = this.#openEngine().execute(encodePlan(plan, functionTableHash()), { signal: options.signal });
    const batches: ResultBatch[] = [];
    for await (const batch of result.batches()) batches.push(batch);
    return {
      kind: 'none',
      schema: WRITE_SCHEMA,
      batches: async function* () {
        yield* batches;
      },
      metrics: () => result.metrics(),
    };
  }

  #capabilities(): EngineCapabilities {
    this.#known ??= capabilities();
    return this.#known;
  }

  #openEngine(): Engine {
    return this.#engine.open(this.#settings);
  }

  /** Whether plans go to a GPU; auto is the CPU until the two are compared. */
  #onDevice(): boolean {
    const { device } = this.#settings;
    if (device === 'auto' || device === 'cpu') return false;
    if (device === 'gpu' || Number(device) === 0) return true;
    throw unsupported(`device ${device}`, undefined, 'CUDA_VISIBLE_DEVICES chooses the GPU');
  }

  /** A plan for a GPU does not run without one, not even where all of it would run on the CPU. */
  #requireDevice(): void {
    const reason = this.#onDevice() ? deviceStatus().reason : null;
    if (reason === null) return;
    throw new QuernError({
      source: 'resource',
      code: 'no-device',
      message: reason,
      hint: 'use --device cpu; quern doctor shows what is missing',
    });
  }

  #access(): CatalogAccess {
    return {
      lookup: (name) => this.#tables.find(name) as CatalogTable | undefined,
      open: (request, span) =>
        this.#opened.open(request, this.#openEngine(), { cwd: this.#cwd, onBadFile: this.#settings.onBadFile }, span),
      notFound: (name, span) => this.#tables.notFound(name, span),
    };
  }

  async #explain(statement: Explain, options: QueryOptions): Promise<Result> {
    const { query, write, partitionBy } = explained(statement.statement);
    const plans = await this.#plan(query, options, partitionBy);
    const physical =
      write === undefined ? plans.physical : planWrite(plans.physical, write, { capabilities: this.#capabilities() });
    const wire = encodePlan(physical, functionTableHash());
    const analyze = statement.analyze && options.dryRun !== true;
    if (analyze) this.#requireDevice();
    const missing = this.#onDevice() ? deviceStatus().reason : null;
    const run = analyze ? this.#openEngine() : null;
    return explainResult(statement, { ...plans, physical }, wire, this.#capabilities(), run, missing, options.signal);
  }

  #show(statement: Show): Result {
    switch (statement.what) {
      case 'tables':
      case 'all_tables':
        return textResult(
          ['name'],
          this.#tables.names().map((name) => [name]),
        );
      case 'settings':
        return textResult(
          ['name', 'value', 'description'],
          settingList(this.#settings).map(({ name, value, doc }) => [name, value, doc]),
        );
      case 'functions':
        return textResult(
          ['name', 'aliases', 'kind', 'category', 'description', 'example'],
          [...FUNCTION_ROWS, ...MACRO_ROWS].map((row) => [
            row.names[0],
            row.names.slice(1).join(', '),
            row.kind,
            row.category,
            row.doc,
            row.example,
          ]),
        );
    }
  }

  #set(statement: SetSetting, options: QueryOptions): Result {
    const { name, nameSpan, value } = statement;
    const settings =
      value === null
        ? resetSetting(this.#settings, name, nameSpan)
        : changeSetting(this.#settings, name, settingText(value, options), nameSpan);
    if (options.dryRun !== true) this.#settings = settings;
    return emptyResult();
  }

  async #createView(statement: CreateView, options: QueryOptions): Promise<Result> {
    const name = viewName(statement.name);
    const known = this.#tables.find(name);
    if (known !== undefined && statement.ifNotExists) return emptyResult();
    if (known !== undefined && !statement.orReplace) {
      throw userError(
        'catalog',
        `there is a table or view of this name: "${name}"`,
        statement.span,
        'CREATE OR REPLACE VIEW',
      );
    }
    const { columns } = await this.#bind(statement.query, options);
    const extra = statement.columns[columns.length];
    if (extra !== undefined) {
      throw userError(
        'binder',
        `the view has ${columns.length} columns, ${statement.columns.length} names are given`,
        extra.span,
      );
    }
    const view: RegisteredTable<Query> = { kind: 'view', name, query: statement.query, columns: statement.columns };
    if (options.dryRun !== true) this.#tables.set(view);
    return emptyResult();
  }

  #dropView(statement: DropView, options: QueryOptions): Result {
    for (const parts of statement.names) {
      const name = viewName(parts);
      if (this.#tables.find(name) === undefined && !statement.ifExists) {
        throw this.#tables.notFound(name, (parts[0] as Identifier).span);
      }
      if (options.dryRun !== true) this.#tables.delete(name);
    }
    return emptyResult();
  }
}

/** The query of a statement that EXPLAIN takes, and where its rows are written. */
function explained(statement: Statement): {
  query: QueryStatement;
  write?: ParquetWrite;
  partitionBy?: PartitionBy | undefined;
} {
  switch (statement.kind) {
    case 'select_statement':
      return { query: statement.query };
    case 'describe':
    case 'summarize':
      return { query: statement };
    case 'copy': {
      const write = copyWrite(statement);
      if ('parquet' in write) return { query: statement.query, write: write.parquet, partitionBy: write.partitionBy };
      throw unsupported(`EXPLAIN of COPY in format ${write.rows.format}`, statement.targetSpan);
    }
    default:
      throw unsupported('EXPLAIN of a statement that is no query', statement.span);
  }
}

type CatalogTable = NonNullable<ReturnType<CatalogAccess['lookup']>>;

/** Whoever aborts may say with which error. */
function refuseCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return;
  if (signal.reason instanceof QuernError) throw signal.reason;
  throw new QuernError({ source: 'user', code: 'cancelled', message: 'cancelled', cause: signal.reason });
}

function viewName(parts: readonly Identifier[]): string {
  return (parts[parts.length - 1] as Identifier).name;
}

function parameters(options: QueryOptions): ReadonlyMap<string, ParameterValue> {
  return new Map(Object.entries(options.params ?? {}).map(([name, value]) => [name, parameterValue(name, value)]));
}

/** SET takes a constant or a bare word. */
function settingText(value: Expression, options: QueryOptions): string {
  switch (value.kind) {
    case 'string_literal':
      return value.value;
    case 'integer_literal':
    case 'decimal_literal':
    case 'double_literal':
      return value.text;
    case 'boolean_literal':
      return String(value.value);
    case 'parameter': {
      const given = options.params?.[value.name];
      if (given === undefined) throw userError('binder', `no value for parameter $${value.name}`, value.span);
      return String(given);
    }
    default:
      throw userError('binder', 'SET takes a constant', value.span);
  }
}
