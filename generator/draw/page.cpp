#include <fmt/format.h>

#include <algorithm>

#include "figures.h"
#include "picture_set.h"
#include "plan/sections.h"
#include "plan/words.h"
#include "style.h"

namespace pallasgen {

namespace {

// The section of the page to which a heading of the plan in words links; empty without one.
std::string_view figure_of(std::string_view title) {
  if (title == "rings") return "timeline";
  if (title == "shared memory" || title == "barriers") return "memory";
  return title.starts_with("cost model") ? "time" : "";
}

class Page {
 public:
  Page(const Plan& plan, const PictureSizes& sizes, const PageSource& source)
      : plan_(plan), source_(source), forms_(picture_forms(plan, sizes)) {}

  std::string run() {
    begin();
    write_figures();
    for (const PictureForm& form : forms_) write_picture(form);
    write_words();
    write_spec();
    return html_page(plan_.kernel->name, html_);
  }

 private:
  void add(std::string_view html) { html_ += html; }
  static std::string text(std::string_view plain) { return escaped_text(plain); }

  void begin() {
    add("<header>\n");
    if (!source_.home.empty())
      add(fmt::format("<p class=\"home\"><a href=\"{}\">All kernels</a></p>\n", link_text(source_.home)));
    add(fmt::format("<h1>{}</h1>\n", text(plan_.kernel->name)));
    if (!plan_.kernel->doc.empty()) add(fmt::format("<p class=\"doc\">{}</p>\n", text(plan_.kernel->doc)));
    std::string place = fmt::format("{}, planned for {}", source_.label, plan_.target->name);
    for (const std::string& define : source_.defines) place += ", -D " + define;
    add(fmt::format("<p class=\"place\">{}</p>\n<nav>", text(place)));
    for (const PictureForm& form : forms_) {
      std::string name = form.name;
      name[0] = static_cast<char>(name[0] - 'a' + 'A');
      add(fmt::format("<a href=\"#{}\" title=\"{}\">{}</a>\n", form.name, form.title, name));
    }
    add("<a href=\"#words\">The plan in words</a>\n<a href=\"#spec\">The spec</a></nav>\n</header>\n");
  }

  void write_figures() {
    add("<dl class=\"figures\">\n");
    for (const KeyFigure& figure : key_figures(plan_))
      add(fmt::format("<div><dt>{}</dt><dd>{}<small>{}</small></dd></div>\n", text(figure.name), text(figure.value),
                      text(figure.note)));
    add("</dl>\n");
  }

  void write_picture(const PictureForm& form) {
    add(fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n", form.name, form.title));
    add("<p>");
    for (const std::string& words : form.words) add(text(words) + "\n");
    add("</p>\n");
    if (form.draw) {
      add("<figure>\n");
      for (const Look& look : {wide_look(), narrow_look()}) {
        Drawing drawing(form.name, look);
        form.draw(drawing, 0);
        add(drawing.element(form.title, joined(form.words, " ")));
      }
      add("</figure>\n");
    }
    add("</section>\n");
  }

  void write_words() {
    add("<section id=\"words\">\n<h2>The plan in words</h2>\n<div class=\"facts\">\n");
    for (const PlanSection& section : plan_sections(plan_)) {
      if (section.lines.empty()) continue;
      const std::string_view figure = figure_of(section.title);
      const std::string link = figure.empty() ? "" : fmt::format(" <a href=\"#{}\">picture</a>", figure);
      // Columns of numbers stay aligned.
      const bool table = section.title == "shared memory";
      add(fmt::format("<div><h3>{}{}</h3>\n<ul{}>\n", text(section.title), link, table ? " class=\"table\"" : ""));
      for (const std::string& line : section.lines)
        add(fmt::format("<li{}>{}</li>\n", !table && line.starts_with(' ') ? " class=\"more\"" : "", text(line)));
      add("</ul></div>\n");
    }
    add("</div>\n</section>\n");
  }

  void write_spec() {
    add(fmt::format("<section id=\"spec\">\n<h2>The spec</h2>\n<pre><code>{}</code></pre>\n</section>\n",
                    text(source_.text)));
  }

  const Plan& plan_;
  const PageSource& source_;
  const std::vector<PictureForm> forms_;
  std::string html_;
};

}  // namespace

std::string html_page(std::string_view title, std::string_view body) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<meta name=\"color-scheme\" content=\"light dark\"/>\n<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n"
      "<main>\n{}</main>\n</body>\n</html>\n",
      escaped_text(title), page_style(), body);
}

std::string page(const Plan& plan, const PictureSizes& sizes, const PageSource& source) {
  return Page(plan, sizes, source).run();
}

}  // namespace pallasgen
