#include "plan/words.h"

#include <fmt/format.h>

#include <algorithm>

#include "program/shared_scopes.h"

namespace pallasgen {

std::string grouped(int64_t value) {
  std::string digits = std::to_string(value < 0 ? -value : value);
  for (int i = static_cast<int>(digits.size()) - 3; i > 0; i -= 3) digits.insert(i, ",");
  return value < 0 ? "-" + digits : digits;
}

std::string listed(const std::vector<std::string>& words, const char* last) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? fmt::format(" {} ", last) : ", ";
    text += words[i];
  }
  return text;
}

std::string counted(int64_t count, const std::string& noun) {
  return fmt::format("{} {}{}", grouped(count), noun,
                     count == 1                                   ? ""
                     : noun.ends_with('s') || noun.ends_with('x') ? "es"
                                                                  : "s");
}

std::string group_text(const RolePlan& role) {
  const int first = role.first_warp / 4, count = role.warps / 4;
  if (role.shares_group) return fmt::format("warp {}", role.first_warp);
  if (role.warps % 4 != 0) return counted(role.warps, "warp");
  return count == 1 ? fmt::format("warpgroup {}", first) : fmt::format("warpgroups {}-{}", first, first + count - 1);
}

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

std::vector<std::string> axis_names(const Plan& plan, const std::vector<int>& axes) {
  std::vector<std::string> names;
  for (int axis : axes) names.push_back(plan.kernel->axes[axis].name);
  return names;
}

std::string workers_text(const Plan& plan) {
  const int64_t ctas = plan.launch.cluster.value, programs = plan.launch.programs.value;
  if (programs > 1) return fmt::format("one program ({} to a CTA)", programs);
  return ctas == 1 ? "one CTA" : fmt::format("a cluster of {}", counted(ctas, "CTA"));
}

int64_t threads_of_cta(const Plan& plan) { return plan.launch.threads.value * plan.launch.programs.value; }

std::string_view worker_text(const Plan& plan) {
  return plan.launch.programs.value > 1 ? "program" : plan.launch.cluster.value > 1 ? "cluster" : "CTA";
}

std::string work_text(const Plan& plan) {
  const WorkPlan& work = plan.work;
  std::vector<int> axes = work.axes;
  std::sort(axes.begin(), axes.end());
  std::string text;
  if (axes.empty()) {
    text = "one program";
  } else {
    const std::vector<std::string> names = axis_names(plan, axes);
    text = names.size() == 1 ? names[0] : fmt::format("({})", joined(names, ", "));
    const bool persistent = work.kind == WorkKind::static_persistent;
    text += work.kind == WorkKind::dynamic ? ", taken as CTAs get free"
            : persistent                   ? " persistent"
                                           : fmt::format(", {} each", workers_text(plan));
    if (work.walk == TileWalk::strips) {
      text += fmt::format("{} in strips of {} tiles along {}", persistent ? "" : ",", work.strip_width.value,
                          plan.kernel->axes[work.strip_axis].name);
    } else if (work.walk == TileWalk::listed) {
      text += fmt::format("{} by {}", persistent ? "" : ",", work.order_words);
    } else if (axes.size() > 1) {
      text +=
          fmt::format("{} {}", persistent ? "" : ",", work.walk == TileWalk::column_major ? "by columns" : "by rows");
    }
  }
  if (!work.sequential.empty()) text += fmt::format("; {} sequential", listed(axis_names(plan, work.sequential)));
  return text;
}

namespace {

// True if matrix instructions read an operand of the ring.
bool feeds_instructions(const Plan& plan, const RingPlan& ring) {
  const int index = static_cast<int>(&ring - plan.rings.data());
  bool feeds = false;
  for (const RolePlan& role : plan.roles) {
    for_each_statement(role.program, [&](const program::Statement& statement) {
      const auto* mma = std::get_if<program::Mma>(&statement.node);
      feeds = feeds || (mma && (mma->ring_a == index || mma->ring_b == index));
    });
  }
  return feeds;
}

}  // namespace

std::string ring_text(const Plan& plan, const RingPlan& ring) {
  std::vector<std::string> names, parts;
  for (const RingOperand& operand : ring.operands) {
    names.push_back(operand.name);
    parts.push_back(fmt::format("{} {}", names.back(), grouped(operand.bytes.value)));
  }
  std::string text = fmt::format("{}: {} of {} bytes", joined(names, ", "), counted(ring.slots.value, "stage"),
                                 grouped(ring.bytes.value));
  if (parts.size() > 1) text += fmt::format(" ({})", joined(parts, ", "));
  const bool other_ways = std::any_of(ring.operands.begin(), ring.operands.end(),
                                      [](const RingOperand& operand) { return operand.path != CopyPath::tensor; });
  if (ring.operands.front().path == CopyPath::made) return text + "; " + ring.operands.front().way;
  if (other_ways) {
    std::set<std::string> ways;
    for (const RingOperand& operand : ring.operands) ways.insert(operand.way);
    const std::string ahead =
        ring.full < 0 && ring.ahead.value > 0 ? counted(ring.ahead.value, "step") + " ahead " : "";
    if (ways.size() == 1) text += fmt::format("; copied {}by {}", ahead, *ways.begin());
    for (size_t i = 0; ways.size() > 1 && i < names.size(); ++i)
      text += fmt::format("; {} copied {}by {}", names[i], ahead, ring.operands[i].way);
  }
  if (feeds_instructions(plan, ring))
    text += ring.delay == 0 ? "; no wgmma group left in flight" : "; one wgmma group in flight";
  return text;
}

std::string memory_text(const Plan& plan) {
  const SharedMemory& shared = plan.shared;
  std::vector<std::string> parts;
  int64_t barriers = 0;
  for (const std::vector<int>& place : places_of(shared)) {
    if (shared.fields[place.front()].is_barrier)
      barriers += bytes_of(shared, place);
    else
      parts.push_back(fmt::format("{} {}", purpose_of(shared, place), grouped(bytes_of(shared, place))));
  }
  if (barriers > 0) parts.push_back(fmt::format("barriers {}", grouped(barriers)));
  if (shared.padding > 0) parts.push_back(fmt::format("padding {}", grouped(shared.padding)));
  return fmt::format("{} = {} of {} bytes", joined(parts, " | "), grouped(shared.total), grouped(shared.limit));
}

std::string microseconds(double seconds) {
  std::string text = fmt::format("{:.3f} us", seconds * 1e6);
  for (auto at = static_cast<int>(text.find('.')) - 3; at > 0; at -= 3) text.insert(static_cast<size_t>(at), ",");
  return text;
}

std::string tile_text(const Plan& plan) {
  std::vector<std::string> sizes;
  for (const Number& size : plan.work.tile) sizes.push_back(std::to_string(size.value));
  return joined(sizes, " x ");
}

std::string boxes_text(const Plan& plan, const RingOperand& operand) {
  std::vector<std::string> sizes;
  for (const Number& size : plan.maps[operand.map].box) sizes.push_back(std::to_string(size.value));
  const int64_t boxes = operand.column_boxes.value * operand.row_boxes.value;
  return fmt::format("{} of {} elements", counted(boxes, "box"), joined(sizes, " x "));
}

std::string dims_text(const CostModel& cost) {
  std::vector<std::string> dims;
  for (const auto& [name, value] : cost.dims) dims.push_back(fmt::format("{} = {}", name, grouped(value)));
  return joined(dims, ", ");
}

std::string bound_text(Bound bound) {
  switch (bound) {
    case Bound::latency:
      return "latency-bound";
    case Bound::bandwidth:
      return "bandwidth-bound";
    case Bound::rate:
      return "compute-bound";
  }
  return "";
}

}  // namespace pallasgen
