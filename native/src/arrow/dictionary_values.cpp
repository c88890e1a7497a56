// Dictionary-encoded arrays: indices in the batch, values in dictionary batches before it.
#include <algorithm>

#include "arrow/batch_reader.hpp"

namespace quern::arrow {
namespace {

// Codes of the rows, 0 where null; every other index is checked against `count`.
template <typename Index>
void check_indices(const Index* indices, int64_t length, const Mask& mask, int64_t count, uint32_t* out) {
  for (int64_t row = 0; row < length; ++row) {
    if (!mask.valid(row)) {
      out[row] = 0;
      continue;
    }
    // Negative ones become huge.
    const uint64_t index = static_cast<uint64_t>(static_cast<int64_t>(indices[row]));
    if (index >= static_cast<uint64_t>(count)) {
      throw corrupt_file("row " + std::to_string(row) + ": index " + std::to_string(indices[row]) +
                         " into a dictionary of " + std::to_string(count));
    }
    out[row] = static_cast<uint32_t>(index);
  }
}

// Whether a column may hand out codes: values of one flat buffer, none of them null.
bool stays_dictionary(const Column& values) {
  const Physical kind = physical(*values.type);
  return values.form == Form::flat && values.null_count == 0 && kind != Physical::none && kind != Physical::list &&
         kind != Physical::structure;
}

}  // namespace

ColumnPtr BatchReader::dictionary_values(const Field& field) {
  const File::Dictionary& dictionary = file_.dictionary_of_id.at(field.dictionary_id);
  // The batches in force: the last complete one before this batch, and the additions after it.
  const auto before = [&](int32_t batch) {
    return file_.dictionaries[static_cast<size_t>(batch)].sequence < batch_.sequence;
  };
  const auto end = std::partition_point(dictionary.batches.begin(), dictionary.batches.end(), before);
  if (end == dictionary.batches.begin()) {
    throw corrupt_file("dictionary " + std::to_string(field.dictionary_id) + " is missing");
  }
  const int32_t last = *(end - 1);
  if (ColumnPtr cached = file_.cached_dictionary(field.dictionary_id, last)) return cached;

  auto first = end - 1;
  while (file_.dictionaries[static_cast<size_t>(*first)].delta) --first;  // the first of all is never an addition
  std::vector<ColumnPtr> parts;
  for (auto at = first; at != end; ++at) {
    const DictionaryBatch& batch = file_.dictionaries[static_cast<size_t>(*at)];
    BatchReader reader(context_, file_, batch.values);
    parts.push_back(reader.read_values(*dictionary.field, batch.values.length, {}));
  }
  const ColumnPtr values = parts.size() == 1 ? parts[0] : concat(memory_, field.type, parts);
  file_.cache_dictionary(field.dictionary_id, last, values);
  return values;
}

ColumnPtr BatchReader::read_indices(const Field& field, int64_t length, const Mask& mask, bool top) {
  const BufferPtr indices = next_buffer(length * (field.index.bits / 8));
  if (mask.null_count == length) return flatten(memory_, make_null_column(field.type, length));
  const ColumnPtr values = dictionary_values(field);
  if (values->length > UINT32_MAX) throw unsupported("dictionaries of more than 4294967295 values");
  BufferPtr codes = memory_.allocate(static_cast<size_t>(length) * sizeof(uint32_t));
  uint32_t* out = codes->as<uint32_t>();
  const auto check = [&](const auto* from) { check_indices(from, length, mask, values->length, out); };
  switch (field.index.bits) {
    case 8:
      field.index.is_signed ? check(indices->as<const int8_t>()) : check(indices->as<const uint8_t>());
      break;
    case 16:
      field.index.is_signed ? check(indices->as<const int16_t>()) : check(indices->as<const uint16_t>());
      break;
    case 32:
      field.index.is_signed ? check(indices->as<const int32_t>()) : check(indices->as<const uint32_t>());
      break;
    default:
      field.index.is_signed ? check(indices->as<const int64_t>()) : check(indices->as<const uint64_t>());
      break;
  }
  if (top && stays_dictionary(*values)) {
    auto column = std::make_shared<Column>();
    column->type = field.type;
    column->form = Form::dictionary;
    column->length = length;
    column->data = out;
    column->owners.push_back(std::move(codes));
    column->children.push_back(values);
    if (mask.words != nullptr) {
      column->validity = mask.words;
      column->null_count = mask.null_count;
      column->owners.push_back(mask.owner);
    }
    return column;
  }
  const BufferPtr rows = memory_.allocate(static_cast<size_t>(length) * sizeof(int64_t));
  for (int64_t row = 0; row < length; ++row) rows->as<int64_t>()[row] = mask.valid(row) ? int64_t{out[row]} : -1;
  return flatten(memory_, gather(memory_, values, rows->as<const int64_t>(), length));
}

}  // namespace quern::arrow
