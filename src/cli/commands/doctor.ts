import { unsupported } from '../../common/error.ts';
import type { Context } from '../context.ts';

/** `quern doctor` */
export async function runDoctor(_: Context): Promise<number> {
  throw unsupported('quern doctor');
}
