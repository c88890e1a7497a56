// VARIANT: values that bring their types with them, partly or wholly shredded into columns. They are read as the text
// that a cast to VARCHAR gives. Sources: Apache Parquet format, VariantEncoding.md and VariantShredding.md.
#pragma once
#include "columnar/column.hpp"
#include "context/context.hpp"
#include "parquet/schema.hpp"

namespace quern::parquet {

// Deepest nesting of arrays and objects inside a value; what is shredded does not count.
constexpr int max_variant_depth = 500;
// Bytes of the text of one value.
constexpr size_t max_variant_text = 256 << 20;

// `stored`: a column of type node.variant. Gives one of type node.type: variant null is NULL.
ColumnPtr read_variant(Context& context, const FieldNode& node, const ColumnPtr& stored);

}  // namespace quern::parquet
