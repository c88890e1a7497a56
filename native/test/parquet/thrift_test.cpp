#include "parquet/file_builder.hpp"
#include "parquet/thrift.hpp"

namespace quern::parquet::test {
namespace {

std::string failure(const Encoded& bytes, const std::function<void(ThriftReader&)>& action) {
  ThriftReader reader(bytes);
  try {
    action(reader);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::corrupt_file);
    return error.message();
  }
  return "";
}

void skip_struct(ThriftReader& reader) { reader.skip(ThriftType::structure); }

TEST(Thrift, ReadsFieldsOfEveryType) {
  ThriftWriter writer;
  writer.nested([&] {
    writer.boolean(1, true);
    writer.boolean(2, false);
    writer.int32(3, -7);
    writer.int64(40, INT64_MIN);  // long form of the field id
    writer.binary(41, "text");
    writer.list(42, 5, 20);
    for (int i = 0; i < 20; ++i) writer.raw_int(i - 10);
    writer.structure(43, [&] { writer.int8(1, -3); });
  });
  ThriftReader reader(writer.bytes);
  std::vector<int> seen;
  reader.structure([&](const ThriftReader::Field& field) {
    seen.push_back(field.id);
    switch (field.id) {
      case 1:
        EXPECT_TRUE(reader.boolean(field));
        break;
      case 2:
        EXPECT_FALSE(reader.boolean(field));
        break;
      case 3:
        EXPECT_EQ(reader.int32(field), -7);
        break;
      case 40:
        EXPECT_EQ(reader.int64(field), INT64_MIN);
        break;
      case 41:
        EXPECT_EQ(reader.binary(field), "text");
        break;
      case 42:
        ASSERT_EQ(reader.list(field, ThriftType::int32), 20);
        for (int i = 0; i < 20; ++i) EXPECT_EQ(reader.int32_element(), i - 10);
        break;
      default:
        reader.structure([&](const ThriftReader::Field& inner) { EXPECT_EQ(reader.int8(inner), -3); });
    }
  });
  EXPECT_EQ(seen, (std::vector<int>{1, 2, 3, 40, 41, 42, 43}));
  EXPECT_EQ(reader.left(), 0U);
  ThriftReader again(writer.bytes);
  again.skip(ThriftType::structure);
  EXPECT_EQ(again.left(), 0U);
}

TEST(Thrift, RefusesDamage) {
  EXPECT_EQ(failure({}, skip_struct), "thrift @0: ends early");
  EXPECT_EQ(failure({0x15}, skip_struct), "thrift @1: ends early");
  // A varint of 11 bytes, and one beyond 64 bits.
  Encoded varint = {0x15};
  varint.insert(varint.end(), 11, 0xFF);
  EXPECT_EQ(failure(varint, skip_struct), "thrift @11: varint is longer than 10 bytes");
  // A list that says more elements than there are bytes.
  EXPECT_EQ(failure({0x19, 0xF5, 0xFF, 0xFF, 0xFF, 0xFF, 0x07, 0x00}, skip_struct),
            "thrift @7: list of 2147483647 elements, 1 bytes left");
  // A text longer than the rest.
  EXPECT_EQ(failure({0x18, 0x05, 'a'}, skip_struct), "thrift @2: 5 bytes declared, 1 left");
  EXPECT_EQ(failure({0x1E, 0x00}, skip_struct), "thrift @1: unknown field type 14");
  // Another type than the schema's.
  EXPECT_EQ(failure({0x15, 0x02, 0x00},
                    [](ThriftReader& reader) {
                      reader.structure([&](const ThriftReader::Field& field) { reader.binary(field); });
                    }),
            "thrift @1: field 1 is i32, expected binary");
  EXPECT_EQ(failure({0x15, 0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0x01, 0x00},
                    [](ThriftReader& reader) {
                      reader.structure([&](const ThriftReader::Field& field) { reader.int32(field); });
                    }),
            "thrift @7: i32 out of range: 34359738367");
}

TEST(Thrift, SkipsDeepNestingWithoutTheStack) {
  Encoded deep(1 << 20, 0x1C);  // a million structs, each the first field of the one before
  EXPECT_EQ(failure(deep, skip_struct), "thrift @64: nesting exceeds 64 levels");
}

}  // namespace
}  // namespace quern::parquet::test
