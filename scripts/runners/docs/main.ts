import { writeFile } from 'node:fs/promises';
import { sqlReference } from './sql_reference.ts';

await writeFile('docs/sql.md', sqlReference());
