#include <fmt/format.h>

#include <algorithm>

#include "draw/pictures.h"
#include "drawing.h"
#include "figures.h"
#include "memory_map.h"
#include "plan/timeline.h"
#include "plan/words.h"
#include "roofline.h"
#include "timeline_picture.h"

namespace pallasgen {

namespace {

// The folder of a spec's place, such as "specs/matmul"; empty without one.
std::string folder_of(const std::string& label) {
  const size_t slash = label.rfind('/');
  return slash == std::string::npos ? "" : label.substr(0, slash);
}

std::string small_picture(const Plan& plan, size_t number) {
  constexpr double kWide = 240, kHigh = 88;
  Drawing drawing("small", {kWide, std::to_string(number), false, "small"});
  const Timeline timeline = explained_timeline(plan);
  const Area area{0, 0, kWide, kHigh - 24};
  if (timeline.uses.empty())
    draw_cost_bars(drawing, plan, area);
  else
    draw_timeline_start(drawing, plan, timeline, area);
  if (plan.shared.limit > 0) draw_memory_bar(drawing, plan, {0.5, kHigh - 14, kWide - 1, 10});
  drawing.reach(kHigh - 2);
  return drawing.element(plan.kernel->name, timeline.uses.empty()
                                                ? "What a step of the kernel takes, and its shared memory."
                                                : "The start of the kernel's pipeline, and its shared memory.");
}

std::string card(const GalleryEntry& entry, size_t number) {
  const Plan& plan = *entry.plan;
  std::string html = fmt::format("<a class=\"card\" href=\"{}\">\n<h3>{}</h3>\n{}", link_text(entry.link),
                                 escaped_text(plan.kernel->name), small_picture(plan, number));
  if (!plan.kernel->doc.empty()) html += fmt::format("<p title=\"{0}\">{0}</p>\n", escaped_text(plan.kernel->doc));
  std::vector<std::string> stages;
  for (const RingPlan& ring : plan.rings) stages.push_back(std::to_string(ring.slots.value));
  const std::string tile = plan.work.tile.empty() ? "of one element" : tile_text(plan);
  const std::string figures[] = {microseconds(plan.cost.seconds), bound_text(plan.cost.bound), "tile " + tile,
                                 stages.empty() ? "no ring" : "stages " + joined(stages, ", "),
                                 grouped(plan.shared.total) + " bytes"};
  html += "<small>";
  for (const std::string& figure : figures) html += fmt::format("<span>{}</span>\n", figure);
  html += "</small>\n</a>\n";
  return html;
}

}  // namespace

std::string gallery(const std::vector<GalleryEntry>& entries) {
  std::string body = fmt::format(
      "<header>\n<h1>{}</h1>\n<p class=\"doc\">Each with the start of its pipeline (blue: copies under way, orange: "
      "data "
      "waits, green: read), or without a ring what a step takes, and below it its shared memory against the limit. "
      "Times are the cost model's; nothing was measured.</p>\n",
      counted(static_cast<int64_t>(entries.size()), "kernel"));
  std::vector<std::string> folders;
  for (const GalleryEntry& entry : entries)
    if (std::find(folders.begin(), folders.end(), folder_of(entry.label)) == folders.end())
      folders.push_back(folder_of(entry.label));
  body += "<nav>";
  for (size_t i = 0; i < folders.size(); ++i)
    body += fmt::format("<a href=\"#folder-{}\">{}</a>\n", i, escaped_text(folders[i].empty() ? "specs" : folders[i]));
  body += "</nav>\n</header>\n";
  size_t number = 0;
  for (size_t i = 0; i < folders.size(); ++i) {
    body += fmt::format("<section id=\"folder-{}\">\n<h2>{}</h2>\n<div class=\"cards\">\n", i,
                        escaped_text(folders[i].empty() ? "specs" : folders[i]));
    for (const GalleryEntry& entry : entries)
      if (folder_of(entry.label) == folders[i]) body += card(entry, number++);
    body += "</div>\n</section>\n";
  }
  return html_page("kernels", body);
}

}  // namespace pallasgen
