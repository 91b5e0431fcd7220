#include "drawing.h"

#include <doctest/doctest.h>

#include "scale.h"
#include "style.h"

using namespace pallasgen;

TEST_CASE("text is escaped for elements and attributes, and holds nothing that XML cannot") {
  CHECK(escaped_text("a < b && \"c\" > 'd'") == "a &lt; b &amp;&amp; &quot;c&quot; &gt; 'd'");
  CHECK(escaped_text("\xC3\xA9\xE2\x86\x92\xF0\x9F\x98\x80") == "\xC3\xA9\xE2\x86\x92\xF0\x9F\x98\x80");
  CHECK(escaped_text(std::string("a\x01"
                                 "b\x1F\tc\xFF",
                                 7)) ==
        "a\xEF\xBF\xBD"
        "b\xEF\xBF\xBD\tc\xEF\xBF\xBD");
}

TEST_CASE("links name files whatever is in their names") {
  CHECK(link_text("matmul/matmul_gelu.html") == "matmul/matmul_gelu.html");
  CHECK(link_text("a b#c?d%/\xC3\xA9\".html") == "a%20b%23c%3Fd%25/%C3%A9%22.html");
}

TEST_CASE("lines are cut where they would be wider than their room, between code points") {
  CHECK(fitted("matmul", 1000, 10) == "matmul");
  const std::string cut = fitted("matmul_gelu", text_width("matmul", 10), 10);
  CHECK(cut == "matmu\xE2\x80\xA6");
  CHECK(text_width(cut, 10) <= text_width("matmul", 10));
  CHECK(fitted("\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9", text_width("ab", 10), 10) == "\xC3\xA9\xE2\x80\xA6");
  CHECK(fitted("matmul", 3, 10).empty());
  // Characters that may be wide count as two columns.
  CHECK(text_width("\xE6\xBC\xA2", 10) == doctest::Approx(2 * text_width("a", 10)));
}

TEST_CASE("paragraphs wrap between words") {
  CHECK(wrapped("the plan in words", text_width("the plan", 10), 10) ==
        std::vector<std::string>{"the plan", "in words"});
  CHECK(wrapped("a_very_long_name x", text_width("a_very", 10), 10) ==
        std::vector<std::string>{"a_ver\xE2\x80\xA6", "x"});
  CHECK(wrapped("", 100, 10).empty());
}

TEST_CASE("a drawing keeps the areas of its lines, and puts links only where parts are linked") {
  for (const Look& look : {wide_look(), file_look()}) {
    Drawing drawing("memory", look);
    drawing.open_link("ring-0", "its row");
    CHECK(drawing.text(100, 20, "a < b", {10, Anchor::end}));
    drawing.close_link();
    REQUIRE(drawing.lines().size() == 1);
    CHECK(drawing.lines()[0].area.right() == doctest::Approx(100));
    CHECK(drawing.lines()[0].area.width == doctest::Approx(text_width("a < b", 10)));
    CHECK(!drawing.text(4, 20, "abc", {10, Anchor::end}));  // no space on the left
    const std::string svg = drawing.element("title", "words");
    CHECK(svg.find("a &lt; b") != std::string::npos);
    CHECK((svg.find("href=\"#ring-0-w\"") != std::string::npos) == look.linked);
  }
}

TEST_CASE("ticks are round and apart") {
  CHECK(round_ticks(0, 10, 2.1) == std::vector<double>{0, 5, 10});
  CHECK(round_ticks(3, 7, 1) == std::vector<double>{3, 4, 5, 6, 7});
  CHECK(round_ticks(0, 0, 1).empty());
  CHECK(time_text(0, 1e-6) == "0");
  CHECK(time_text(1.5e-6, 5e-7) == "1.5 us");
  CHECK(time_text(12e-6, 2e-6) == "12 us");
  CHECK(time_text(1.23456e-6, 1e-9) == "1.235 us");
}

TEST_CASE("rates have three digits and a prefix") {
  CHECK(rate_text(989e12, "FLOP/s") == "989 TFLOP/s");
  CHECK(rate_text(3.35e12, "B/s") == "3.35 TB/s");
  CHECK(rate_text(1234, "FLOP/s") == "1.23 kFLOP/s");
  CHECK(rate_text(0, "FLOP/s") == "0 FLOP/s");
  CHECK(three_digits(0.125) == "0.125");
  CHECK(three_digits(12345) == "12,300");
  CHECK(three_digits(999.6) == "1,000");
}

TEST_CASE("colours have enough contrast in both themes") {
  CHECK(contrast("#000000", "#ffffff") == doctest::Approx(21));
  CHECK(contrast("#777777", "#ffffff") == doctest::Approx(4.48).epsilon(0.01));
  for (const Theme* theme : {&light_theme(), &dark_theme()}) {
    for (const std::string_view ground : {theme->paper, theme->raised}) {
      CHECK(contrast(theme->ink, ground) >= 7);
      CHECK(contrast(theme->muted, ground) >= 4.5);
    }
    CHECK(contrast(theme->edge, theme->paper) >= 3);
    CHECK(contrast(theme->accent, theme->paper) >= 7);
    for (const ToneColours& tone : theme->tones) {
      CAPTURE(tone.edge);
      CHECK(contrast(tone.ink, tone.fill) >= 7);
      CHECK(contrast(tone.edge, theme->paper) >= 3);
      CHECK(contrast(theme->accent, tone.fill) >= 3);  // the edge of the selected element
    }
    // Links, and names of roofs, have the colours of edges.
    CHECK(contrast(theme->tones[0].edge, theme->raised) >= 4.5);
  }
}
