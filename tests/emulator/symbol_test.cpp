#include "symbol.h"

#include <doctest/doctest.h>

namespace {

void local_function() {}

template <class T>
void templated(T) {}

}  // namespace

TEST_CASE("functions are named without namespaces, arguments and parameters") {
  using pallasgen::emulator::function_name;
  CHECK(function_name(reinterpret_cast<const void*>(local_function)) == "local_function");
  CHECK(function_name(reinterpret_cast<const void*>(templated<std::string>)) == "templated");
  CHECK(function_name(nullptr) == "(nil)");
}
