#include "shared_memory.h"

#include <pallasgen/emulator/instructions.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "current.h"
#include "poison.h"
#include "report.h"

namespace pallasgen::emulator {
namespace {

constexpr size_t kAlignment = 1024;
constexpr uint32_t kRankShift = 24;  // a cluster address is (rank + 1) << 24 | address

/// The content of unwritten memory: NaN and -1; in random schedules, depending on the seed, 0, large numbers or NaN,
/// since a kernel that is right by luck with one of them fails with another.
unsigned char first_bytes() {
  constexpr unsigned char kFills[] = {0x00, 0x7f, 0xff};
  return options().random_order ? kFills[options().seed % 3] : 0xff;
}

}  // namespace

void SharedFields::set(std::vector<Field> fields, size_t bytes) {
  fields_ = std::move(fields);
  bytes_ = bytes;
  std::stable_sort(fields_.begin(), fields_.end(), [](const Field& a, const Field& b) { return a.offset < b.offset; });
}

std::string SharedFields::name(size_t offset) const {
  for (const Field& field : fields_) {
    if (offset < field.offset || offset >= field.offset + field.bytes) continue;
    std::string name = field.name;
    if (field.element_bytes != field.bytes) name += text("[%zu]", (offset - field.offset) / field.element_bytes);
    const size_t rest = (offset - field.offset) % field.element_bytes;
    return rest == 0 ? name : name + text(" + %zu bytes", rest);
  }
  return "";
}

SharedMemory::SharedMemory(size_t bytes) : bytes_(bytes), fill_(first_bytes()) {
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t inner = (bytes + kAlignment + page - 1) / page * page;
  mapping_bytes_ = inner + 2 * page;
  void* mapping = mmap(nullptr, mapping_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) fail(kExitCrash, text("no memory for %zu bytes of shared memory", bytes));
  mapping_ = static_cast<char*>(mapping);
  // As close to the upper page without access as the alignment allows.
  data_ = mapping_ + page + (inner - bytes) / kAlignment * kAlignment;
  std::memset(mapping_ + page, fill_, inner);
  mprotect(mapping_, page, PROT_NONE);
  mprotect(mapping_ + page + inner, page, PROT_NONE);
  poison::poison(mapping_, static_cast<size_t>(data_ - mapping_));
  poison::poison(data_ + bytes_, static_cast<size_t>(mapping_ + mapping_bytes_ - data_) - bytes_);
}

SharedMemory::~SharedMemory() {
  poison::unpoison(mapping_, mapping_bytes_);
  munmap(mapping_, mapping_bytes_);
}

bool SharedMemory::flanks(const void* p) const {
  return p >= mapping_ && p < mapping_ + mapping_bytes_ && !contains(p);
}

void SharedMemory::poison_gaps(const SharedFields& fields) {
  if (gaps_poisoned_) return;
  gaps_poisoned_ = true;
  fields.for_each_gap([this](size_t offset, size_t bytes) { poison::poison(data_ + offset, bytes); });
}

long SharedMemory::overrun() const {
  if (poison::enabled()) return -1;
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const char* end = mapping_ + mapping_bytes_ - page;
  const char* written =
      std::find_if<const char*>(data_ + bytes_, end, [this](char c) { return static_cast<unsigned char>(c) != fill_; });
  return written == end ? -1 : written - (data_ + bytes_);
}

uint32_t cluster_address(uint32_t address, uint32_t rank) {
  return (address & ((1u << kRankShift) - 1)) | (rank + 1) << kRankShift;
}

SharedPlace shared_place(Cta& cta, uint32_t address, size_t bytes, size_t alignment, const char* what) {
  Cta* owner = &cta;
  if (const uint32_t rank = address >> kRankShift; rank != 0) {
    if (rank > cta.cluster.ctas.size())
      rule_broken("%s: address 0x%x is in no CTA of the cluster of %zu", what, address, cta.cluster.ctas.size());
    owner = cta.cluster.ctas[rank - 1].get();
  }
  const size_t local = address & ((1u << kRankShift) - 1);
  if (local < SharedMemory::kBase || local - SharedMemory::kBase + bytes > owner->shared.bytes())
    rule_broken("%s: %zu bytes at +0x%zx reach outside the %zu bytes of shared memory", what, bytes,
                local - SharedMemory::kBase, owner->shared.bytes());
  if (local % alignment != 0)
    rule_broken("%s: %s is not aligned to %zu bytes", what,
                describe_shared(*owner, local - SharedMemory::kBase).c_str(), alignment);
  if (owner->live == 0) rule_broken("%s: CTA %u of the cluster has exited", what, owner->rank);
  if (owner != &cta && cta.cluster.barrier.generation == 0)
    rule_broken("%s: CTA %u of the cluster may not have started: no barrier of the cluster has been passed", what,
                owner->rank);
  const size_t offset = local - SharedMemory::kBase;
  return {owner, offset, owner->shared.data() + offset};
}

std::string describe_shared(const Cta& cta, size_t offset) {
  std::string name = cta.mbarriers.name(offset);
  if (name.empty()) name = execution().fields.name(offset);
  return text("+0x%zx of shared memory", offset) + (name.empty() ? "" : " (" + name + ")");
}

void* dynamic_shared_memory(size_t bytes, size_t alignment) {
  Entry entry("dynamic shared memory");
  SharedMemory& shared = entry.cta().shared;
  if (bytes > shared.bytes())
    rule_broken("the kernel's shared memory has %zu bytes, its launch gave %zu", bytes, shared.bytes());
  if (alignment > kAlignment) not_modelled("shared memory aligned to %zu bytes", alignment);
  if (execution().fields.known()) shared.poison_gaps(execution().fields);
  return shared.data();
}

bool wants_shared_fields() { return !execution().fields.known(); }

void set_shared_fields(const SharedField* fields, size_t count, size_t bytes) {
  Entry entry("dynamic shared memory");
  std::vector<SharedFields::Field> list;
  for (size_t i = 0; i < count; ++i)
    list.push_back({fields[i].name, fields[i].offset, fields[i].bytes, fields[i].element_bytes});
  execution().fields.set(std::move(list), bytes);
  entry.cta().shared.poison_gaps(execution().fields);
}

uint32_t shared_address(const void* p) {
  const Cta& cta = *current_thread("shared_address").cta;
  // The address one past the end is valid: code computes it without using it.
  if (!cta.shared.contains(p) && p != cta.shared.data() + cta.shared.bytes())
    rule_broken("shared_address: %p is not in the CTA's shared memory", p);
  return cta.shared.address(p);
}

void* shared_vector(uint32_t address, size_t bytes) {
  Cta& cta = *current_thread("vector access").cta;
  const SharedPlace place = shared_place(cta, address, bytes, bytes, "vector access to shared memory");
  if (place.cta != &cta) rule_broken("vector access to the shared memory of another CTA");
  return place.p;
}

void* cluster_word(uint32_t address, size_t bytes) {
  Cta& cta = *current_thread("access to shared memory of the cluster").cta;
  return shared_place(cta, address, bytes, bytes, "access to shared memory of the cluster").p;
}

}  // namespace pallasgen::emulator
