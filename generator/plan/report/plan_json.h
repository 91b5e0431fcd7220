#pragma once

#include <nlohmann/json.hpp>

#include "plan/plan.h"

namespace pallasgen {

// The statements of a role: one object each; `do` names its kind, `body` holds nested statements.
nlohmann::ordered_json statements_json(const Plan& plan, const program::Statements& statements);
// A statement that combines elements.
nlohmann::ordered_json reduction_json(const Plan& plan, const program::ReduceFragment& node);
nlohmann::ordered_json reduction_json(const Plan& plan, const program::ReduceLanes& node);
nlohmann::ordered_json reduction_json(const Plan& plan, const program::ReduceTile& node);
nlohmann::ordered_json reduction_json(const Plan& plan, const program::ScanLanes& node);
// The access to a block of an array.
nlohmann::ordered_json access_json(const Plan& plan, const program::Access& access);
nlohmann::ordered_json number_json(const Number& number);
// An index or value expression in the notation of specs; null if there is none.
nlohmann::ordered_json expression_json(const TypedPtr& expr);
nlohmann::ordered_json expressions_json(const std::vector<TypedPtr>& list);

}  // namespace pallasgen
