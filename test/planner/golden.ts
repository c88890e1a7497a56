import { expect } from 'vitest';

/**
 * Compares a golden file of blocks `> SQL`, then what `show` makes of it. `npx vitest run -u` writes it anew.
 */
export async function expectGolden(
  file: string,
  statements: readonly string[],
  show: (sql: string) => Promise<string>,
): Promise<void> {
  const blocks: string[] = [];
  for (const sql of statements) blocks.push(`> ${sql}\n${await show(sql)}\n`);
  await expect(blocks.join('\n')).toMatchFileSnapshot(file);
}
