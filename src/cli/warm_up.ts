import '../output/csv.ts';
import '../output/json.ts';
import { parseStatements } from '../sql/index.ts';
import { parseArguments } from './program.ts';
import { COMMANDS } from './surface.ts';

/** Builds what is built on first use, for the start-up snapshot: the parser above all. Touches no file and no stream. */
export function warmUp(): void {
  parseStatements('SELECT a, count(*) FROM t WHERE b > 1 AND c IN (2, 3) GROUP BY ALL ORDER BY 2 DESC LIMIT 10');
  for (const command of COMMANDS) parseArguments(command, []);
}
