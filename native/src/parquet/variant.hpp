// VARIANT columns of files: values wholly or partly shredded into columns are put together again.
// Sources: Apache Parquet format, VariantEncoding.md and VariantShredding.md.
#pragma once
#include "columnar/variant.hpp"
#include "context/context.hpp"
#include "parquet/schema.hpp"

namespace quern::parquet {

// `stored`: a column of type node.variant. Gives one of type node.type: variant null is NULL.
ColumnPtr read_variant(Context& context, const FieldNode& node, const ColumnPtr& stored);

// The two binary columns that a flat VARIANT column is stored as; without nulls, empty where it is NULL.
struct VariantColumns {
  ColumnPtr metadata, value;
};
VariantColumns variant_columns(Memory& memory, const ColumnPtr& column);

}  // namespace quern::parquet
