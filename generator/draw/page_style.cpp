#include <fmt/format.h>

#include "style.h"

namespace pallasgen {

namespace {

std::string variables(const Theme& theme) {
  return fmt::format(
      ":root {{ --paper: {}; --raised: {}; --ink: {}; --muted: {}; --edge: {}; --grid: {}; --link: {}; }}\n",
      theme.paper, theme.raised, theme.ink, theme.muted, theme.edge, theme.grid,
      theme.tones[static_cast<size_t>(Tone::blue)].edge);
}

// At 880 pixels the text of a wide picture is still legible.
constexpr std::string_view kRules = R"css(* { box-sizing: border-box; }
html { scroll-behavior: smooth; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
main { max-width: 1128px; margin: 0 auto; padding: 28px 24px 72px; }
h1 { margin: 0; font-size: 30px; line-height: 1.2; overflow-wrap: anywhere; }
h2 { margin: 0 0 6px; font-size: 20px; line-height: 1.3; overflow-wrap: anywhere; }
h3 { margin: 0 0 6px; font-size: 15px; line-height: 1.3; overflow-wrap: anywhere; }
h3 a { font-weight: 400; font-size: 13px; margin-left: 6px; }
p { margin: 0 0 14px; }
a { color: var(--link); }
header .doc { margin: 8px 0 4px; max-width: 80ch; font-size: 17px; }
header .place, header .home { margin: 0 0 12px; color: var(--muted); font-size: 14px; overflow-wrap: anywhere; }
nav { display: flex; flex-wrap: wrap; gap: 4px 18px; padding: 8px 0; border-top: 1px solid var(--grid); border-bottom: 1px solid var(--grid); font-size: 14px; }
section { margin-top: 40px; }
section > p { max-width: 90ch; color: var(--muted); font-size: 15px; }
figure { margin: 0; overflow-x: auto; }
svg { display: block; width: 100%; height: auto; }
svg.wide { max-width: 1080px; }
svg.narrow { display: none; min-width: 480px; max-width: 660px; }
svg.small { max-width: 300px; }
.figures { display: grid; grid-template-columns: repeat(4, 1fr); gap: 1px; margin: 20px 0 0; background: var(--grid); border: 1px solid var(--grid); border-radius: 6px; overflow: hidden; }
.figures div { background: var(--raised); padding: 10px 12px; }
.figures dt { color: var(--muted); font-size: 12.5px; }
.figures dd { margin: 0; font-size: 18px; font-weight: 600; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.figures small { display: block; color: var(--muted); font-size: 12.5px; font-weight: 400; }
.facts { display: grid; gap: 18px; margin-top: 14px; }
.facts ul { margin: 0; padding: 0; list-style: none; font: 13px/1.5 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.facts li { padding-left: 2ch; text-indent: -2ch; margin-left: 2ch; overflow-wrap: anywhere; }
.facts li.more { margin-left: 5ch; color: var(--muted); }
.facts ul.table { overflow-x: auto; }
.facts ul.table li { white-space: pre; }
pre { margin: 0; padding: 14px 16px; overflow-x: auto; background: var(--raised); border: 1px solid var(--grid); border-radius: 6px; font: 13px/1.5 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
pre code { font: inherit; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(250px, 1fr)); gap: 16px; }
.card { display: flex; flex-direction: column; gap: 8px; padding: 14px; border: 1px solid var(--grid); border-radius: 6px; background: var(--raised); color: inherit; text-decoration: none; }
.card:hover, .card:focus-visible { border-color: var(--edge); }
.card h3 { margin: 0; color: var(--link); }
.card p { margin: 0; font-size: 13.5px; line-height: 1.45; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; }
.card small { display: flex; flex-wrap: wrap; gap: 0 12px; margin-top: auto; color: var(--muted); font-size: 12px; }
.card small span:first-child { color: var(--ink); font-weight: 600; }
@media (max-width: 880px) {
  .figures { grid-template-columns: repeat(2, 1fr); }
  main { padding: 20px 20px 56px; }
  svg.wide { display: none; }
  svg.narrow { display: block; }
}
@media print {
  main { max-width: none; }
}
)css";

}  // namespace

std::string page_style() {
  return variables(light_theme()) +
         fmt::format("@media (prefers-color-scheme: dark) {{\n{}}}\n", variables(dark_theme())) + std::string(kRules) +
         picture_style();
}

}  // namespace pallasgen
