import type { Operator } from './operator.ts';
import type { ScanFiles } from './scan_files.ts';
import { scanOperator } from './scan_files.ts';

/** Reads projected columns of Arrow IPC files and streams. */
export interface ScanArrow extends ScanFiles {
  readonly kind: 'scan_arrow';
}

export const scanArrow: Operator<ScanArrow> = scanOperator('scan_arrow');
