#include "cpu/shared_group.hpp"

namespace quern::cpu {

SharedGroup::SharedGroup(Context& context, std::unique_ptr<ScanFile> file, int32_t group,
                         const std::vector<int32_t>& fields, int64_t rows, int64_t window_rows)
    : context_(context),
      file_(std::move(file)),
      group_(group),
      fields_(fields),
      rows_(rows),
      window_rows_(window_rows),
      windows_((rows + window_rows - 1) / window_rows) {
  for (int32_t field : fields_) cursors_.push_back(field < 0 ? nullptr : std::make_unique<Cursor>());
}

ColumnPtr SharedGroup::window(size_t column, int64_t window) {
  auto& cursor = *cursors_[column];
  std::lock_guard lock(cursor.mutex);
  return advance(cursor, column, window);
}

ColumnPtr SharedGroup::try_window(size_t column, int64_t window) {
  auto& cursor = *cursors_[column];
  std::unique_lock lock(cursor.mutex, std::try_to_lock);
  return lock.owns_lock() ? advance(cursor, column, window) : nullptr;
}

ColumnPtr SharedGroup::advance(Cursor& cursor, size_t column, int64_t window) {
  context_.check_cancelled();
  if (cursor.failed) throw Error(ErrorSource::user, ErrorCode::cancelled, "query cancelled");
  cursor.failed = true;  // until the end is reached without an exception
  if (!cursor.stream) cursor.stream = file_->stream(context_, group_, fields_[column]);
  for (; cursor.next <= window; ++cursor.next) {
    const int64_t rows = window_end(cursor.next) - window_start(cursor.next);
    if (cursor.passed.erase(cursor.next) > 0)
      cursor.stream->skip(rows);
    else
      cursor.ready[cursor.next] = cursor.stream->read(rows);
  }
  cursor.failed = false;
  return cursor.ready.at(window);
}

void SharedGroup::release(int64_t window) {
  for (auto& cursor : cursors_) {
    if (!cursor) continue;
    std::lock_guard lock(cursor->mutex);
    if (window >= cursor->next)
      cursor->passed.insert(window);
    else
      cursor->ready.erase(window);
    if (cursor->next == windows_ && cursor->ready.empty()) cursor->stream.reset();
  }
}

}  // namespace quern::cpu
