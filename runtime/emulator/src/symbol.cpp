#include "symbol.h"

#include <cxxabi.h>
#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <vector>

#include "report.h"

namespace pallasgen::emulator {
namespace {

int find_module(dl_phdr_info* info, size_t, void* data) {
  Module& module = *static_cast<Module*>(data);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    const uintptr_t start = info->dlpi_addr + header.p_vaddr;
    if (header.p_type != PT_LOAD || module.address < start || module.address >= start + header.p_memsz) continue;
    module.base = info->dlpi_addr;
    module.file = info->dlpi_name[0] == '\0' ? "/proc/self/exe" : info->dlpi_name;
    return 1;
  }
  return 0;
}

std::string mangled_name(const Module& module) {
  std::ifstream in(module.file, std::ios::binary | std::ios::ate);
  std::vector<char> file(in ? static_cast<size_t>(in.tellg()) : 0);
  in.seekg(0);
  in.read(file.data(), static_cast<std::streamsize>(file.size()));
  ElfW(Ehdr) head;
  if (file.size() < sizeof head) return "";
  std::memcpy(&head, file.data(), sizeof head);
  const auto section = [&](size_t i) {
    ElfW(Shdr) header{};
    const size_t at = head.e_shoff + i * sizeof header;
    if (at + sizeof header <= file.size()) std::memcpy(&header, file.data() + at, sizeof header);
    return header;
  };
  const uintptr_t wanted = module.address - module.base;
  for (size_t i = 0; i < head.e_shnum; ++i) {
    const ElfW(Shdr) table = section(i);
    if (table.sh_type != SHT_SYMTAB && table.sh_type != SHT_DYNSYM) continue;
    const ElfW(Shdr) strings = section(table.sh_link);
    if (table.sh_offset + table.sh_size > file.size() || strings.sh_offset + strings.sh_size > file.size()) continue;
    for (size_t at = table.sh_offset; at + sizeof(ElfW(Sym)) <= table.sh_offset + table.sh_size;
         at += sizeof(ElfW(Sym))) {
      ElfW(Sym) symbol;
      std::memcpy(&symbol, file.data() + at, sizeof symbol);
      if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_value == wanted && symbol.st_name < strings.sh_size)
        return file.data() + strings.sh_offset + symbol.st_name;
    }
  }
  return "";
}

}  // namespace

std::string function_base_name(const std::string& full) {
  size_t start = 0, depth = 0, end = full.size();
  for (size_t i = 0; i < full.size(); ++i) {
    if (full.compare(i, 21, "(anonymous namespace)") == 0) {
      i += 20;
    } else if (full[i] == '<' || full[i] == '(') {
      if (depth++ == 0) {
        end = std::min(end, i);
        if (full[i] == '(') break;
      }
    } else if (full[i] == '>') {
      --depth;
    } else if (depth == 0 && (full[i] == ':' || full[i] == ' ')) {
      start = i + 1;
      end = full.size();
    }
  }
  return full.substr(start, end - start);
}

Module module_of(const void* address) {
  Module module;
  module.address = reinterpret_cast<uintptr_t>(address);
  dl_iterate_phdr(find_module, &module);
  return module;
}

std::string function_name(const void* address) {
  const Module module = module_of(address);
  const std::string name = module.file.empty() ? "" : mangled_name(module);
  if (name.empty()) return text("%p", address);
  int status = 0;
  char* readable = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  const std::string out = status == 0 ? function_base_name(readable) : name;
  std::free(readable);
  return out;
}

}  // namespace pallasgen::emulator
