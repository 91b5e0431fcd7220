#pragma once

#include <string>
#include <vector>

#include "cpp_expression.h"
#include "plan/plan.h"

namespace pallasgen {

// Where a parameter or an argument is printed.
enum class Site : uint8_t { role, kernel, launcher, header };

// The spelling of index expressions and values in the file of this plan. LocalUse and fragments are the caller's.
Spelling spelling_of(const Plan& plan);

// The same facts with what is known of tiles and steps inside the arrays that the launcher lets through: for offsets.
SymbolFacts facts_of_places(const Plan& plan, SymbolFacts facts);

// "const bf16* a", "Smem& smem", "const __grid_constant__ TensorMap map_a", "int64_t M", "cudaStream_t stream".
std::string parameter_text(const Plan& plan, const Parameter& parameter, Site site);

// The parameters of a function, joined; lines that are too long break first where one kind follows another.
std::string parameter_list(const Plan& plan, const std::vector<Parameter>& parameters, Site site);
std::string argument_list(const std::vector<Parameter>& parameters);

// "tiles_m, tiles_n": the sizes that the constructor of the tiles takes, by name.
std::string tile_counts(const Plan& plan);
// The name of the launch size of an axis: steps_k.
std::string size_name(const Plan& plan, int axis);

// `text` as a factor of a product, `i * text`.
std::string factor(const Number& number);

std::string joined(const std::vector<std::string>& parts, const std::string& separator);
// Whether the identifier stands in the text as a whole word.
bool has_word(const std::string& text, const std::string& word);

}  // namespace pallasgen
