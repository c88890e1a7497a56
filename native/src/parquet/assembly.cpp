#include "parquet/assembly.hpp"

#include <algorithm>
#include <cstring>

#include "common/error.hpp"

namespace quern::parquet {

namespace {

// Slots whose validity is gathered before it becomes bits.
constexpr int64_t validity_piece = 4096;

[[noreturn]] void fail_count(int64_t actual, int64_t expected) {
  throw corrupt_file("levels make " + std::to_string(actual) + " values of a nested column, expected " +
                     std::to_string(expected));
}

// Gathers 0/1 bytes into a ValidityBuilder.
class ValidityPieces {
 public:
  explicit ValidityPieces(ValidityBuilder& validity) : validity_(validity) {}
  void add(bool valid) {
    piece_[count_++] = valid;
    set_ += valid;
    if (count_ == validity_piece) flush();
  }
  void flush() {
    if (set_ == count_)
      validity_.append_run(true, count_);
    else
      validity_.append(piece_, count_, set_);
    count_ = set_ = 0;
  }

 private:
  ValidityBuilder& validity_;
  uint8_t piece_[validity_piece];
  int64_t count_ = 0, set_ = 0;
};

// Lists that lie in nothing but structs, of a leaf with this one list: repetition levels are 0 or 1, so that a list is
// the stretch from one 0 to the next.
void read_outer_lists(LeafLevels& levels, const FieldNode& node, int64_t expected, Slots& slots) {
  int64_t count = levels.definition.size();
  const int64_t* starts = levels.repetition.starts();
  if (levels.repetition.start_count() != expected) fail_count(levels.repetition.start_count(), expected);
  auto* entries = reinterpret_cast<ListEntry*>(slots.entries.data());
  auto present = static_cast<uint8_t>(node.level);
  auto element = static_cast<uint8_t>(node.element_level);
  const auto end_of = [&](int64_t slot) { return slot + 1 < expected ? starts[slot + 1] : count; };
  if (levels.definition.is_constant() && levels.definition.level() >= element) {
    const int64_t stride = count / expected;
    bool even = stride * expected == count;
    for (int64_t slot = 0; slot < expected; ++slot) even &= starts[slot] == slot * stride;
    if (even) {
      slots.stride = stride;
      for (int64_t slot = 0; slot < expected; ++slot) entries[slot] = {slot * stride, stride};
    } else {
      for (int64_t slot = 0; slot < expected; ++slot) entries[slot] = {starts[slot], end_of(slot) - starts[slot]};
    }
    slots.element_count = count;
    slots.validity.append_run(true, expected);
    return;
  }
  const uint8_t* definition = levels.definition.data();
  ValidityPieces validity(slots.validity);
  int64_t elements = 0;
  // Entries that are no start of a row continue a list, which must have an element.
  int64_t below = 0, below_at_starts = 0;
  for (int64_t i = 0; i < count; ++i) below += definition[i] < element;
  for (int64_t slot = 0; slot < expected; ++slot) below_at_starts += definition[starts[slot]] < element;
  uint8_t lost = below != below_at_starts;
  for (int64_t slot = 0; slot < expected; ++slot) {
    int64_t start = starts[slot];
    int64_t end = end_of(slot);
    int64_t has_element = definition[start] >= element;
    // Without an element the stretch is this one entry.
    lost |= static_cast<uint8_t>((has_element == 0) & (end - start > 1));
    int64_t length = (end - start) & -has_element;
    entries[slot] = {elements & -has_element, length};
    elements += length;
    validity.add(definition[start] >= present);
  }
  if (lost != 0) throw corrupt_file("levels continue a list that is null or empty");
  validity.flush();
  slots.element_count = elements;
  if (slots.validity.null_count() > 0 || expected == 0) return;
  const int64_t first = entries[0].length;
  if (std::all_of(entries, entries + expected, [&](const ListEntry& entry) { return entry.length == first; }))
    slots.stride = first;
}

}  // namespace

void read_list_slots(LeafLevels& levels, const FieldNode& node, SlotRule rule, int64_t expected, Slots& slots) {
  slots.count = expected;
  slots.entries.reserve(static_cast<size_t>(expected) * sizeof(ListEntry));
  int64_t count = levels.definition.size();
  auto present = static_cast<uint8_t>(node.level);
  auto element = static_cast<uint8_t>(node.element_level);
  auto own = static_cast<uint8_t>(node.repetition);
  if (count == 0) {
    if (expected != 0) fail_count(0, expected);
    return;
  }
  if (own == 1 && levels.max_repetition == 1) return read_outer_lists(levels, node, expected, slots);
  const uint8_t* repetition = levels.repetition.data();
  const uint8_t* definition = levels.definition.data();
  auto* entries = reinterpret_cast<ListEntry*>(slots.entries.data());
  ValidityPieces validity(slots.validity);
  int64_t slot = 0, elements = 0;
  bool open = false;  // the last slot belongs to the current position and has an element
  for (int64_t i = 0; i < count; ++i) {
    uint8_t level = definition[i];
    if (repetition[i] == own) {
      if (!open || level < element) throw corrupt_file("levels continue a list that is null or empty");
      ++entries[slot - 1].length;
      ++elements;
    } else if (repetition[i] < own) {
      open = level >= element;
      if (level < rule.definition) continue;
      if (slot == expected) fail_count(slot + 1, expected);
      entries[slot++] = {open ? elements : 0, open};
      elements += open;
      validity.add(level >= present);
    }
  }
  validity.flush();
  if (slot != expected) fail_count(slot, expected);
  slots.element_count = elements;
}

void read_struct_slots(LeafLevels& levels, const FieldNode& node, SlotRule rule, int64_t expected, Slots& slots) {
  slots.count = expected;
  if (!node.nullable) return slots.validity.append_run(true, expected);
  int64_t count = levels.definition.size();
  auto present = static_cast<uint8_t>(node.level);
  if (levels.definition.is_constant() && (rule.repetition == 0 || levels.definition.level() >= present)) {
    return slots.validity.append_run(levels.definition.level() >= present, expected);
  }
  const uint8_t* definition = levels.definition.data();
  ValidityPieces validity(slots.validity);
  int64_t slot = 0;
  if (levels.max_repetition == 0) {
    slot = count;
    for (int64_t i = 0; i < count; ++i) validity.add(definition[i] >= present);
  } else {
    const uint8_t* repetition = levels.repetition.data();
    for (int64_t i = 0; i < count; ++i) {
      if (repetition[i] > rule.repetition || definition[i] < rule.definition) continue;
      validity.add(definition[i] >= present);
      ++slot;
    }
  }
  validity.flush();
  if (slot != expected) fail_count(slot, expected);
}

void compare_slots(const Slots& first, const Slots& other) {
  bool same = first.count == other.count && first.element_count == other.element_count &&
              first.validity.null_count() == other.validity.null_count();
  if (same && first.entries.buffer() && other.entries.buffer()) {
    same = std::memcmp(first.entries.data(), other.entries.data(),
                       static_cast<size_t>(first.count) * sizeof(ListEntry)) == 0;
  }
  const uint64_t* words = first.validity.words();
  const uint64_t* others = other.validity.words();
  if (same && words != nullptr) {
    same = std::memcmp(words, others, static_cast<size_t>(first.count / 64) * 8) == 0;
    for (int64_t i = first.count / 64 * 64; same && i < first.count; ++i) same = bit_at(words, i) == bit_at(others, i);
  }
  if (!same) throw corrupt_file("its lists or structs differ from those of the columns beside it");
}

}  // namespace quern::parquet
