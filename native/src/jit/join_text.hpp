// Joins as statements over one row of the first input: its key as words, the row of the second input that has it, and
// the columns that go on.
#pragma once
#include <string>

#include "jit/expression_text.hpp"
#include "jit/string_key.hpp"
#include "plan/plan.hpp"

namespace quern::jit {

// Keys stand in 64-bit words, those of less than 64 bits together where they fit. Throws `unsupported` for joins that
// device code has not.
int32_t join_key_words(const plan::Plan& plan, const plan::Join& join);

// Keys of the second input that are strings, in order: their numbers stand behind its columns.
std::vector<StringKey> join_strings(const plan::Plan& plan, const plan::Node& node);

// Conditions over a row: its key can be equal to another one; a part of it is NULL that is equal to none.
struct KeyConditions {
  std::string present = "true";
  std::string null = "false";
};
// Declares the words `name` of the key of the first input, or of the second, of join `number`.
KeyConditions emit_join_key(const plan::Plan& plan, const plan::Join& join, bool second, size_t number,
                            const std::string& name, ExpressionText& text);

// Looks for the row: `row<number>`, no_row = none. `otherwise` is the statement for rows that the join drops. Tables
// lie in in.joins, declared by join_table_line.
void emit_probe(const plan::Plan& plan, const plan::Join& join, size_t number, const std::string& otherwise,
                ExpressionText& text);
// Stands before the loop over rows.
std::string join_table_line(size_t number);

// Whether rows go on with or without a match, or what their pairs are is not yet known.
bool keeps_all(const plan::Join& join);
// Whether a kernel with other nodes can hold the join.
bool is_fusible(const plan::Join& join);

// The columns of both inputs, those of the second at the row that was found.
void bind_join_inputs(const plan::Plan& plan, const plan::Node& node, size_t number, ExpressionText& text);
// The columns of the join's output, those of the second input at the row that was found.
void bind_join_output(const plan::Plan& plan, const plan::Node& node, size_t number, ExpressionText& text);

}  // namespace quern::jit
