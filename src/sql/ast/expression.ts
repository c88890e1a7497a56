import type { FunctionCall, Lambda } from './call.ts';
import type {
  BlobLiteral,
  BooleanLiteral,
  ColumnRef,
  Columns,
  DecimalLiteral,
  DoubleLiteral,
  IntegerLiteral,
  IntervalLiteral,
  NullLiteral,
  Parameter,
  PositionalRef,
  Star,
  StringLiteral,
} from './literal.ts';
import type {
  ArraySubquery,
  Exists,
  FieldAccess,
  ListLiteral,
  MapLiteral,
  QuantifiedComparison,
  Row,
  ScalarSubquery,
  Slice,
  StructLiteral,
  Subscript,
} from './nested.ts';
import type {
  Between,
  Binary,
  Case,
  Cast,
  Collate,
  InList,
  InSubquery,
  IsBoolean,
  IsNull,
  Like,
  Logical,
  Unary,
} from './operator.ts';

export type Literal =
  | IntegerLiteral
  | DecimalLiteral
  | DoubleLiteral
  | StringLiteral
  | BlobLiteral
  | BooleanLiteral
  | NullLiteral;

export type Expression =
  | Literal
  | IntervalLiteral
  | ColumnRef
  | PositionalRef
  | Parameter
  | Star
  | Columns
  | Unary
  | Binary
  | Logical
  | IsNull
  | IsBoolean
  | Between
  | InList
  | InSubquery
  | Like
  | Case
  | Cast
  | Collate
  | FunctionCall
  | Lambda
  | ScalarSubquery
  | Exists
  | QuantifiedComparison
  | ArraySubquery
  | ListLiteral
  | StructLiteral
  | MapLiteral
  | Row
  | Subscript
  | Slice
  | FieldAccess;

export type ExpressionKind = Expression['kind'];
