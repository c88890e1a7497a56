/** What a `$name` can be bound to; the session's ParamValue is the same type. */
export type ParamValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly ParamValue[]
  | Float32Array
  | Float64Array;
