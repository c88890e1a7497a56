// Function groups over lists, one file each, beside those of kernel.hpp.
#pragma once
#include "cpu/expression/kernel.hpp"

namespace quern::cpu {

void add_list_statistics(KernelTable& table);
void add_list_building(KernelTable& table);
void add_list_order(KernelTable& table);
void add_list_selection(KernelTable& table);
void add_list_counts(KernelTable& table);
void add_vectors(KernelTable& table);
void add_vector_arithmetic(KernelTable& table);

}  // namespace quern::cpu
