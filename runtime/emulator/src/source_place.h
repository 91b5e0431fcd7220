#pragma once
#include <string>

namespace pallasgen::emulator {

/// Where in the source the call stands that returns to `pc`: "matmul.cu:86 (tensor_store_2d)", the first line outside
/// the runtime's headers and the function of <pallasgen/ptx/...> that was called there, if one was. Nothing when the
/// program has no debug information or no tool that reads it (addr2line, llvm-symbolizer) is in PATH.
std::string source_place(const void* pc);

/// The same with a word before it, " at matmul.cu:86 (tensor_store_2d)", or nothing.
std::string at_source_place(const void* pc);

/// False when two calls that return to `a` and `b` stand at different places of the source. A place has several
/// addresses where the compiler has made copies of a call; nothing is known, and the answer is true, where one address
/// is null, or where the program has no debug information or no tool that reads it is in PATH. Two calls on one line
/// are told apart by their columns, where addr2line is the tool by the branches that they stand in.
bool may_be_same_place(const void* a, const void* b);

}  // namespace pallasgen::emulator
