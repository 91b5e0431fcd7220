#pragma once

#include <memory>
#include <optional>
#include <string>

#include "check/kernel.h"
#include "interpret/interpret.h"

namespace pallasgen {

// A spec read and checked for a test, with its diagnostics.
struct Checked {
  std::unique_ptr<Sources> sources = std::make_unique<Sources>();
  Diagnostics diagnostics;
  std::optional<Kernel> kernel;
};

inline std::unique_ptr<Checked> check_text(const std::string& path, const std::string& text) {
  auto checked = std::make_unique<Checked>();
  const SourceText& source = checked->sources->add(path, text);
  std::optional<Spec> spec = read_spec(source, {}, *checked->sources, checked->diagnostics);
  if (spec) checked->kernel = check(std::make_shared<const Spec>(std::move(*spec)), checked->diagnostics);
  return checked;
}

std::string bytes_of(const std::string& path);

}  // namespace pallasgen
