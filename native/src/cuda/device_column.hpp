// Columns on the device, in Arrow's layout.
//
// Fixed width: data[length]. Strings, binary: bytes at [offsets[i], offsets[i + 1]) of data. Lists: those elements of
// child. Offsets are 32-bit while a column has at most `list.offset_limit` elements or bytes, else 64-bit.
// Invariants: validity == nullptr when null_count == 0; bit 0 of word 0 is row 0; bits past length are unspecified;
// rows that are null hold zero bytes or no elements; offsets[0] is 0.
#pragma once
#include <memory>
#include <vector>

#include "columnar/column.hpp"
#include "cuda/device.hpp"

namespace quern::cuda {

struct DeviceColumn;
using DeviceColumnPtr = std::shared_ptr<const DeviceColumn>;

struct DeviceColumn {
  TypePtr type;
  int64_t length = 0;
  int64_t null_count = 0;
  int64_t elements = 0;  // bytes of strings, elements of lists
  bool wide = false;     // offsets are 64-bit
  DeviceBufferPtr validity;
  DeviceBufferPtr offsets;
  DeviceBufferPtr data;
  DeviceColumnPtr child;

  const uint32_t* valid_words() const { return null_count == 0 ? nullptr : validity->as<uint32_t>(); }
};

struct DeviceBatch {
  int64_t rows = 0;
  std::vector<DeviceColumnPtr> columns;
};

// How device columns are made: 64-bit offsets above so many elements.
struct Layout {
  int64_t offset_limit = (1LL << 31) - 1;
};

inline bool has_bytes(const DataType& type) { return physical(type) == Physical::string; }
inline bool has_elements(const DataType& type) { return physical(type) == Physical::list; }

// Of one type; joined on the host in passing.
DeviceColumnPtr to_device(Device& device, Memory& memory, const Layout& layout, const TypePtr& type,
                          const std::vector<ColumnPtr>& pieces);
ColumnPtr to_host(Device& device, Memory& memory, const DeviceColumn& column);

// Rows in the given order; `rows` lies on the device, `count` < 2^31. Lists and strings move by rows: one range each.
DeviceColumnPtr gather(Device& device, const Layout& layout, const DeviceColumn& column, const uint32_t* rows,
                       int64_t count);
// The same by row numbers of 64 bits; a negative one gives NULL.
DeviceColumnPtr gather_or_null(Device& device, const Layout& layout, const DeviceColumn& column, const int64_t* rows,
                               int64_t count);
// Rows [first, first + count).
DeviceColumnPtr slice(Device& device, const Layout& layout, const DeviceColumnPtr& column, int64_t first,
                      int64_t count);
// One after another.
// Strings of StringViews, which point at bytes on the device; `views` has them as its data.
DeviceColumnPtr strings_of_views(Device& device, const Layout& layout, const DeviceColumn& views);
// `rows` NULLs.
DeviceColumnPtr null_column(Device& device, const TypePtr& type, int64_t rows);
DeviceColumnPtr concat(Device& device, const Layout& layout, const std::vector<DeviceColumnPtr>& columns);

// Indices of the set bits of a mask of `rows` bits, ascending, and how many.
struct RowIds {
  DeviceBufferPtr rows;  // uint32_t
  int64_t count = 0;
};
RowIds select(Device& device, const uint32_t* mask, int64_t rows);

}  // namespace quern::cuda
