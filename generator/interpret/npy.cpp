#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string_view>

#include "array_size.h"
#include "interpret/array.h"
#include "interpret/rules.h"

// The format: numpy/lib/format.py ("NEP 1"). Magic "\x93NUMPY", version, length of the header (2 bytes, 4 from version
// 2 on), the header as the text of a Python dict, the elements.

namespace pallasgen {
using namespace interpreter;
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr size_t kMostHeader = 1 << 16;

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

struct Descr {
  std::string_view descr;
  DType dtype;
};
constexpr Descr kDescrs[] = {
    {"|b1", DType::boolean}, {"|i1", DType::i8},  {"|u1", DType::u8},  {"<i2", DType::i16},
    {"<u2", DType::u16},     {"<i4", DType::i32}, {"<u4", DType::u32}, {"<i8", DType::i64},
    {"<u8", DType::u64},     {"<f2", DType::f16}, {"<f4", DType::f32}, {"<f8", DType::f64},
};

struct Header {
  std::string descr;
  bool fortran = false;
  Shape shape;
};

// Reads exactly the dicts that NumPy writes: three keys in any order, a string, a bool and a tuple of integers.
class HeaderReader {
 public:
  explicit HeaderReader(std::string_view text) : text_(text) {}

  std::optional<Header> read() {
    Header header;
    bool descr = false, order = false, shape = false;
    if (!take('{')) return std::nullopt;
    while (!take('}')) {
      const std::optional<std::string> key = string();
      if (!key || !take(':')) return std::nullopt;
      if (*key == "descr" && !descr) {
        const std::optional<std::string> value = string();
        if (!value) return std::nullopt;
        header.descr = *value;
        descr = true;
      } else if (*key == "fortran_order" && !order) {
        if (!word("True") && !word("False")) return std::nullopt;
        header.fortran = last_word_ == "True";
        order = true;
      } else if (*key == "shape" && !shape) {
        if (!tuple(header.shape)) return std::nullopt;
        shape = true;
      } else {
        return std::nullopt;
      }
      if (!take(',') && !peek('}')) return std::nullopt;
    }
    skip_blanks();
    return descr && order && shape && text_.empty() ? std::optional(header) : std::nullopt;
  }

 private:
  void skip_blanks() {
    while (!text_.empty() && (text_[0] == ' ' || text_[0] == '\n' || text_[0] == '\t')) text_.remove_prefix(1);
  }
  bool peek(char c) {
    skip_blanks();
    return !text_.empty() && text_[0] == c;
  }
  bool take(char c) {
    if (!peek(c)) return false;
    text_.remove_prefix(1);
    return true;
  }
  bool word(std::string_view name) {
    skip_blanks();
    if (!text_.starts_with(name)) return false;
    text_.remove_prefix(name.size());
    last_word_ = name;
    return true;
  }
  std::optional<std::string> string() {
    for (char quote : {'\'', '"'}) {
      if (!take(quote)) continue;
      const size_t end = text_.find(quote);
      if (end == std::string_view::npos) return std::nullopt;
      std::string value(text_.substr(0, end));
      text_.remove_prefix(end + 1);
      return value;
    }
    return std::nullopt;
  }
  std::optional<int64_t> integer() {
    skip_blanks();
    int64_t value = 0;
    size_t digits = 0;
    for (; digits < text_.size() && text_[digits] >= '0' && text_[digits] <= '9'; ++digits) {
      if (value > (INT64_MAX - 9) / 10) return std::nullopt;
      value = value * 10 + (text_[digits] - '0');
    }
    if (digits == 0) return std::nullopt;
    text_.remove_prefix(digits);
    return value;
  }
  bool tuple(Shape& shape) {
    if (!take('(')) return false;
    while (!take(')')) {
      const std::optional<int64_t> extent = integer();
      if (!extent) return false;
      shape.push_back(*extent);
      if (!take(',') && !peek(')')) return false;
    }
    return true;
  }

  std::string_view text_, last_word_;
};

std::optional<Array> fail(Diagnostics& diagnostics, const Rule& rule, std::string message, std::string remedy = "") {
  Diagnostic& out = diagnostics.error(rule, {}, std::move(message));
  if (!remedy.empty()) out.note(std::move(remedy));
  return std::nullopt;
}

bool read_bytes(std::FILE* file, void* to, size_t count) {
  return count == 0 || std::fread(to, 1, count, file) == count;
}

// The dtype that a file names for elements of `dtype`: its own, or that of integers with as many bits. A 4-bit element
// takes a byte.
DType stored_as(DType dtype) {
  switch (dtype) {
    case DType::bf16:
      return DType::u16;
    case DType::i4:
      return DType::i8;
    case DType::u4:
    case DType::f4e2m1:
    case DType::f8e4m3:
    case DType::f8e5m2:
    case DType::f8e8m0:
      return DType::u8;
    default:
      return dtype;
  }
}

std::string_view stored_descr(DType dtype) {
  for (const Descr& row : kDescrs) {
    if (row.dtype == stored_as(dtype)) return row.descr;
  }
  return {};
}

// NumPy has no names for the dtypes of ml_dtypes and writes elements of so many bytes without a type: '<V2' for
// bfloat16, '<V1' for 8-bit floats and 4-bit elements, but '<f1' for float8_e5m2. Older releases write '|' for '<'.
bool is_descr_of_ml_dtypes(std::string_view descr, DType dtype) {
  if (stored_as(dtype) == dtype || !(descr.starts_with('<') || descr.starts_with('|'))) return false;
  descr.remove_prefix(1);
  return descr == (dtype == DType::bf16 ? "V2" : "V1") || (dtype == DType::f8e5m2 && descr == "f1");
}

std::vector<std::byte> packed(const std::vector<std::byte>& elements) {
  std::vector<std::byte> bytes((elements.size() + 1) / 2);
  for (size_t i = 0; i < elements.size(); ++i) {
    const std::byte bits = elements[i] & std::byte{15};
    bytes[i / 2] |= i % 2 == 0 ? bits : bits << 4;
  }
  return bytes;
}

std::vector<std::byte> unpacked(const Array& array) {
  std::vector<std::byte> elements(static_cast<size_t>(array.size()));
  for (size_t i = 0; i < elements.size(); ++i) {
    const std::byte bits = (i % 2 == 0 ? array.bytes[i / 2] : array.bytes[i / 2] >> 4) & std::byte{15};
    const bool negative = array.dtype == DType::i4 && (bits & std::byte{8}) != std::byte{0};
    elements[i] = negative ? bits | std::byte{0xf0} : bits;
  }
  return elements;
}

}  // namespace

std::optional<Array> read_npy(const std::string& path, std::optional<DType> expected, Diagnostics& diagnostics) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    return fail(diagnostics, kNpyFile, fmt::format("{}: is a folder", path));
  }
  const File file(std::fopen(path.c_str(), "rb"));
  if (!file) return fail(diagnostics, kNpyFile, fmt::format("{}: {}", path, std::strerror(errno)));

  std::array<unsigned char, 8> start{};
  if (!read_bytes(file.get(), start.data(), start.size()) ||
      std::memcmp(start.data(), kMagic.data(), kMagic.size()) != 0) {
    return fail(diagnostics, kNpyFormat, fmt::format("{}: not a .npy file: it does not start with '\\x93NUMPY'", path),
                "numpy.save writes one; an array of an .npz file is x[\"name\"] of what numpy.load gives");
  }
  const int version = start[6];
  if (version < 1 || version > 3) {
    return fail(diagnostics, kNpyFormat,
                fmt::format("{}: version {}.{} of the format; 1, 2 and 3 are read", path, version, start[7]));
  }
  std::array<unsigned char, 4> length{};
  const size_t length_bytes = version == 1 ? 2 : 4;
  size_t header_bytes = 0;
  if (read_bytes(file.get(), length.data(), length_bytes)) {
    for (size_t i = length_bytes; i-- > 0;) header_bytes = header_bytes << 8 | length[i];
  }
  if (header_bytes == 0 || header_bytes > kMostHeader) {
    return fail(
        diagnostics, kNpyFormat,
        fmt::format("{}: the header is said to take {} bytes; 1 to {} are read", path, header_bytes, kMostHeader));
  }
  std::string text(header_bytes, '\0');
  if (!read_bytes(file.get(), text.data(), text.size())) {
    return fail(diagnostics, kNpySize, fmt::format("{}: ends within its header of {} bytes", path, header_bytes));
  }
  const std::optional<Header> header = HeaderReader(text).read();
  if (!header) {
    return fail(diagnostics, kNpyFormat,
                fmt::format("{}: the header is not {{'descr': '…', 'fortran_order': False, 'shape': (…)}}", path));
  }
  if (header->fortran) {
    return fail(diagnostics, kNpyFormat,
                fmt::format("{}: elements are in Fortran order; write it with numpy.ascontiguousarray(x)", path));
  }
  std::optional<DType> stored;
  for (const Descr& row : kDescrs) {
    if (row.descr == header->descr) stored = row.dtype;
  }
  if (!stored && header->descr.starts_with(">")) {
    return fail(diagnostics, kNpyFormat,
                fmt::format("{}: elements '{}' are big endian; write them with x.astype('<{}')", path, header->descr,
                            header->descr.substr(1)));
  }
  if (!stored && expected && is_descr_of_ml_dtypes(header->descr, *expected)) stored = stored_as(*expected);
  if (!stored) {
    const std::string wanted = expected ? fmt::format("; wanted {}", name_of(*expected)) : "";
    return fail(diagnostics, kNpyDtype,
                fmt::format("{}: dtype '{}' is not one of bool, i1 to i8, u1 to u8, f2, f4, f8{}", path, header->descr,
                            wanted));
  }
  const DType dtype = expected.value_or(*stored);
  if (*stored != dtype && *stored != stored_as(dtype)) {
    const std::string bits =
        stored_as(dtype) == dtype ? "" : fmt::format(", whose bits are stored as '{}'", stored_descr(dtype));
    return fail(
        diagnostics, kNpyDtype, fmt::format("{}: holds {}, wanted {}{}", path, name_of(*stored), name_of(dtype), bits),
        stored_as(dtype) == dtype ? fmt::format("NumPy converts an array by x.astype('{}')", stored_descr(dtype)) : "");
  }
  const std::optional<int64_t> bytes = array_bytes(*stored, header->shape);
  if (!bytes) {
    return fail(diagnostics, kArgumentSize,
                fmt::format("{}: {}[{}] takes more than {} bytes, the most that an array may have", path,
                            name_of(*stored), fmt::join(header->shape, ", "), kMostArrayBytes));
  }
  // Counts the bytes in the file before it allocates as many as the header says.
  const long here = std::ftell(file.get());
  if (here < 0 || std::fseek(file.get(), 0, SEEK_END) != 0) {
    return fail(diagnostics, kNpyFile, fmt::format("{}: cannot be read from any position: not a plain file", path));
  }
  const int64_t present = std::ftell(file.get()) - here;
  if (present != *bytes) {
    return fail(diagnostics, kNpySize,
                fmt::format("{}: {}[{}] takes {} bytes, the file holds {} after its header", path, name_of(*stored),
                            fmt::join(header->shape, ", "), *bytes, present));
  }
  std::fseek(file.get(), here, SEEK_SET);
  Array array{dtype, header->shape, std::vector<std::byte>(static_cast<size_t>(*bytes))};
  if (!read_bytes(file.get(), array.bytes.data(), array.bytes.size())) {
    return fail(diagnostics, kNpyFile, fmt::format("{}: {}", path, std::strerror(errno)));
  }
  if (dtype == DType::boolean) {
    for (std::byte& flag : array.bytes) flag = flag == std::byte{0} ? flag : std::byte{1};
  }
  if (info(dtype).bits < 8) array.bytes = packed(array.bytes);
  return array;
}

bool write_npy(const std::string& path, const Array& array, Diagnostics& diagnostics) {
  const std::vector<std::byte> spread = info(array.dtype).bits < 8 ? unpacked(array) : std::vector<std::byte>();
  const std::vector<std::byte>& bytes = info(array.dtype).bits < 8 ? spread : array.bytes;
  const std::string shape = array.shape.size() == 1 ? fmt::format("({},)", array.shape[0])
                                                    : fmt::format("({})", fmt::join(array.shape, ", "));
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", stored_descr(array.dtype), shape);
  const size_t before = kMagic.size() + 4;
  header.append(63 - (before + header.size()) % 64, ' ');
  header += '\n';
  // A plain file is replaced when the new one is complete; a device or pipe is written to.
  std::error_code ignored;
  const bool replaces = std::filesystem::is_regular_file(path, ignored) || !std::filesystem::exists(path, ignored);
  const std::string target = replaces ? path + ".part" : path;
  File file(std::fopen(target.c_str(), "wb"));
  bool fine = file != nullptr;
  const auto put = [&](const void* from, size_t count) {
    fine = fine && (count == 0 || std::fwrite(from, 1, count, file.get()) == count);
  };
  const unsigned char version_and_length[] = {1, 0, static_cast<unsigned char>(header.size() & 255),
                                              static_cast<unsigned char>(header.size() >> 8)};
  put(kMagic.data(), kMagic.size());
  put(version_and_length, sizeof version_and_length);
  put(header.data(), header.size());
  put(bytes.data(), bytes.size());
  fine = fine && std::fflush(file.get()) == 0;
  fine = fine && (!replaces || std::rename(target.c_str(), path.c_str()) == 0);
  if (fine) return true;
  diagnostics.error(kNpyFile, {}, fmt::format("{}: cannot be written: {}", path, std::strerror(errno)));
  if (file && replaces) std::remove(target.c_str());
  return false;
}

}  // namespace pallasgen
