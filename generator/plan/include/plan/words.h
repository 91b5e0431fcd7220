#pragma once

#include <string>

#include "plan/plan.h"

namespace pallasgen {

// 1234567 -> "1,234,567".
std::string grouped(int64_t value);
// {"a", "b", "c"} -> "a, b and c".
std::string listed(const std::vector<std::string>& words, const char* last = "and");
// 1 -> "1 stage", 2 -> "2 stages".
std::string counted(int64_t count, const std::string& noun);

// Wording that the facts, explain and the projection share.
std::string group_text(const RolePlan& role);  // "warpgroup 0", "warpgroups 1-2"
std::string joined(const std::vector<std::string>& words, const char* between);
std::vector<std::string> axis_names(const Plan& plan, const std::vector<int>& axes);
int64_t threads_of_cta(const Plan& plan);        // those of all its programs
std::string_view worker_text(const Plan& plan);  // the unit that computes one tile: "CTA", "cluster", "program"
std::string workers_text(const Plan& plan);      // the CTAs that compute one tile: "one CTA", "a cluster of 4 CTAs"
std::string work_text(const Plan& plan);         // "(m, n) persistent in strips of 8 tiles along m; k sequential"
std::string ring_text(const Plan& plan, const RingPlan& ring);
std::string memory_text(const Plan& plan);  // "a 65,536 | … = 230,400 of 232,448 bytes"
std::string microseconds(double seconds);   // "1,205.762 us"; not below 0
std::string tile_text(const Plan& plan);    // "128 x 256 x 64"
// "1 box of 128 x 64 elements", for an operand that tensor copies bring.
std::string boxes_text(const Plan& plan, const RingOperand& operand);
std::string dims_text(const CostModel& cost);  // "M = 4,096, N = 4,096"
std::string bound_text(Bound bound);           // "compute-bound"

}  // namespace pallasgen
