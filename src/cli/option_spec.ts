/** Options as data: the argument pre-pass, commander and the help text read the same tables. */
export interface OptionSpec {
  /** commander's notation, e.g. `-c, --command <sql>` */
  readonly flags: string;
  readonly summary: string;
  readonly choices?: readonly string[];
  /** may be given again; values are collected in order */
  readonly repeat?: boolean;
  readonly hidden?: boolean;
}

export interface CommandSpec {
  readonly name: string;
  readonly summary: string;
  /** commander's notation, e.g. `[sql...]` */
  readonly args?: string;
  readonly options: readonly OptionSpec[];
  /** text after the options in `--help` */
  readonly notes?: string;
}

/** Whether the option takes a value. */
export function takesValue(spec: OptionSpec): boolean {
  return /[<[]/.test(spec.flags);
}

/** `-c` and `--command` of a spec. */
export function namesOf(spec: OptionSpec): string[] {
  return spec.flags
    .replace(/\s*[<[].*$/, '')
    .split(/,\s*/)
    .map((name) => name.trim());
}

/** Values as commander hands them over, by camel-case name. */
export type OptionValues = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
