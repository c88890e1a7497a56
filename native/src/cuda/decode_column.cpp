#include "cuda/decode_column.hpp"

#include <algorithm>

#include "cuda/move_kernels.hpp"

namespace quern::cuda {

namespace {

size_t word_bytes(int64_t rows) { return static_cast<size_t>((rows + 31) / 32) * 4; }
// Levels are read 32 at a time.
size_t level_bytes(int64_t entries) { return static_cast<size_t>((entries + 31) / 32) * 32; }

int32_t level_width(int32_t most) {
  int32_t width = 0;
  while ((1 << width) <= most) ++width;
  return width;
}

template <typename T>
DeviceBufferPtr copied(Device& device, const std::vector<T>& values) {
  auto buffer = device.memory.allocate(values.size() * sizeof(T));
  device.staging.to_device(buffer->data(), values.data(), values.size() * sizeof(T));
  return buffer;
}

DeviceBufferPtr all_ones(Device& device, int64_t rows) {
  auto words = device.memory.allocate(word_bytes(rows));
  check(cudaMemsetAsync(words->data(), 0xff, words->size(), device.stream.get()), "cudaMemsetAsync");
  return words;
}

StoredValues stored_values(const parquet::LeafType& leaf) {
  return {leaf.physical == parquet::PhysicalType::boolean ? 0 : leaf.stored_width, leaf.conversion, leaf.factor};
}

}  // namespace

ColumnDecoder::ColumnDecoder(Device& device, const Layout& layout, const EncodedColumn& column,
                             DecodeCounters* counters)
    : device_(device), layout_(layout), column_(column), counters_(counters) {}

const uint8_t* ColumnDecoder::bytes() const { return static_cast<DeviceUpload&>(*column_.bytes).data(); }

void ColumnDecoder::start(int64_t rows) {
  static_cast<DeviceUpload&>(*column_.bytes).wait();
  first_entries_.push_back(0);
  for (const auto& page : column_.pages) first_entries_.push_back(first_entries_.back() + page.entries);
  if (first_entries_.back() != column_.entries) throw internal_error("pages of another number of entries");
  pages_ = copied(device_, column_.pages);
  first_entry_ = copied(device_, first_entries_);
  if (column_.list_length >= 0) {
    make_even_lists(rows);
  } else {
    expand_levels_of_pages();
    if (!make_lists(rows)) {
      refused_ = true;
      return;
    }
  }
  make_values();
}

void ColumnDecoder::expand_levels_of_pages() {
  const auto expand = [&](RunSection section, int32_t most) {
    auto levels = device_.memory.allocate(level_bytes(column_.entries));
    expand_levels(device_, bytes(), pages_->as<EncodedPage>(), static_cast<int64_t>(column_.pages.size()), section,
                  level_width(most), first_entry_->as<int64_t>(), static_cast<uint8_t>(most), levels->as<uint8_t>(),
                  status());
    return levels;
  };
  if (column_.max_repetition > 0) repetition_ = expand(RunSection::repetition, column_.max_repetition);
  if (column_.max_definition == 0 || column_.no_nulls) return;
  definition_ = expand(RunSection::definition, column_.max_definition);
  valid_ = make_mask(column_.max_repetition, column_.max_definition);
}

ColumnDecoder::Mask ColumnDecoder::make_mask(int32_t most_repetition, int32_t least_definition) {
  const int64_t words = (column_.entries + 31) / 32;
  Mask out;
  out.words = device_.memory.allocate(static_cast<size_t>(words) * 4);
  out.sums = device_.memory.allocate(static_cast<size_t>(words + 1) * 8);
  level_mask(device_, repetition_ ? repetition_->as<uint8_t>() : nullptr,
             definition_ ? definition_->as<uint8_t>() : nullptr, most_repetition, least_definition, column_.entries,
             out.words->as<uint32_t>());
  const auto counts = device_.memory.allocate(static_cast<size_t>(words) * 8);
  count_words(device_, out.words->as<uint32_t>(), column_.entries, counts->as<int64_t>());
  sum_lengths(device_, counts->as<int64_t>(), words, out.sums->as<int64_t>());
  return out;
}

void ColumnDecoder::add_list(int64_t slots, int64_t elements, DeviceBufferPtr offsets) {
  auto list = std::make_shared<DeviceColumn>();
  list->type = lists_.empty() ? column_.type : lists_.back()->type->children[0];
  list->length = slots;
  list->elements = elements;
  list->wide = elements > layout_.offset_limit;
  list->offsets = std::move(offsets);
  lists_.push_back(std::move(list));
}

void ColumnDecoder::make_even_lists(int64_t rows) {
  leaf_slots_ = column_.entries;
  if (column_.list_length * rows != column_.entries) throw internal_error("lists of another length");
  add_list(rows, column_.entries, nullptr);
  auto& list = *lists_.back();
  list.offsets = device_.memory.allocate(static_cast<size_t>(rows + 1) * (list.wide ? 8 : 4));
  even_offsets(device_, rows, column_.list_length, list.wide, list.offsets->data());
}

// Slots of every list, and of the leaf. False when there are not as many rows as the row group has.
bool ColumnDecoder::make_lists(int64_t rows) {
  leaf_slots_ = column_.entries;
  if (column_.lists.empty()) return column_.entries == rows;
  const int64_t words = (column_.entries + 31) / 32;
  std::vector<Mask> masks{make_mask(0, 0)};  // slots of list i; the last one those of the leaf
  ListLevels levels{};
  for (const auto& list : column_.lists) {
    levels.element[list.repetition] = list.element;
    masks.push_back(make_mask(list.repetition, list.element));
  }
  const uint8_t* definition = definition_ ? definition_->as<uint8_t>() : nullptr;
  check_lists(device_, repetition_->as<uint8_t>(), definition, levels, column_.entries, status());
  std::vector<int64_t> counts(masks.size());
  const auto totals = device_.memory.allocate(masks.size() * 8);
  for (size_t i = 0; i < masks.size(); ++i) {
    check(cudaMemcpyAsync(totals->as<int64_t>() + i, masks[i].sums->as<int64_t>() + words, 8, cudaMemcpyDeviceToDevice,
                          device_.stream.get()),
          "counts of slots");
  }
  device_.staging.to_host(counts.data(), totals->data(), counts.size() * 8);
  ++device_.read_backs;
  if (counts[0] != rows) return false;
  for (size_t i = 0; i < column_.lists.size(); ++i) {
    auto offsets = device_.memory.allocate(static_cast<size_t>(counts[i] + 1) * 8);
    list_offsets(device_, masks[i].view(), masks[i + 1].view(), column_.entries, offsets->as<int64_t>());
    device_.staging.to_device(offsets->as<int64_t>() + counts[i], &counts[i + 1], 8);
    add_list(counts[i], counts[i + 1], std::move(offsets));
    auto& list = *lists_.back();
    if (!list.wide) {
      auto narrow = device_.memory.allocate(static_cast<size_t>(counts[i] + 1) * 4);
      narrow_offsets(device_, list.offsets->as<int64_t>(), counts[i] + 1, narrow->as<int32_t>());
      list.offsets = std::move(narrow);
    }
    if (definition == nullptr || column_.lists[i].present == 0) continue;
    list.validity = all_ones(device_, counts[i]);
    slot_validity(device_, masks[i].view(), definition, column_.lists[i].present, column_.entries,
                  list.validity->as<uint32_t>(), &counters_->list_nulls[i]);
  }
  leaf_slots_ = counts.back();
  slots_ = std::move(masks.back());
  return true;
}

void ColumnDecoder::make_values() {
  leaf_ = std::make_shared<DeviceColumn>();
  leaf_->type = column_.leaf.type;
  leaf_->length = leaf_slots_;
  if (definition_ && lists_.empty()) {
    leaf_->validity = valid_.words;
    check(cudaMemcpyAsync(&counters_->values, valid_.sums->as<int64_t>() + (column_.entries + 31) / 32, 8,
                          cudaMemcpyDeviceToDevice, device_.stream.get()),
          "count of values");
  } else if (definition_) {
    leaf_->validity = all_ones(device_, leaf_slots_);
    slot_validity(device_, slots_.view(), definition_->as<uint8_t>(), column_.max_definition, column_.entries,
                  leaf_->validity->as<uint32_t>(), &counters_->nulls);
  }
  const auto page_count = static_cast<int64_t>(column_.pages.size());
  ValuePlaces places;
  places.bytes = bytes();
  places.pages = pages_->as<EncodedPage>();
  places.page_count = page_count;
  places.entries = column_.entries;
  places.first_entry = places.first_value = first_entry_->as<int64_t>();
  places.slots = slots_.view();
  places.valid = valid_.view();
  places.dictionary_count = std::max<int64_t>(column_.dictionary_count, 0);
  DeviceBufferPtr first_value, codes, deltas, bytes_at;
  if (valid_.words) {
    first_value = device_.memory.allocate(static_cast<size_t>(page_count + 1) * 8);
    ranks_at(device_, valid_.view(), first_entry_->as<int64_t>(), page_count, first_value->as<int64_t>());
    places.first_value = first_value->as<int64_t>();
  }
  const auto any = [&](PageEncoding encoding) {
    return std::any_of(column_.pages.begin(), column_.pages.end(),
                       [&](const EncodedPage& page) { return page.encoding == encoding; });
  };
  const bool has_codes = any(PageEncoding::codes);
  if (has_codes || any(PageEncoding::runs)) {
    codes = device_.memory.allocate(static_cast<size_t>(column_.entries) * 4);
    places.codes = codes->as<uint32_t>();
    const auto section = has_codes ? RunSection::codes : RunSection::booleans;
    const auto most = has_codes ? static_cast<uint32_t>(std::max<int64_t>(places.dictionary_count, 1) - 1) : 1;
    expand_codes(device_, bytes(), places.pages, page_count, section, places.first_value, most, codes->as<uint32_t>(),
                 status());
  }
  if (any(PageEncoding::deltas) || any(PageEncoding::lengths)) {
    // All lengths are summed, those of pages that have none as well.
    const auto size = static_cast<size_t>(column_.entries) * 8;
    deltas = any(PageEncoding::lengths) ? device_.memory.allocate_zeroed(size) : device_.memory.allocate(size);
    bytes_at = device_.memory.allocate_zeroed(static_cast<size_t>(page_count) * 8);
    places.deltas = deltas->as<int64_t>();
    places.bytes_at = bytes_at->as<int64_t>();
    expand_deltas(device_, bytes(), places.pages, page_count, places.first_value, deltas->as<int64_t>(),
                  bytes_at->as<int64_t>(), status());
  }
  if (has_bytes(*leaf_->type))
    make_strings(places);
  else
    make_fixed(places);
}

bool ColumnDecoder::holds_plain_copies() const {
  return !definition_ && column_.leaf.conversion == parquet::Conversion::copy && column_.leaf.stored_width > 0 &&
         std::all_of(column_.pages.begin(), column_.pages.end(), [&](const EncodedPage& page) {
           return page.encoding == PageEncoding::plain && page.values_bytes / column_.leaf.stored_width >= page.entries;
         });
}

void ColumnDecoder::make_fixed(const ValuePlaces& places) {
  const int32_t out_width = width(*leaf_->type);
  leaf_->data = device_.memory.allocate(static_cast<size_t>(leaf_slots_) * static_cast<size_t>(out_width));
  // Without nulls every entry is a slot, but for empty lists, which definition levels tell of.
  if (holds_plain_copies())
    return copy_pages(device_, places.bytes, places.pages, places.page_count, places.entries, places.first_entry,
                      out_width, leaf_->data->data());
  const StoredValues stored = stored_values(column_.leaf);
  DeviceBufferPtr dictionary;
  if (column_.dictionary_count > 0) {
    dictionary =
        device_.memory.allocate(static_cast<size_t>(column_.dictionary_count) * static_cast<size_t>(out_width));
    write_dictionary(device_, places.bytes, column_.dictionary_at, column_.dictionary_count, stored, out_width,
                     dictionary->data(), status());
  }
  write_values(device_, places, stored, dictionary ? dictionary->data() : nullptr, out_width, leaf_->data->data(),
               status());
}

void ColumnDecoder::make_strings(const ValuePlaces& places) {
  const auto sized = [&](int64_t count) { return device_.memory.allocate(static_cast<size_t>(count) * 8); };
  const bool is_text = column_.leaf.check_utf8;
  const int32_t fixed = column_.leaf.physical == parquet::PhysicalType::fixed ? column_.leaf.stored_width : 0;
  DeviceBufferPtr value_starts, value_lengths, entry_starts, entry_lengths;
  const auto pointer = [](const DeviceBufferPtr& buffer) { return buffer ? buffer->as<int64_t>() : nullptr; };
  const int64_t entries = column_.dictionary_count;
  if (entries > 0) {
    entry_starts = sized(entries);
    entry_lengths = sized(entries);
    if (fixed > 0) {
      even_ranges(device_, column_.dictionary_at, fixed, entries, pointer(entry_starts), pointer(entry_lengths));
    } else {
      find_dictionary_strings(device_, places.bytes, column_.dictionary_at, column_.dictionary_bytes, entries,
                              pointer(entry_starts), pointer(entry_lengths), status());
    }
    if (is_text) check_texts(device_, places.bytes, pointer(entry_starts), pointer(entry_lengths), entries, status());
  }
  const auto any = [&](PageEncoding encoding) {
    return std::any_of(column_.pages.begin(), column_.pages.end(),
                       [&](const EncodedPage& page) { return page.encoding == encoding; });
  };
  const bool has_plain = any(PageEncoding::plain), has_lengths = any(PageEncoding::lengths);
  if ((has_plain || has_lengths) && fixed == 0) {
    // As many as there are entries at most; those that hold no value stay unread.
    value_starts = device_.memory.allocate_zeroed(static_cast<size_t>(column_.entries) * 8);
    value_lengths = device_.memory.allocate_zeroed(static_cast<size_t>(column_.entries) * 8);
    if (has_plain)
      find_strings(device_, places.bytes, places.pages, places.page_count, places.first_value, pointer(value_starts),
                   pointer(value_lengths), status());
    if (has_lengths) {
      const auto sums = sized(column_.entries + 1);
      sum_lengths(device_, places.deltas, column_.entries, pointer(sums));
      length_ranges(device_, places.pages, places.page_count, places.first_value, places.deltas, pointer(sums),
                    places.bytes_at, pointer(value_starts), pointer(value_lengths), status());
    }
    if (is_text)
      check_texts(device_, places.bytes, pointer(value_starts), pointer(value_lengths), column_.entries, status());
  }
  const auto starts = sized(leaf_slots_), lengths = sized(leaf_slots_), targets = sized(leaf_slots_ + 1);
  string_ranges(device_, places, fixed, pointer(value_starts), pointer(value_lengths), pointer(entry_starts),
                pointer(entry_lengths), pointer(starts), pointer(lengths), status());
  if (is_text && has_plain && fixed > 0)
    check_texts(device_, places.bytes, pointer(starts), pointer(lengths), leaf_slots_, status());
  sum_lengths(device_, pointer(lengths), leaf_slots_, pointer(targets));
  device_.staging.to_host(&leaf_->elements, pointer(targets) + leaf_slots_, 8);
  ++device_.read_backs;
  leaf_->wide = leaf_->elements > layout_.offset_limit;
  leaf_->data = device_.memory.allocate(static_cast<size_t>(leaf_->elements));
  copy_ranges(device_, 1, places.bytes, pointer(starts), pointer(targets), leaf_slots_, leaf_->elements,
              leaf_->data->data());
  leaf_->offsets = targets;
  if (leaf_->wide) return;
  leaf_->offsets = device_.memory.allocate(static_cast<size_t>(leaf_slots_ + 1) * 4);
  narrow_offsets(device_, pointer(targets), leaf_slots_ + 1, leaf_->offsets->as<int32_t>());
}

DeviceColumnPtr ColumnDecoder::finish(const DecodeCounters& found) {
  if (refused_ || found.status != 0) return nullptr;
  const auto settle = [](DeviceColumn& column, uint64_t nulls) {
    column.null_count = static_cast<int64_t>(nulls);
    if (nulls == 0) column.validity = nullptr;
  };
  const bool is_flat = lists_.empty() && definition_ != nullptr;
  settle(*leaf_, is_flat ? static_cast<uint64_t>(leaf_slots_ - found.values) : found.nulls);
  std::shared_ptr<DeviceColumn> out = leaf_;
  for (size_t i = lists_.size(); i > 0; --i) {
    settle(*lists_[i - 1], found.list_nulls[i - 1]);
    lists_[i - 1]->child = out;
    out = lists_[i - 1];
  }
  return out;
}

}  // namespace quern::cuda
