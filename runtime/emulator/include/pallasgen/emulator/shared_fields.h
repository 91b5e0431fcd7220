#pragma once
#include <pallasgen/emulator/instructions.h>

#include <cstddef>
#include <cstdint>

namespace pallasgen::emulator {

/// Collects the fields of a struct from clang's __builtin_dump_struct, which calls `operator()` once per field with the
/// field's type, its name and a reference to it (a pointer for arrays). Fields of nested structs follow their parent.
class FieldCollector {
 public:
  explicit FieldCollector(const void* base) : base_(static_cast<const char*>(base)) {}

  int operator()(const char*) { return 0; }
  template <class A>
  int operator()(const char*, A&&) {
    return 0;
  }
  template <class Indent, class Type, class Name>
  int operator()(const char*, Indent&&, Type&&, Name&& name) {
    parent_ = name;
    return 0;
  }
  template <class Indent, class Type, class Name, class Value>
  int operator()(const char*, Indent&&, Type&&, Name&& name, Value&& value) {
    add(name, value);
    return 0;
  }

  const SharedField* data() const { return fields_; }
  size_t size() const { return size_; }

 private:
  template <class Element, size_t N>
  void add(const char* name, Element (*array)[N]) {
    put(name, array, sizeof(*array), sizeof(Element));
  }
  template <class Value>
  void add(const char* name, Value& value) {
    put(name, &value, sizeof(value), sizeof(value));
  }
  void put(const char* name, const void* p, size_t bytes, size_t element_bytes) {
    if (size_ < kMax)
      fields_[size_++] = {name, static_cast<size_t>(static_cast<const char*>(p) - base_), bytes, element_bytes};
  }

  static constexpr size_t kMax = 256;
  const char* base_;
  const char* parent_ = nullptr;
  SharedField fields_[kMax];
  size_t size_ = 0;
};

/// The CTA's dynamic shared memory as a `Type`.
template <class Type>
inline Type& shared_memory_as() {
  Type& memory = *static_cast<Type*>(dynamic_shared_memory(sizeof(Type), alignof(Type)));
#if defined(__clang__)
  if constexpr (__is_class(Type)) {
    if (wants_shared_fields()) {
      FieldCollector fields(&memory);
      __builtin_dump_struct(&memory, fields);
      set_shared_fields(fields.data(), fields.size(), sizeof(Type));
    }
  }
#endif
  return memory;
}

}  // namespace pallasgen::emulator
