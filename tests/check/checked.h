#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <optional>
#include <string>

#include "check/kernel.h"

// A spec given as text, checked, with its diagnostics as text.
struct Checked {
  pallasgen::Sources sources;
  pallasgen::Diagnostics diagnostics;
  std::optional<pallasgen::Kernel> kernel;

  explicit Checked(const std::string& text, const std::vector<pallasgen::Define>& defines = {}) {
    const pallasgen::SourceText& source = sources.add("spec.yaml", text);
    std::optional<pallasgen::Spec> spec = read_spec(source, defines, sources, diagnostics);
    if (spec) kernel = check(std::make_shared<const pallasgen::Spec>(std::move(*spec)), diagnostics);
  }

  std::string errors() const { return render(diagnostics, pallasgen::ErrorFormat::text, false); }
  // The rules of all diagnostics in order, "" when there are none.
  std::string rules() const { return rules_of(true); }
  std::string rules_of_errors() const { return rules_of(false); }

 private:
  std::string rules_of(bool warnings) const {
    std::string out;
    for (const pallasgen::Diagnostic& diagnostic : diagnostics.all())
      if (warnings || diagnostic.severity == pallasgen::Severity::error)
        out += (out.empty() ? "" : " ") + diagnostic.rule;
    return out;
  }
};
