#include "draw/pictures.h"

#include <fmt/format.h>

#include "block_map.h"
#include "bytes_picture.h"
#include "memory_map.h"
#include "picture_set.h"
#include "plan/timeline.h"
#include "plan/words.h"
#include "roofline.h"
#include "timeline_picture.h"

namespace pallasgen {

namespace {

std::string sentences(const std::vector<std::string>& lines) { return joined(lines, " "); }

// Converts lines of explain to sentences; a line that begins with spaces continues the one before.
std::vector<std::string> as_sentences(const std::vector<std::string>& lines) {
  std::vector<std::string> made;
  for (const std::string& line : lines) {
    if (line.starts_with(' ') && !made.empty()) {
      made.back() += " " + line.substr(line.find_first_not_of(' '));
      continue;
    }
    made.push_back(line);
    if (made.back()[0] >= 'a' && made.back()[0] <= 'z') made.back()[0] = static_cast<char>(made.back()[0] - 'a' + 'A');
  }
  for (std::string& sentence : made)
    if (!sentence.ends_with('.')) sentence += ".";
  return made;
}

}  // namespace

std::vector<PictureForm> picture_forms(const Plan& plan, const PictureSizes& sizes) {
  std::vector<PictureForm> forms;
  const CostModel& cost = plan.cost;
  forms.push_back(
      {"time", "Where the time goes",
       as_sentences(
           {fmt::format("{}: about {} in all on {}{}, of which {} are bubble, the time in which the pipeline fills "
                        "and SMs are idle in the last round",
                        bound_text(cost.bound), microseconds(cost.seconds), cost.device,
                        cost.dims.empty() ? "" : " for " + dims_text(cost), microseconds(cost.bubble_seconds)),
            "what would move it: " + cost.moved_by}),
       [&plan](Drawing& drawing, double top) { draw_cost(drawing, plan, top); }});
  const std::vector<ArrayTraffic> arrays = traffic_of(plan);
  PictureForm bytes{"bytes", "Where the bytes go", bytes_words(arrays), {}};
  if (!arrays.empty())
    bytes.draw = [&plan, arrays](Drawing& drawing, double top) { draw_bytes(drawing, plan, arrays, top); };
  forms.push_back(std::move(bytes));
  const Timeline timeline = explained_timeline(plan);
  PictureForm pipeline{"timeline", "Timeline of the pipeline", as_sentences(timeline_lines(plan, timeline)), {}};
  if (!timeline.uses.empty())
    pipeline.draw = [&plan, timeline](Drawing& drawing, double top) { draw_timeline(drawing, plan, timeline, top); };
  forms.push_back(std::move(pipeline));
  forms.push_back({"memory", "Shared memory of a CTA", {memory_words(plan)}, [&plan](Drawing& drawing, double top) {
                     draw_memory(drawing, plan, top);
                   }});
  const BlockMap map = block_map(plan, sizes);
  forms.push_back({"blocks", "Blocks of the arrays", block_map_words(plan, map),
                   [&plan, map](Drawing& drawing, double top) { draw_blocks(drawing, plan, map, top); }});
  const Roofline roofline = roofline_of(plan);
  PictureForm roofs{"roofline", "Roofline", roofline_words(plan, roofline), {}};
  if (!roofline.points.empty())
    roofs.draw = [&plan, roofline](Drawing& drawing, double top) { draw_roofline(drawing, plan, roofline, top); };
  forms.push_back(std::move(roofs));
  return forms;
}

std::vector<Picture> pictures(const Plan& plan, const PictureSizes& sizes) {
  constexpr double kTitleSize = 14, kWordsSize = 12;
  std::vector<Picture> made;
  for (const PictureForm& form : picture_forms(plan, sizes)) {
    if (!form.draw) continue;
    const std::string title = fmt::format("{}: {}", plan.kernel->name, form.title);
    Drawing drawing(form.name, file_look());
    drawing.text(0, 14, title, {kTitleSize, Anchor::start, "strong"}, drawing.width());
    double y = 20;
    for (const std::string& words : form.words) {
      for (const std::string& line : wrapped(words, drawing.width(), kWordsSize)) {
        drawing.text(0, y + 14, line, {kWordsSize, Anchor::start, "muted"}, drawing.width());
        y += 17;
      }
    }
    form.draw(drawing, y + 14);
    made.push_back({form.name, title, drawing.file(title, sentences(form.words))});
  }
  return made;
}

}  // namespace pallasgen
