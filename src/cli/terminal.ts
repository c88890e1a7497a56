/** What the three streams are, asked once and without opening them. */
import { fstatSync } from 'node:fs';
import { isatty } from 'node:tty';

export interface Terminal {
  readonly stdoutIsTerminal: boolean;
  readonly stderrIsTerminal: boolean;
  /** columns of text on stdout's terminal */
  readonly width: number;
  readonly stdoutColor: boolean;
  readonly stderrColor: boolean;
}

export type ColorChoice = 'auto' | 'always' | 'never';

function colorFor(choice: ColorChoice, isTerminal: boolean, env: NodeJS.ProcessEnv): boolean {
  if (choice !== 'auto') return choice === 'always';
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false;
  const force = env.FORCE_COLOR;
  if (force !== undefined && force !== '' && force !== '0' && force !== 'false') return true;
  return isTerminal && env.TERM !== 'dumb';
}

/** Looks at stdout and stderr; colour is decided for each of them apart. */
export function readTerminal(choice: ColorChoice, env: NodeJS.ProcessEnv = process.env): Terminal {
  const stdoutIsTerminal = isatty(1);
  const stderrIsTerminal = isatty(2);
  const columns = Number(env.COLUMNS);
  const width = columns > 0 ? columns : stdoutIsTerminal ? (process.stdout.columns ?? 80) : 80;
  return {
    stdoutIsTerminal,
    stderrIsTerminal,
    width,
    stdoutColor: colorFor(choice, stdoutIsTerminal, env),
    stderrColor: colorFor(choice, stderrIsTerminal, env),
  };
}

/** Whether file descriptor `fd` is a regular file: writes to one never block for long. */
export function isRegularFile(fd: number): boolean {
  return fstatSync(fd).isFile();
}
