/**
 * Keyword classes as in DuckDB 1.5.6 (`duckdb_keywords()`), which took them from PostgreSQL:
 * - reserved: never a name without quotes, except after AS or a dot
 * - type_function: a function or type name, not a column or a table alias (but for five words, see tokens.ts)
 * - column_name: a column or table name, not a function name except by its own syntax
 * - unreserved: any name
 */
export type KeywordClass = 'reserved' | 'type_function' | 'column_name' | 'unreserved';

const WORDS: Readonly<Record<KeywordClass, string>> = {
  reserved:
    'all analyse analyze and any array as asc asymmetric both case cast check collate column constraint create ' +
    'default deferrable desc describe distinct do else end except false fetch for foreign from group having in ' +
    'initially intersect into lambda lateral leading limit not null offset on only or order pivot pivot_longer ' +
    'pivot_wider placing primary qualify references returning select show some summarize symmetric table then to ' +
    'trailing true union unique unpivot using variadic when where window with',
  type_function:
    'anti asof at authorization binary by collation columns concurrently cross freeze full generated glob ilike ' +
    'inner is isnull join left like map natural notnull outer overlaps positional right semi similar struct ' +
    'tablesample try_cast unpack verbose',
  column_name:
    'between bigint bit boolean char character coalesce dec decimal exists extract float grouping grouping_id inout ' +
    'int integer interval national nchar none nullif numeric out overlay position precision real row setof smallint ' +
    'substring time timestamp treat trim values varchar xmlattributes xmlconcat xmlelement xmlexists xmlforest ' +
    'xmlnamespaces xmlparse xmlpi xmlroot xmlserialize xmltable',
  unreserved:
    'abort absolute access action add admin after aggregate also alter always assertion assignment attach attribute ' +
    'backward before begin cache call called cascade cascaded catalog centuries century chain characteristics ' +
    'checkpoint class close cluster comment comments commit committed compression configuration conflict connection ' +
    'constraints content continue conversion copy cost csv cube current cursor cycle data database day days ' +
    'deallocate decade decades declare defaults deferred definer delete delimiter delimiters depends detach ' +
    'dictionary disable discard document domain double drop each enable encoding encrypted enum error escape event ' +
    'exclude excluding exclusive execute explain export export_state extension extensions external family filter ' +
    'first following force forward function functions global grant granted groups handler header hold hour hours ' +
    'identity if ignore immediate immutable implicit import include including increment index indexes inherit ' +
    'inherits inline input insensitive insert install instead invoker isolation json key label language large last ' +
    'leakproof level listen load local location lock locked logged macro mapping match matched materialized maxvalue ' +
    'merge method microsecond microseconds millennia millennium millisecond milliseconds minute minutes minvalue ' +
    'mode month months move name names new next no nothing notify nowait nulls object of off oids old operator ' +
    'option options ordinality others over overriding owned owner parallel parser partial partition partitioned ' +
    'passing password percent persistent plans policy pragma preceding prepare prepared preserve prior privileges ' +
    'procedural procedure program publication quarter quarters quote range read reassign recheck recursive ref ' +
    'referencing refresh reindex relative release rename repeatable replace replica reset respect restart restrict ' +
    'returns revoke role rollback rollup rows rule sample savepoint schema schemas scope scroll search second ' +
    'seconds secret security sequence sequences serializable server session set sets share simple skip snapshot ' +
    'sorted source sql stable standalone start statement statistics stdin stdout storage stored strict strip ' +
    'subscription sysid system tables tablespace target temp template temporary text ties transaction transform ' +
    'trigger truncate trusted type types unbounded uncommitted unencrypted unknown unlisten unlogged until update ' +
    'use user vacuum valid validate validator value variable varying version view views virtual volatile week weeks ' +
    'whitespace within without work wrapper write xml year years yes zone',
};

const CLASSES: readonly KeywordClass[] = ['reserved', 'type_function', 'column_name', 'unreserved'];

let classes: ReadonlyMap<string, KeywordClass> | undefined;

function classTable(): ReadonlyMap<string, KeywordClass> {
  classes ??= new Map(CLASSES.flatMap((c) => WORDS[c].split(' ').map((word) => [word, c] as const)));
  return classes;
}

/** Class of a word in any case, undefined when it is no keyword. */
export function keywordClass(word: string): KeywordClass | undefined {
  return classTable().get(word.toLowerCase());
}

/** Words of one class, lower case. */
export function keywordsOfClass(of: KeywordClass): readonly string[] {
  return WORDS[of].split(' ');
}

/** Functions that are called without parentheses; a column of such a name needs quotes. */
export const BARE_FUNCTIONS: ReadonlySet<string> = new Set([
  ...['current_date', 'current_time', 'current_timestamp', 'localtime', 'localtimestamp'],
]);

const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** An identifier as SQL text: in double quotes when it is a keyword or has other characters than letters, digits, `_`. */
export function identifierText(name: string): string {
  const special = keywordClass(name) !== undefined || BARE_FUNCTIONS.has(name.toLowerCase());
  if (PLAIN_NAME.test(name) && !special) return name;
  return `"${name.replaceAll('"', '""')}"`;
}
