#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "interpret/array.h"

using namespace pallasgen;
namespace fs = std::filesystem;

namespace {

// A folder that is removed with the test.
struct Folder {
  fs::path path = fs::temp_directory_path() / ("npy_test_" + std::to_string(getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  std::string file(const std::string& name) const { return (path / name).string(); }
  std::string write(const std::string& bytes) const {
    std::ofstream(file("x.npy"), std::ios::binary) << bytes;
    return file("x.npy");
  }
};

std::string header(const std::string& descr, const std::string& order, const std::string& shape) {
  return "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
}

std::string npy(const std::string& text, const std::string& data, char version = 1) {
  std::string bytes = "\x93NUMPY";
  bytes += version;
  bytes += '\0';
  bytes += static_cast<char>(text.size() & 255);
  bytes += static_cast<char>(text.size() >> 8);
  if (version > 1) bytes += std::string(2, '\0');
  return bytes + text + data;
}

// Returns the rule that these bytes break, or "" if none.
std::string rule_of(const std::string& bytes, std::optional<DType> expected = std::nullopt) {
  const Folder folder;
  Diagnostics diagnostics;
  const std::optional<Array> array = read_npy(folder.write(bytes), expected, diagnostics);
  CHECK(array.has_value() == diagnostics.all().empty());
  return array ? "" : diagnostics.all().front().rule;
}

const std::string kFour(16, '\1');

}  // namespace

TEST_CASE("what is written is read back, in every dtype that has a name or bits") {
  const Folder folder;
  for (const DTypeInfo& row : dtypes()) {
    CAPTURE(row.name);
    Array array = Array::zeros(row.dtype, {2, 3});
    for (int64_t i = 0; i < 6; ++i) array.set(i, static_cast<double>(i));
    Diagnostics diagnostics;
    CHECK(write_npy(folder.file("a.npy"), array, diagnostics));
    const std::optional<Array> back = read_npy(folder.file("a.npy"), row.dtype, diagnostics);
    REQUIRE(back);
    CHECK(back->shape == array.shape);
    CHECK(back->dtype == row.dtype);
    CHECK(back->bytes == array.bytes);
    CHECK((fs::file_size(folder.file("a.npy")) - static_cast<size_t>(6 * std::max(row.bits, 8) / 8)) % 64 == 0);
  }
}

TEST_CASE("shapes of rank 0 and 1, and without elements") {
  const Folder folder;
  for (const Shape& shape : {Shape{}, Shape{3}, Shape{0, 4}}) {
    Diagnostics diagnostics;
    CHECK(write_npy(folder.file("a.npy"), Array::zeros(DType::f32, shape), diagnostics));
    const std::optional<Array> back = read_npy(folder.file("a.npy"), std::nullopt, diagnostics);
    REQUIRE(back);
    CHECK(back->shape == shape);
  }
}

TEST_CASE("the headers that NumPy writes") {
  CHECK(rule_of(npy(header("<f4", "False", "(4,)"), kFour)) == "");
  CHECK(rule_of(npy(header("<f4", "False", "(2, 2)"), kFour, 2)) == "");
  CHECK(rule_of(npy(header("<f4", "False", "(4,)"), kFour, 3)) == "");
  CHECK(rule_of(npy("{\"shape\":(4,),\"fortran_order\":False,\"descr\":\"<f4\"}", kFour)) == "");
  CHECK(rule_of(npy(header("<u2", "False", "(8,)"), kFour), DType::bf16) == "");
}

TEST_CASE("the headers of ml_dtypes, whose dtypes NumPy writes without a name") {
  CHECK(rule_of(npy(header("<V2", "False", "(8,)"), kFour), DType::bf16) == "");
  for (const DType dtype : {DType::f8e4m3, DType::f8e5m2, DType::f8e8m0, DType::f4e2m1, DType::i4, DType::u4}) {
    CHECK(rule_of(npy(header("<V1", "False", "(16,)"), kFour), dtype) == "");
    CHECK(rule_of(npy(header("|V1", "False", "(16,)"), kFour), dtype) == "");
    CHECK(rule_of(npy(header("<V2", "False", "(8,)"), kFour), dtype) == "npy-dtype");
  }
  CHECK(rule_of(npy(header("<f1", "False", "(16,)"), kFour), DType::f8e5m2) == "");
  CHECK(rule_of(npy(header("<f1", "False", "(16,)"), kFour), DType::f8e4m3) == "npy-dtype");
  CHECK(rule_of(npy(header("<V4", "False", "(4,)"), kFour), DType::f32) == "npy-dtype");
  CHECK(rule_of(npy(header("<V2", "False", "(8,)"), kFour), DType::f16) == "npy-dtype");
  CHECK(rule_of(npy(header("<V2", "False", "(8,)"), kFour)) == "npy-dtype");
}

TEST_CASE("files that are none") {
  CHECK(rule_of("") == "npy-format");
  CHECK(rule_of("PK\3\4") == "npy-format");
  CHECK(rule_of("\x93NUMPY") == "npy-format");
  CHECK(rule_of(npy(header("<f4", "False", "(4,)"), kFour, 9)) == "npy-format");
  CHECK(rule_of(std::string("\x93NUMPY\1\0", 8)) == "npy-format");
  CHECK(rule_of(std::string("\x93NUMPY\2\0\xff\xff\xff\xff", 12)) == "npy-format");
  CHECK(rule_of(std::string("\x93NUMPY\1\0\xff\x7f{'descr'", 18)) == "npy-size");
  CHECK(rule_of(npy("{'descr': '<f4', 'fortran_order': False}", kFour)) == "npy-format");
  CHECK(rule_of(npy(header("<f4", "False", "(4,"), kFour)) == "npy-format");
  CHECK(rule_of(npy(header("<f4", "False", "(-4,)"), kFour)) == "npy-format");
  CHECK(rule_of(npy(header("<f4", "False", "(99999999999999999999,)"), kFour)) == "npy-format");
  CHECK(rule_of(npy(header("<f4", "False", "(4,)") + "x", kFour)) == "npy-format");
  CHECK(rule_of(npy("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (4,)}", kFour)) == "npy-format");
}

TEST_CASE("Fortran order, big endian, dtypes without meaning") {
  CHECK(rule_of(npy(header("<f4", "True", "(2, 2)"), kFour)) == "npy-format");
  CHECK(rule_of(npy(header(">f4", "False", "(4,)"), kFour)) == "npy-format");
  CHECK(rule_of(npy(header("<c8", "False", "(2,)"), kFour)) == "npy-dtype");
  CHECK(rule_of(npy(header("|O", "False", "(2,)"), kFour)) == "npy-dtype");
  CHECK(rule_of(npy(header("<f4", "False", "(4,)"), kFour), DType::f64) == "npy-dtype");
  CHECK(rule_of(npy(header("<f2", "False", "(8,)"), kFour), DType::bf16) == "npy-dtype");
}

TEST_CASE("headers that lie about the size") {
  CHECK(rule_of(npy(header("<f4", "False", "(5,)"), kFour)) == "npy-size");
  CHECK(rule_of(npy(header("<f4", "False", "(3,)"), kFour)) == "npy-size");
  CHECK(rule_of(npy(header("<f4", "False", "(1000000000,)"), kFour)) == "npy-size");
  CHECK(rule_of(npy(header("<f4", "False", "(4611686018427387904, 4)"), kFour)) == "argument-size");
  CHECK(rule_of(npy(header("<f8", "False", "(4611686018427387904,)"), kFour)) == "argument-size");
  CHECK(rule_of(npy(header("<f4", "False", "(4611686018427387904, 4611686018427387904, 0)"), "")) == "");
}

TEST_CASE("files that cannot be opened") {
  const Folder folder;
  Diagnostics diagnostics;
  CHECK_FALSE(read_npy(folder.file("none.npy"), std::nullopt, diagnostics));
  CHECK_FALSE(read_npy(folder.path.string(), std::nullopt, diagnostics));
  CHECK_FALSE(write_npy(folder.file("none/x.npy"), Array::zeros(DType::f32, {1}), diagnostics));
  CHECK_FALSE(write_npy("/dev/full", Array::zeros(DType::f32, {1}), diagnostics));
  CHECK(write_npy(folder.file("x.npy"), Array::zeros(DType::f32, {1}), diagnostics));
  fs::create_directory(folder.file("x.npy.part"));
  CHECK_FALSE(write_npy(folder.file("x.npy"), Array::zeros(DType::f32, {2}), diagnostics));
  const std::optional<Array> kept = read_npy(folder.file("x.npy"), std::nullopt, diagnostics);
  REQUIRE(kept);
  CHECK(kept->shape == Shape{1});  // the earlier content remains
  for (const Diagnostic& diagnostic : diagnostics.all()) CHECK(diagnostic.rule == "npy-file");
  CHECK(diagnostics.errors() == 5);
}
