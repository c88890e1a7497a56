/**
 * The syntax tree: immutable unions told apart by `kind`; every node knows where it stands in the SQL text.
 *
 * Rules of the tree
 * - Only what the text says: no names resolved, no types, no folding. Where SQL has two spellings of one thing the
 *   tree has one form, so that later stages see fewer cases; each node's comment names the spellings.
 * - Optional parts are `null`, repeated parts are arrays (empty when absent), never undefined.
 * - Keywords, operators and type names are normalised; identifiers keep their case and are compared without it.
 * - The parser bounds the depth of the tree (MAX_DEPTH in depth.ts), so plain recursion over it is safe.
 */

export type * from './ast/call.ts';
export type * from './ast/expression.ts';
export type * from './ast/literal.ts';
export type * from './ast/nested.ts';
export type * from './ast/node.ts';
export type * from './ast/operator.ts';
export type * from './ast/query.ts';
export type * from './ast/statement.ts';
export type * from './ast/table_ref.ts';
export type * from './ast/type_name.ts';
