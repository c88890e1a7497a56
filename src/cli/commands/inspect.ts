import { unsupported } from '../../common/error.ts';
import type { Context } from '../context.ts';

/** `quern inspect` */
export async function runInspect(_: Context): Promise<number> {
  throw unsupported('quern inspect');
}
