#include "check/gradients.h"

#include "checked.h"

using namespace pallasgen;

namespace {

// A forward kernel of y = 2 x over [A, B], with this `vjp`.
std::string forward(const std::string& vjp, const std::string& more = "") {
  return "pallasgen: 1\nkernel: twice\ndims: {A: {}, B: {}}\n"
         "grid: [{axis: i, size: \"cdiv(A, 8)\"}, {axis: j, size: \"cdiv(B, 8)\"}]\n"
         "inputs: {x: {type: \"f32[A, B]\", block: [8, 8], index_map: [i, j]}}\n"
         "outputs: {y: {type: \"f32[A, B]\", block: [8, 8], index_map: [i, j]}}\n" +
         more + "body: [\"y[...] = 2 * x\"]\nvjp: " + vjp + "\n";
}

// A kernel that returns twice its input, with this shape and these names.
std::string twice_of(const std::string& name, const std::string& shape, const std::string& input,
                     const std::string& output, const std::string& more = "") {
  const bool flat = shape.find(',') == std::string::npos;
  const std::string block = flat ? "block: [8], index_map: [i]" : "block: [8, 8], index_map: [i, j]";
  std::string dims, axes;
  for (const char c : shape) {
    if (c < 'A' || c > 'Z') continue;
    axes += std::string(axes.empty() ? "" : ", ") + "{axis: " + (axes.empty() ? "i" : "j") + ", size: \"cdiv(" + c +
            ", 8)\"}";
    dims += std::string(dims.empty() ? "" : ", ") + c + ": {}";
  }
  return "pallasgen: 1\nkernel: " + name + "\ndims: {" + dims + "}\ngrid: [" + axes + "]\ninputs: {" + input +
         ": {type: \"f32" + shape + "\", " + block + "}}\noutputs: {" + output + ": {type: \"f32" + shape + "\", " +
         block + "}}\n" + more + "body: [\"" + output + "[...] = 2 * " + input + "\"]\n";
}

struct Linked : Checked {
  bool fine = false;
  std::vector<std::string> lines;

  Linked(const std::string& text, const std::map<std::string, std::string>& others) : Checked(text) {
    REQUIRE(kernel);
    const FindSpec find = [&](const Named& name, const std::vector<std::string>&) -> std::shared_ptr<const Spec> {
      const SourceText& source = sources.add(name.name + ".yaml", others.at(name.name));
      std::optional<Spec> spec = read_spec(source, {}, sources, diagnostics);
      return spec ? std::make_shared<const Spec>(std::move(*spec)) : nullptr;
    };
    fine = link_gradients(*kernel, find, diagnostics);
    lines = gradient_lines(*kernel);
  }
};

}  // namespace

TEST_CASE("arrays flow by name from launch to launch") {
  const Linked linked(
      forward("[{kernel: halves, with: {u: dy, v: h}}, {kernel: wholes, with: {u: h, v: dx}}]"),
      {{"halves", twice_of("halves", "[A, B]", "u", "v")}, {"wholes", twice_of("wholes", "[A, B]", "u", "v")}});
  CHECK(linked.errors() == "");
  const std::vector<std::string> wanted = {
      "Its gradients are made by 2 launches in this order, from the cotangent dy of y:",
      "  halves(u = dy, A, B) -> v = h: f32[A, B]", "  wholes(u = h, A, B) -> v = dx: f32[A, B]",
      "The gradient is: dx of x."};
  CHECK(linked.lines == wanted);
  const Gradients& gradients = *linked.kernel->gradients;
  REQUIRE(gradients.steps.size() == 2);
  CHECK(gradients.steps[1].inputs[0].second == "h");
  CHECK(gradients.gradients[0].second == "dx");
}

TEST_CASE("a later kernel may put what it makes of an array in its place") {
  const Linked linked(
      forward("[{kernel: first, with: {v: dx}}, {kernel: second, with: {u: dx}}]"),
      {{"first", twice_of("first", "[A, B]", "dy", "v")}, {"second", twice_of("second", "[A, B]", "u", "dx")}});
  CHECK(linked.errors() == "");
}

TEST_CASE("cotangents and gradients may have a trailing underscore") {
  const Linked linked(forward("back"), {{"back", twice_of("back", "[A, B]", "dy_", "dx_")}});
  CHECK(linked.errors() == "");
  CHECK(linked.kernel->gradients->cotangents[0].second == "dy_");
  CHECK(linked.kernel->gradients->gradients[0].second == "dx_");
}

TEST_CASE("dims that lie next to each other may be one, in no other order") {
  const auto link = [](const std::string& with) {
    return Linked(forward("{kernel: back, with: {" + with + "}}"), {{"back", twice_of("back", "[N]", "dy", "dx")}});
  };
  CHECK(link("N: B * A").errors() == "");
  CHECK(link("N: A * (B + 1) - A").errors() == "");
  CHECK(link("N: A * B + 1").rules() == "vjp-argument");
  // [B, A] for [A, B]: the same number of elements, in another order.
  const Linked turned(forward("{kernel: back, with: {A: B, B: A}}"),
                      {{"back", twice_of("back", "[A, B]", "dy", "dx")}});
  CHECK(turned.rules() == "vjp-argument");
}

TEST_CASE("what a gradient kernel writes in place is gone for those behind it") {
  const std::string in_place = twice_of("first", "[A, B]", "dy", "v", "aliases: {v: dy}\n");
  const std::string back = twice_of("back", "[A, B]", "dy", "dx");
  CHECK(Linked(forward("[first, back]"), {{"first", in_place}, {"back", back}}).rules() == "vjp-argument");
  CHECK(Linked(forward("[back, first]"), {{"first", in_place}, {"back", back}}).errors() == "");
}

TEST_CASE("links of a gradient kernel are not followed") {
  const std::string back = twice_of("back", "[A, B]", "dy", "dx") + "vjp: twice\n";
  CHECK(Linked(forward("back"), {{"back", back}}).errors() == "");
}
