import { describe, expect, test } from 'vitest';
import type { LogicalNode, LogicalPlan } from '../../../src/planner/logical/node.ts';
import { mergeProjects } from '../../../src/planner/optimize/merge_projects.ts';
import { metadataAggregates } from '../../../src/planner/optimize/metadata_aggregates.ts';
import { projectAfterTopK } from '../../../src/planner/optimize/project_after_top_k.ts';
import { pruneColumns } from '../../../src/planner/optimize/prune_columns.ts';
import { pushFilters } from '../../../src/planner/optimize/push_filters.ts';
import { pushLimits } from '../../../src/planner/optimize/push_limits.ts';
import { shareSubplans } from '../../../src/planner/optimize/share_subplans.ts';
import { simplifyAggregates } from '../../../src/planner/optimize/simplify_aggregates.ts';
import { simplifyNodes } from '../../../src/planner/optimize/simplify_nodes.ts';
import { bindSql, logicalText } from '../sample_table.ts';

type Rule = (root: LogicalNode) => LogicalNode;

/** The plan of a query after some rules; scans are shown without their columns. */
async function planAfter(sql: string, ...rules: Rule[]): Promise<string> {
  const plan = await bindSql(sql);
  return shown({ ...plan, root: rules.reduce((root, rule) => rule(root), plan.root) });
}

const shown = (plan: LogicalPlan): string => logicalText(plan).replace(/ columns=\[[^\]]*\]/g, '');
const lines = (...text: string[]): string => text.join('\n');

describe('simplify', () => {
  test('constants are folded, filters that are always true vanish', async () => {
    expect(await planAfter('SELECT i FROM t WHERE 1 + 1 = 2 AND i > 2 * 3', simplifyNodes)).toBe(
      lines('project [i]', '  filter i > 6', '    scan t'),
    );
  });

  test('a filter that keeps nothing reads nothing', async () => {
    expect(await planAfter('SELECT i FROM t WHERE i > 1 AND 1 > 2', simplifyNodes)).toBe(
      lines('project [i]', '  values rows=0'),
    );
  });

  test('an error that rows may raise before is not hidden', async () => {
    expect(await planAfter('SELECT i FROM t WHERE CAST(s AS INTEGER) > 1 AND 1 > 2', simplifyNodes)).toBe(
      lines('project [i]', '  filter CAST(s AS INTEGER) > 1 AND false', '    scan t'),
    );
  });

  test('common conjuncts of OR are taken out, unless they may fail', async () => {
    expect(await planAfter("SELECT i FROM t WHERE (i = 1 AND s = 'a') OR (s = 'b' AND i = 1)", simplifyNodes)).toBe(
      lines('project [i]', "  filter i = 1 AND (s = 'a') OR (s = 'b')", '    scan t'),
    );
    expect(
      await planAfter('SELECT i FROM t WHERE (s::INT = 1 AND i = 1) OR (s::INT = 1 AND i = 2)', simplifyNodes),
    ).toContain(') OR (');
  });

  test('a comparison of a widened column is made on the column', async () => {
    expect(await planAfter('SELECT i FROM t WHERE i = 5::BIGINT AND si < 70000 AND dc = 3', simplifyNodes)).toBe(
      lines('project [i]', '  filter i = 5 AND CAST(si AS INTEGER) < 70000 AND dc = 3.00', '    scan t'),
    );
  });

  test('branches that are never taken vanish', async () => {
    expect(
      await planAfter(
        'SELECT CASE WHEN false THEN 1 WHEN i > 0 THEN 2 WHEN true THEN 3 ELSE 4 END AS c, coalesce(NULL, i, 1, si) AS d FROM t',
        simplifyNodes,
      ),
    ).toBe(lines('project [CASE WHEN i > 0 THEN 2 ELSE 3 END AS c, coalesce(i, 1) AS d]', '  scan t'));
  });
});

describe('push filters', () => {
  test('through projections, sorts and unions into scans', async () => {
    expect(
      await planAfter(
        'SELECT * FROM (SELECT i + 1 AS j FROM t UNION ALL SELECT si FROM t ORDER BY 1) WHERE j > 3',
        pushFilters,
      ),
    ).toBe(
      lines(
        'project [j]',
        '  sort [j]',
        '    union_all',
        '      project [j]',
        '        project [i + 1 AS j]',
        '          scan t filter=[(i + 1) > 3]',
        '      project [CAST(si AS INTEGER) AS j]',
        '        project [si]',
        '          scan t filter=[CAST(si AS INTEGER) > 3]',
      ),
    );
  });

  test('keys of a group-by only', async () => {
    expect(
      await planAfter('SELECT * FROM (SELECT i, count(*) AS n FROM t GROUP BY i) WHERE i > 1 AND n > 2', pushFilters),
    ).toBe(
      lines(
        'project [i, n]',
        '  project [i, count AS n]',
        '    filter count > 2',
        '      aggregate keys=[i] aggregates=[count(*)]',
        '        scan t filter=[i > 1]',
      ),
    );
  });

  test('not below a limit, and not what may fail below an unnest', async () => {
    expect(await planAfter('SELECT * FROM (SELECT i FROM t LIMIT 5) WHERE i > 1', pushFilters)).toContain(
      'filter i > 1\n',
    );
    const text = await planAfter('SELECT u FROM t, unnest(li) AS e(u) WHERE i > 1 AND s::INTEGER > 2', pushFilters);
    expect(text).toContain('filter CAST(s AS INTEGER) > 2\n    unnest');
    expect(text).toContain('scan t filter=[i > 1]');
  });

  test('an expensive expression is not computed twice', async () => {
    expect(
      await planAfter("SELECT * FROM (SELECT regexp_replace(s, 'a', 'b') AS r FROM t) WHERE r = 'x'", pushFilters),
    ).toContain("filter r = 'x'");
  });

  test('conjuncts keep their order', async () => {
    expect(await planAfter('SELECT i FROM t WHERE i <> 0 AND s::INTEGER > 2 AND si > 1', pushFilters)).toContain(
      'scan t filter=[i <> 0 AND CAST(s AS INTEGER) > 2 AND CAST(si AS INTEGER) > 1]'.replace(
        'CAST(si AS INTEGER)',
        'si',
      ),
    );
  });
});

describe('other rules', () => {
  test('projections merge unless that repeats work', async () => {
    expect(await planAfter('SELECT a + 1 AS b FROM (SELECT i * 2 AS a FROM t)', mergeProjects)).toBe(
      lines('project [(i * 2) + 1 AS b]', '  scan t'),
    );
    expect(await planAfter('SELECT a + a AS b FROM (SELECT i * 2 AS a FROM t)', mergeProjects)).toBe(
      lines('project [a + a AS b]', '  project [i * 2 AS a]', '    scan t'),
    );
  });

  test('LIMIT over ORDER BY is top_k; other limits reach the scan', async () => {
    expect(await planAfter('SELECT i FROM t ORDER BY i LIMIT 3 OFFSET 1', pushLimits)).toBe(
      lines('top_k [i] limit=3 offset=1', '  project [i]', '    scan t'),
    );
    expect(await planAfter('SELECT i FROM t LIMIT 3 OFFSET 1', pushLimits)).toBe(
      lines('limit limit=3 offset=1', '  project [i]', '    scan t limit=4'),
    );
    expect(await planAfter('SELECT range FROM range(100) LIMIT 3', pushLimits)).toContain('range start=0 stop=3');
    expect(await planAfter('SELECT unnest(li) FROM t LIMIT 3', pushLimits)).not.toContain('scan t limit');
  });

  test('what the order does not need is computed after it', async () => {
    expect(await planAfter('SELECT upper(s) AS u FROM t ORDER BY i LIMIT 3', pushLimits, projectAfterTopK)).toContain(
      '  project [upper(s) AS u, i]\n    top_k [i] limit=3\n      scan t',
    );
    expect(
      await planAfter('SELECT i + 1 AS j, upper(s) AS u FROM t ORDER BY j, bi LIMIT 3', pushLimits, projectAfterTopK),
    ).toMatch(
      /project \[j, upper\(s\) AS u, bi\]\n {4}top_k \[j, bi\] limit=3\n {6}project \[i \+ 1 AS j, .*s,.*\]\n {8}scan t/,
    );
    expect(await planAfter('SELECT i + 1 AS j FROM t ORDER BY j LIMIT 3', pushLimits, projectAfterTopK)).toContain(
      'top_k [j] limit=3\n  project',
    );
  });

  test('counts and bounds come from footers only where they are exact', async () => {
    const rules = [mergeProjects, metadataAggregates];
    expect(await planAfter('SELECT min(k), count(k) FROM bounded', ...rules)).toContain('values rows=1');
    for (const sql of ['min(loose)', 'min(x)', 'count(DISTINCT k)', 'sum(k)', 'count(k) FILTER (WHERE k > 1)']) {
      expect(await planAfter(`SELECT ${sql} FROM bounded`, ...rules)).toContain('scan bounded');
    }
    expect(await planAfter('SELECT count(*) FROM bounded WHERE k > 1', pushFilters, ...rules)).toContain(
      'scan bounded',
    );
    expect(await planAfter('SELECT k, count(*) FROM bounded GROUP BY k', ...rules)).toContain('scan bounded');
  });

  test('sorts below a group-by stay only where an aggregate sees the order', async () => {
    const sorted = (call: string) => `SELECT ${call} FROM (SELECT i FROM t ORDER BY i)`;
    expect(await planAfter(sorted('sum(i)'), simplifyAggregates)).not.toContain('sort');
    expect(await planAfter(sorted('first(i)'), simplifyAggregates)).toContain('sort');
    expect(await planAfter('SELECT count(1), count(NULL) FROM t', simplifyAggregates)).toContain(
      'aggregates=[count(*), count(NULL)]',
    );
  });

  test('columns that nothing reads are not read', async () => {
    const plan = await bindSql(
      "SELECT a FROM (SELECT i AS a, s, sum(d) AS total FROM (SELECT * EXCLUDE (bad) FROM t) GROUP BY ALL) WHERE s > 'x'",
    );
    const text = logicalText(pruneColumns(plan));
    expect(text).toContain('scan t columns=[i, s]');
    expect(text).not.toContain('sum');
  });
});

describe('share subplans', () => {
  const shared = async (sql: string): Promise<string> => {
    const plan = pruneColumns(await bindSql(sql));
    return shown({ ...plan, root: shareSubplans(plan.root) });
  };

  test('equal aggregations run once', async () => {
    const text = await shared(
      'WITH x AS (SELECT s, count(*) AS n FROM t GROUP BY s) SELECT a.n FROM x a JOIN x b ON a.n = b.n + 1',
    );
    expect(text.match(/scan t/g)?.length).toBe(1);
    expect(text).toContain('#1');
  });

  test('subplans that differ in a constant, a column or the order of columns stay apart', async () => {
    for (const [left, right] of [
      [
        'SELECT s, count(*) AS n FROM t WHERE i > 1 GROUP BY s',
        'SELECT s, count(*) AS n FROM t WHERE i > 2 GROUP BY s',
      ],
      ['SELECT s, sum(i) AS n FROM t GROUP BY s', 'SELECT s, sum(si) AS n FROM t GROUP BY s'],
      ['SELECT s, sum(i) AS n FROM t GROUP BY s', 'SELECT s, sum(DISTINCT i) AS n FROM t GROUP BY s'],
    ]) {
      expect(
        (await shared(`SELECT a.n FROM (${left}) a JOIN (${right}) b ON a.s = b.s`)).match(/scan t/g)?.length,
      ).toBe(2);
    }
  });

  test('tables are read twice rather than kept', async () => {
    expect(await shared('SELECT a.i FROM t a JOIN t b ON a.i = b.i')).not.toContain('#1');
  });
});
