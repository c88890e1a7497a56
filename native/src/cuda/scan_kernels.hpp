// Kernels that decode Parquet pages. All sizes were checked on the host; what only the bytes can tell (a level above
// the maximum, a code without an entry, a section that ends early) sets a bit of the column's status, and the kernel
// goes on with zeros inside its bounds. Bytes are read in aligned words: an upload is padded by upload_padding bytes.
#pragma once
#include <cstdint>

#include "cuda/device.hpp"
#include "cuda/encoded.hpp"

namespace quern::cuda {

constexpr int64_t upload_padding = 64;

// Bits of a status word.
constexpr uint32_t status_runs = 1;      // a hybrid ends early or has a damaged header
constexpr uint32_t status_level = 2;     // a level above the maximum
constexpr uint32_t status_code = 4;      // a code without a dictionary entry
constexpr uint32_t status_values = 8;    // fewer values than levels say
constexpr uint32_t status_fit = 16;      // a value that its type does not hold
constexpr uint32_t status_lists = 32;    // levels that contradict each other
constexpr uint32_t status_text = 64;     // no UTF-8
constexpr uint32_t status_deltas = 128;  // a damaged block

// A mask over level entries, with the number of set bits before each word and in all.
struct RankedMask {
  const uint32_t* words = nullptr;  // nullptr: all bits are set
  const int64_t* sums = nullptr;
};

// ---- expand_runs.cu: a block a page ----

enum class RunSection : int32_t { repetition, definition, codes, booleans };
// Values of RLE/bit-packed hybrids: those of page p go to out[first[p] … first[p + 1]). `width` of levels; codes carry
// their own. Values above `most` set `wrong`. Pages whose encoding has no such section are left out.
void expand_levels(Device& device, const uint8_t* bytes, const EncodedPage* pages, int64_t page_count,
                   RunSection section, int32_t width, const int64_t* first, uint8_t most, uint8_t* out,
                   uint32_t* status);
void expand_codes(Device& device, const uint8_t* bytes, const EncodedPage* pages, int64_t page_count,
                  RunSection section, const int64_t* first, uint32_t most, uint32_t* out, uint32_t* status);

// ---- level_masks.cu: a thread a word of 32 entries ----

// Bit i = repetition[i] <= most_repetition and definition[i] >= least_definition; a nullptr stands for levels that
// pass. Arrays are padded to whole words of 32 entries.
void level_mask(Device& device, const uint8_t* repetition, const uint8_t* definition, int32_t most_repetition,
                int32_t least_definition, int64_t entries, uint32_t* mask);
// out[p] = set bits before entry first[p], for p in [0, page_count].
void ranks_at(Device& device, RankedMask mask, const int64_t* first, int64_t page_count, int64_t* out);
// Validity of the slots that `slots` marks: bits of entries below `present` are cleared in `validity`, which is all
// ones before, and counted in *nulls.
void slot_validity(Device& device, RankedMask slots, const uint8_t* definition, int32_t present, int64_t entries,
                   uint32_t* validity, uint64_t* nulls);
// offsets[slot] = set bits of `elements` before the slot's entry. offsets[slots] is the caller's.
void list_offsets(Device& device, RankedMask slots, RankedMask elements, int64_t entries, int64_t* offsets);
// Levels that continue a list which is null, empty or not there.
struct ListLevels {
  int32_t element[most_lists + 1];  // by repetition level
};
void check_lists(Device& device, const uint8_t* repetition, const uint8_t* definition, const ListLevels& lists,
                 int64_t entries, uint32_t* status);
// offsets[i] = i * length, of either width.
void even_offsets(Device& device, int64_t rows, int64_t length, bool wide, void* offsets);

// ---- write_values.cu: a block a part of a page ----

// Where the values of pages go: slot and value of each entry.
struct ValuePlaces {
  const uint8_t* bytes = nullptr;
  const EncodedPage* pages = nullptr;
  int64_t page_count = 0;
  int64_t entries = 0;
  const int64_t* first_entry = nullptr;  // page_count + 1
  const int64_t* first_value = nullptr;
  RankedMask slots;                   // which entries have a slot
  RankedMask valid;                   // which of them hold a value
  const uint32_t* codes = nullptr;    // by value: of codes and runs
  const int64_t* deltas = nullptr;    // by value: of deltas and lengths
  const int64_t* bytes_at = nullptr;  // by page: of those of lengths
  int64_t dictionary_count = 0;
};
struct StoredValues {
  int32_t width = 0;  // bytes; 0 = bits
  parquet::Conversion conversion = parquet::Conversion::copy;
  int64_t factor = 1;
};
// Writes `out_width` (1, 2, 4, 8, 16) bytes a slot; slots without a value become zero. `dictionary`: converted values.
void write_values(Device& device, const ValuePlaces& places, const StoredValues& stored, const void* dictionary,
                  int32_t out_width, void* out, uint32_t* status);
// The values of a dictionary page, converted.
void write_dictionary(Device& device, const uint8_t* bytes, int64_t at, int64_t count, const StoredValues& stored,
                      int32_t out_width, void* out, uint32_t* status);
// Copies the values of plain pages that are stored as they are: `width` bytes an entry, no nulls. Needs
// values_bytes >= entries * width of every page.
void copy_pages(Device& device, const uint8_t* bytes, const EncodedPage* pages, int64_t page_count, int64_t entries,
                const int64_t* first_entry, int32_t width, void* out);

// ---- string_ranges.cu ----

// PLAIN byte arrays, a block a page: where each value lies in `bytes`, from starts[first[p]] on. Pages in other
// encodings are left out.
void find_strings(Device& device, const uint8_t* bytes, const EncodedPage* pages, int64_t page_count,
                  const int64_t* first, int64_t* starts, int64_t* lengths, uint32_t* status);
// The same of a dictionary page.
void find_dictionary_strings(Device& device, const uint8_t* bytes, int64_t at, int64_t size, int64_t count,
                             int64_t* starts, int64_t* lengths, uint32_t* status);
// starts[i] = at + i * length, lengths[i] = length.
void even_ranges(Device& device, int64_t at, int64_t length, int64_t count, int64_t* starts, int64_t* lengths);
// Range of each slot: of its value, or of its dictionary entry, or none. `fixed` > 0: values are so many bytes each and
// have no starts.
void string_ranges(Device& device, const ValuePlaces& places, int32_t fixed, const int64_t* value_starts,
                   const int64_t* value_lengths, const int64_t* entry_starts, const int64_t* entry_lengths,
                   int64_t* starts, int64_t* lengths, uint32_t* status);
// Values of pages of lengths: `lengths` by value, the bytes of page p from bytes_at[p] on. sums[v]: of lengths before
// v.
void length_ranges(Device& device, const EncodedPage* pages, int64_t page_count, const int64_t* first,
                   const int64_t* lengths, const int64_t* sums, const int64_t* bytes_at, int64_t* starts,
                   int64_t* value_lengths, uint32_t* status);
// UTF-8 of each range.
void check_texts(Device& device, const uint8_t* bytes, const int64_t* starts, const int64_t* lengths, int64_t count,
                 uint32_t* status);

// ---- expand_deltas.cu: a block a page ----

// Of pages of deltas and of lengths; ends[p] is where the lengths of page p end.
void expand_deltas(Device& device, const uint8_t* bytes, const EncodedPage* pages, int64_t page_count,
                   const int64_t* first, int64_t* out, int64_t* ends, uint32_t* status);

}  // namespace quern::cuda
