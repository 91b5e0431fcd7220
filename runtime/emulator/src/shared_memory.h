#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace pallasgen::emulator {

struct Cta;

/// The fields of the struct that the kernel lays over its shared memory, if the compiler can list them (clang).
class SharedFields {
 public:
  struct Field {
    std::string name;
    size_t offset, bytes, element_bytes;
  };
  bool known() const { return bytes_ != 0; }
  void set(std::vector<Field> fields, size_t bytes);
  /// "full[2]" or "a[0] + 128", or empty if no field is there.
  std::string name(size_t offset) const;
  /// Calls visit(offset, bytes) for each gap between and after the fields.
  template <class Visit>
  void for_each_gap(Visit visit) const {
    size_t end = 0;
    for (const Field& field : fields_) {
      if (field.offset > end) visit(end, field.offset - end);
      if (field.offset + field.bytes > end) end = field.offset + field.bytes;
    }
    if (bytes_ > end) visit(end, bytes_ - end);
  }

 private:
  std::vector<Field> fields_;  // by offset
  size_t bytes_ = 0;
};

/// The dynamic shared memory of one CTA: bytes that start as 0xff (NaN), in two of three random schedules as 0 or 0x7f,
/// between pages without access (and poisoned flanks). Its addresses start at 1024: 0 is then no address, and tiles can
/// be aligned to 1024 bytes.
class SharedMemory {
 public:
  static constexpr uint32_t kBase = 1024;

  explicit SharedMemory(size_t bytes);
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  char* data() const { return data_; }
  size_t bytes() const { return bytes_; }
  bool contains(const void* p) const { return p >= data_ && p < data_ + bytes_; }
  /// True if `p` lies in the pages around it.
  bool flanks(const void* p) const;
  uint32_t address(const void* p) const { return kBase + static_cast<uint32_t>(static_cast<const char*>(p) - data_); }
  /// Poisons the gaps between the fields, once.
  void poison_gaps(const SharedFields& fields);
  /// The offset past the last byte where something was written, up to the end of the page; -1 if nothing was.
  long overrun() const;

 private:
  char* mapping_ = nullptr;
  size_t mapping_bytes_ = 0;
  char* data_ = nullptr;
  size_t bytes_ = 0;
  unsigned char fill_ = 0;  // the value of each byte before it is written
  bool gaps_poisoned_ = false;
};

/// The target of an address of 32 bits.
struct SharedPlace {
  Cta* cta;
  size_t offset;
  char* p;
};

/// Returns the place of `bytes` bytes at an address of the running CTA's own window or the cluster's; fails, naming
/// `what`, unless they are all inside and aligned.
SharedPlace shared_place(Cta& cta, uint32_t address, size_t bytes, size_t alignment, const char* what);

/// Returns the address of `address` in CTA `rank`, valid in every CTA of the cluster.
uint32_t cluster_address(uint32_t address, uint32_t rank);

/// "+0x1c010 of shared memory (full[2])", for reports.
std::string describe_shared(const Cta& cta, size_t offset);

}  // namespace pallasgen::emulator
