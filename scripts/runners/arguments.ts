/** Reads the flags of a runner: `--name value`, `--set NAME=VALUE` (repeat), flags without a value, and the rest. */
export interface RunnerArguments {
  readonly rest: readonly string[];
  readonly flags: ReadonlyMap<string, string>;
  readonly settings: Readonly<Record<string, string>>;
}

/** `withValue` and `plain` name the flags of the runner; any other one is an error. */
export function parseArguments(
  argv: readonly string[],
  withValue: readonly string[],
  plain: readonly string[],
): RunnerArguments {
  const rest: string[] = [];
  const flags = new Map<string, string>();
  const settings: Record<string, string> = {};
  for (let i = 0; i < argv.length; i++) {
    const argument = argv[i] as string;
    if (!argument.startsWith('--')) {
      rest.push(argument);
      continue;
    }
    const [name = '', inline] = splitOnce(argument.slice(2), '=');
    if (plain.includes(name)) {
      flags.set(name, '');
      continue;
    }
    if (name !== 'set' && !withValue.includes(name)) throw new Error(`unknown flag: ${argument}`);
    const value = inline ?? argv[++i];
    if (value === undefined) throw new Error(`--${name} needs a value`);
    if (name !== 'set') flags.set(name, value);
    else {
      const [key = '', setting] = splitOnce(value, '=');
      if (setting === undefined) throw new Error(`--set needs NAME=VALUE: ${value}`);
      settings[key] = setting;
    }
  }
  return { rest, flags, settings };
}

function splitOnce(text: string, mark: string): [string, string | undefined] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
