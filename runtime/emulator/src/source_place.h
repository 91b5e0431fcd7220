#pragma once
#include <string>

namespace pallasgen::emulator {

/// Returns where in the source the call that returns to `pc` is: "matmul.cu:86 (tensor_store_2d)", the first line
/// outside the runtime's headers and the function of <pallasgen/ptx/...> that was called there, if one was. Empty if
/// the program has no debug information or PATH has no tool that reads it (addr2line, llvm-symbolizer).
std::string source_place(const void* pc);

/// The same after the word " at", " at matmul.cu:86 (tensor_store_2d)", or empty.
std::string at_source_place(const void* pc);

/// False if two calls that return to `a` and `b` are at different places of the source. A place has several addresses
/// if the compiler has copied a call; the answer is true without evidence: if one address is null, if the program has
/// no debug information, or if PATH has no tool that reads it. Two calls on one line differ by their columns, or, if
/// addr2line is the tool, by the branches that they are in.
bool may_be_same_place(const void* a, const void* b);

}  // namespace pallasgen::emulator
