// From levels to lists and structs: what one node of a field looks like to one of its leaves.
#pragma once
#include <cstdint>

#include "columnar/column.hpp"
#include "parquet/levels.hpp"
#include "parquet/schema.hpp"

namespace quern::parquet {

// Levels of one leaf for the rows of a read.
struct LeafLevels {
  explicit LeafLevels(Memory& memory) : repetition(memory), definition(memory) {}
  LevelArray repetition, definition;
  int max_repetition = 0;
};

// Which entries make a slot: those that start one at or above the enclosing list, and find it holding an element.
struct SlotRule {
  uint8_t repetition = 0;  // of the enclosing list; 0 = rows
  uint8_t definition = 0;  // element level of the enclosing list
};

// The slots of a list or struct node.
struct Slots {
  explicit Slots(Memory& memory) : entries(memory), validity(memory) {}
  int64_t count = 0;
  GrowingBuffer entries;            // ListEntry each, of lists
  int64_t element_count = 0;        // of lists
  int64_t stride = unknown_stride;  // of lists: Column::stride
  ValidityBuilder validity;
};

// Reads `expected` slots of a list (or map) node out of a leaf's levels. Throws corrupt_file when there are others, or
// when levels contradict each other.
void read_list_slots(LeafLevels& levels, const FieldNode& node, SlotRule rule, int64_t expected, Slots& slots);
// Of a struct node.
void read_struct_slots(LeafLevels& levels, const FieldNode& node, SlotRule rule, int64_t expected, Slots& slots);
// Throws corrupt_file unless two leaves see the same slots.
void compare_slots(const Slots& first, const Slots& other);

}  // namespace quern::parquet
