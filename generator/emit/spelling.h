#pragma once

#include <string>
#include <vector>

#include "cpp_expression.h"
#include "plan/plan.h"

namespace pallasgen {

// Where a parameter or an argument is printed.
enum class Site : uint8_t { role, kernel, launcher, header };

// The spelling of index expressions and values in the file of this plan. The caller supplies LocalUse and fragments.
Spelling spelling_of(const Plan& plan);

// `facts` with tighter bounds on tiles and steps, which hold for offsets inside arrays that the launcher accepts.
SymbolFacts facts_of_places(const Plan& plan, SymbolFacts facts);

// "const bf16* a", "Smem& smem", "const __grid_constant__ TensorMap map_a", "int64_t M", "cudaStream_t stream".
std::string parameter_text(const Plan& plan, const Parameter& parameter, Site site);

// The parameters of a function, joined by commas. A line that is too long breaks first between pointers and values.
std::string parameter_list(const Plan& plan, const std::vector<Parameter>& parameters, Site site);
std::string argument_list(const std::vector<Parameter>& parameters);

// "tiles_m, tiles_n": the names of the sizes that the constructor of the tile order takes.
std::string tile_counts(const Plan& plan);
// The name of the launch size of an axis, such as steps_k.
std::string size_name(const Plan& plan, int axis);

// `text` as a factor of a product `i * text`, in parentheses if it needs them.
std::string factor(const Number& number);

std::string joined(const std::vector<std::string>& parts, const std::string& separator);
// True if the text contains the identifier as a whole word.
bool has_word(const std::string& text, const std::string& word);

}  // namespace pallasgen
