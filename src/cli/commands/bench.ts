import { unsupported } from '../../common/error.ts';
import type { Context } from '../context.ts';

/** `quern bench` */
export async function runBenchCommand(_: Context): Promise<number> {
  throw unsupported('quern bench');
}
