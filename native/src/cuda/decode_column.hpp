// One column of a row group from its pages to a device column.
#pragma once
#include "cuda/device_column.hpp"
#include "cuda/device_upload.hpp"
#include "cuda/scan_kernels.hpp"

namespace quern::cuda {

// Numbers that kernels leave for the host, one of these a column.
struct DecodeCounters {
  uint32_t status = 0;
  uint32_t unused = 0;
  int64_t values = 0;                    // of a flat leaf that may hold nulls
  uint64_t nulls = 0;                    // of a leaf in lists
  uint64_t list_nulls[most_lists] = {};  // outermost first
};

class ColumnDecoder {
 public:
  // `counters`: on the device, zero. The column lives longer than this.
  ColumnDecoder(Device& device, const Layout& layout, const EncodedColumn& column, DecodeCounters* counters);
  // Starts the work; waits only for the sizes of strings and lists.
  void start(int64_t rows);
  // Once the stream has come to the end of it: the column, or nullptr when the pages are not what they should be.
  DeviceColumnPtr finish(const DecodeCounters& found);

 private:
  struct Mask {
    DeviceBufferPtr words, sums;
    RankedMask view() const { return words ? RankedMask{words->as<uint32_t>(), sums->as<int64_t>()} : RankedMask{}; }
  };
  Mask make_mask(int32_t most_repetition, int32_t least_definition);
  void expand_levels_of_pages();
  bool make_lists(int64_t rows);
  void make_even_lists(int64_t rows);
  void add_list(int64_t slots, int64_t elements, DeviceBufferPtr offsets);
  void make_values();
  void make_fixed(const ValuePlaces& places);
  void make_strings(const ValuePlaces& places);
  bool holds_plain_copies() const;
  const uint8_t* bytes() const;
  uint32_t* status() const { return &counters_->status; }

  Device& device_;
  const Layout& layout_;
  const EncodedColumn& column_;
  DecodeCounters* counters_;
  bool refused_ = false;
  DeviceBufferPtr pages_, first_entry_, repetition_, definition_;
  std::vector<int64_t> first_entries_;
  Mask slots_, valid_;
  int64_t leaf_slots_ = 0;
  std::vector<std::shared_ptr<DeviceColumn>> lists_;  // outermost first
  std::shared_ptr<DeviceColumn> leaf_;
};

}  // namespace quern::cuda
