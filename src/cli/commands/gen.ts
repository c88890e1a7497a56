import { unsupported } from '../../common/error.ts';
import type { Context } from '../context.ts';

/** `quern gen` */
export async function runGenCommand(_: Context): Promise<number> {
  throw unsupported('quern gen');
}
