#include "expression/dtype.h"

#include <doctest/doctest.h>

#include <cstdlib>

using namespace pallasgen;

TEST_CASE("the table of dtypes is that of the language, in its order") {
  const std::vector<std::string_view> kNames = {"bool", "i4",     "u4",     "i8",     "u8",    "i16",  "u16",
                                                "i32",  "u32",    "i64",    "u64",    "f16",   "bf16", "f32",
                                                "f64",  "f8e4m3", "f8e5m2", "f8e8m0", "f4e2m1"};
  REQUIRE(dtypes().size() == kNames.size());
  for (size_t i = 0; i < kNames.size(); ++i) {
    CHECK(dtypes()[i].name == kNames[i]);
    CHECK(static_cast<size_t>(dtypes()[i].dtype) == i);
    CHECK(dtype_named(kNames[i]) == dtypes()[i].dtype);
    CHECK(&info(dtypes()[i].dtype) == &dtypes()[i]);
  }
  CHECK(!dtype_named("index").has_value());
  CHECK(!dtype_named("literal").has_value());
  CHECK(!dtype_named("float").has_value());
  CHECK(name_of(DType::index) == "index");
  CHECK(name_of(DType::literal) == "literal");
}

TEST_CASE("a dtype is bool, integer or float; its name tells its bits") {
  for (const DTypeInfo& row : dtypes()) {
    CHECK(static_cast<int>(row.is_float) + static_cast<int>(row.is_integer) + (row.dtype == DType::boolean ? 1 : 0) ==
          1);
    size_t digit = row.name.find_first_of("0123456789");
    int bits = digit == std::string_view::npos ? 8 : std::atoi(row.name.data() + digit);
    CHECK(row.bits == bits);
    if (row.is_integer) CHECK(row.is_signed == (row.name[0] == 'i'));
  }
}

TEST_CASE("bytes are rounded up for 4-bit types") {
  CHECK(bytes_of(DType::f4e2m1, 3) == 2);
  CHECK(bytes_of(DType::i4, 4) == 2);
  CHECK(bytes_of(DType::bf16, 72) == 144);
  CHECK(bytes_of(DType::boolean, 5) == 5);
  CHECK(bytes_of(DType::f64, 0) == 0);
  CHECK(bytes_of(DType::u4, INT64_MAX) == INT64_MAX / 2 + 1);
}
