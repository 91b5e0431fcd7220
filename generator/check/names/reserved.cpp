#include <algorithm>
#include <cctype>
#include <iterator>
#include <string_view>

#include "check/identifiers.h"

namespace pallasgen {

namespace {

// C++20 keywords and alternative tokens ([lex.key], [lex.digraph]), sorted; typeof, a keyword of CUDA's host compilers;
// and restrict, a keyword of C, which also reads the headers.
constexpr std::string_view kKeywords[] = {
    "alignas",     "alignof",  "and",        "and_eq",    "asm",       "auto",         "bitand",
    "bitor",       "bool",     "break",      "case",      "catch",     "char",         "char16_t",
    "char32_t",    "char8_t",  "class",      "co_await",  "co_return", "co_yield",     "compl",
    "concept",     "const",    "const_cast", "consteval", "constexpr", "constinit",    "continue",
    "decltype",    "default",  "delete",     "do",        "double",    "dynamic_cast", "else",
    "enum",        "explicit", "export",     "extern",    "false",     "float",        "for",
    "friend",      "goto",     "if",         "inline",    "int",       "long",         "mutable",
    "namespace",   "new",      "noexcept",   "not",       "not_eq",    "nullptr",      "operator",
    "or",          "or_eq",    "private",    "protected", "public",    "register",     "reinterpret_cast",
    "requires",    "return",   "short",      "signed",    "sizeof",    "static",       "static_assert",
    "static_cast", "struct",   "switch",     "template",  "this",      "thread_local", "throw",
    "true",        "try",      "typedef",    "typeid",    "typename",  "typeof",       "union",
    "unsigned",    "using",    "virtual",    "void",      "volatile",  "wchar_t",      "while",
    "xor",         "xor_eq"};

// CUDA's built-in variables, types and macros, and global names and macros of the C headers.
constexpr std::string_view kCuda[] = {"INFINITY", "NAN",    "NDEBUG",  "NULL",      "assert",   "blockDim", "blockIdx",
                                      "cuda",     "dim3",   "errno",   "gridDim",   "half",     "int16_t",  "int32_t",
                                      "int64_t",  "int8_t", "linux",   "main",      "printf",   "size_t",   "std",
                                      "stderr",   "stdin",  "stdout",  "threadIdx", "uint16_t", "uint32_t", "uint64_t",
                                      "uint8_t",  "unix",   "warpSize"};

// Names that generated code uses: locals of the templates and the runtime's namespace.
constexpr std::string_view kTemplates[] = {"All",
                                           "Along",
                                           "Any",
                                           "Axes",
                                           "Barrier",
                                           "ColumnSlice",
                                           "Dims",
                                           "Fragment",
                                           "Grid",
                                           "Major",
                                           "Maximum",
                                           "Minimum",
                                           "OneWarpgroup",
                                           "Packed",
                                           "Place",
                                           "Product",
                                           "Ring",
                                           "RowSlice",
                                           "Rows",
                                           "RowsLayout",
                                           "Run",
                                           "Smem",
                                           "Sum",
                                           "Swizzle",
                                           "TensorMap",
                                           "Tiles",
                                           "ahead",
                                           "arguments",
                                           "at",
                                           "attributes",
                                           "barrier",
                                           "bf16",
                                           "bitcast",
                                           "block",
                                           "cast",
                                           "check_status",
                                           "clamp",
                                           "cluster",
                                           "column",
                                           "config",
                                           "consumer",
                                           "copy_async",
                                           "copy_async_arrive",
                                           "copy_async_commit",
                                           "copy_async_wait",
                                           "copy_through_registers",
                                           "descriptor",
                                           "device",
                                           "e",
                                           "element",
                                           "empty",
                                           "error",
                                           "f16",
                                           "f32",
                                           "f64",
                                           "fail",
                                           "fill",
                                           "first_lane",
                                           "full",
                                           "grid",
                                           "grid_barrier",
                                           "has_fault",
                                           "i",
                                           "in_global",
                                           "in_shared",
                                           "is_array",
                                           "is_inside",
                                           "is_nan",
                                           "j",
                                           "kk",
                                           "lane",
                                           "launch",
                                           "leader",
                                           "load",
                                           "load_ordered",
                                           "map",
                                           "maps",
                                           "math",
                                           "maximum",
                                           "minimum",
                                           "mma",
                                           "pack",
                                           "pallasgen",
                                           "phase",
                                           "power",
                                           "prefetch",
                                           "previous",
                                           "producer",
                                           "ptx",
                                           "r",
                                           "reduce",
                                           "report_fault",
                                           "ring",
                                           "row",
                                           "row0",
                                           "s",
                                           "sign",
                                           "slot",
                                           "smem",
                                           "stage",
                                           "staging",
                                           "status",
                                           "steps",
                                           "store",
                                           "store_element",
                                           "store_ordered",
                                           "storer",
                                           "stream",
                                           "strided",
                                           "tensor_map",
                                           "thread",
                                           "ticket",
                                           "ticket_counter",
                                           "ticket_slot",
                                           "tile",
                                           "tiles",
                                           "tma",
                                           "to_float",
                                           "v",
                                           "warp",
                                           "warpgroup",
                                           "wg",
                                           "wgmma",
                                           "workspace",
                                           "workspace_bytes",
                                           "wrap_add"};

template <size_t N>
bool has(const std::string_view (&names)[N], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

// Functions of the C library and of CUDA's math headers are in the global namespace, as is the launcher.
constexpr std::string_view kGlobalFunctions[] = {
    "abs",   "acos",      "acosf",  "asin",  "asinf",  "atan",   "atan2",  "atan2f", "atanf",  "atoi", "ceil",  "ceilf",
    "clock", "cos",       "cosf",   "erf",   "erff",   "exit",   "exp",    "exp2",   "exp2f",  "expf", "expm1", "fabs",
    "fabsf", "floor",     "floorf", "fma",   "fmaf",   "fmax",   "fmin",   "free",   "index",  "j0",   "j1",    "jn",
    "log",   "log10",     "log1p",  "log2",  "logf",   "malloc", "max",    "memcpy", "memset", "min",  "pow",   "powf",
    "rand",  "remainder", "rint",   "round", "roundf", "rsqrt",  "rsqrtf", "signal", "sin",    "sinf", "sqrt",  "sqrtf",
    "tan",   "tanf",      "tanh",   "tanhf", "time",   "trunc",  "truncf", "y0",     "y1",     "yn"};

// True if a word is in a text of words that are separated by blanks, in ascending order.
bool has_word(std::string_view text, std::string_view word) {
  size_t first = 0, last = text.size();
  while (first < last) {
    const size_t middle = first + (last - first) / 2;
    const size_t blank = text.substr(0, middle).rfind(' ');
    const size_t begin = blank == std::string_view::npos ? 0 : blank + 1;
    const size_t end = std::min(text.find(' ', middle), text.size());
    const int order = word.compare(text.substr(begin, end - begin));
    if (order == 0) return true;
    if (order < 0)
      last = begin;
    else
      first = end + 1;
  }
  return false;
}

// Names of the runtime and the templates, functions of emitted expressions, and macros of the toolkit's headers.
constexpr std::string_view kHeaderWords =
#include "names/reserved_words.inc"
    ;

// The other names at namespace scope in the toolkit's headers.
constexpr std::string_view kToolkitWords =
#include "names/toolkit_words.inc"
    ;

// The other functions of the C library: a function with C linkage in the program would replace them.
constexpr std::string_view kLibraryWords =
#include "names/library_words.inc"
    ;

// The macros among kHeaderWords.
constexpr std::string_view kMacros =
#include "names/macro_words.inc"
    ;

bool reserved_form(const std::string& name) {
  // [lex.name] reserves two underscores anywhere, and an initial underscore and capital, which no name of a spec has.
  if (name.find("__") != std::string::npos) return true;
  // k and a capital form constants of the templates (kStages, kThreads). The prefixes are mostly those of CUDA.
  if (name.size() > 1 && name[0] == 'k' && std::isupper(static_cast<unsigned char>(name[1]))) return true;
  for (const std::string_view prefix : {"cuda", "CUDA", "CU_", "wgmma_m", "PALLASGEN_"}) {
    if (name.starts_with(prefix)) return true;
  }
  return false;
}

}  // namespace

bool is_reserved_word(const std::string& name, NamePlace place) {
  if (has(kKeywords, name) || has(kCuda, name) || has(kTemplates, name) || has(kGlobalFunctions, name) ||
      has_word(kHeaderWords, name))
    return true;
  if (place == NamePlace::program && has_word(kLibraryWords, name)) return true;
  return place != NamePlace::function && has_word(kToolkitWords, name);
}

bool is_reserved(const std::string& name, NamePlace place) {
  return reserved_form(name) || is_reserved_word(name, place);
}

bool is_declarable(const std::string& name) {
  const bool is_type_of_half = name == "half";  // declarations call the type __half
  return !reserved_form(name) && !has(kKeywords, name) && (is_type_of_half || !has(kCuda, name)) &&
         !has_word(kMacros, name);
}

}  // namespace pallasgen
