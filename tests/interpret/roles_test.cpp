#include <doctest/doctest.h>

#include <cstring>

#include "../tile/two_roles.h"
#include "interpret/interpret.h"
#include "tile/text.h"

using namespace pallasgen;

namespace {

// Runs a kernel of two programs with x = 0 .. 15 and o, in blocks of 8. Returns the sum of o, or the first diagnostic.
std::string run_text(const std::string& text, ProgramOrder roles) {
  Sources sources;
  Diagnostics diagnostics;
  const auto program = tile::read_text(sources.add("k.tile", text), diagnostics);
  CAPTURE(render(diagnostics, ErrorFormat::text, false));
  REQUIRE(program);
  Arguments arguments;
  arguments.dims["N"] = arguments.dims["M"] = 16;
  Array x = Array::zeros(DType::f32, {16});
  for (size_t i = 0; i < 16; ++i) {
    const auto value = static_cast<float>(i);
    std::memcpy(x.bytes.data() + 4 * i, &value, 4);
  }
  arguments.arrays["x"] = x;
  const auto out = interpret(*program, arguments, {.roles = roles}, diagnostics);
  if (!out) {
    CHECK(render(diagnostics, ErrorFormat::text, false).find("[run-entry]") != std::string::npos);
    return diagnostics.all().front().message;
  }
  float sum = 0;
  for (size_t i = 0; i < 16; ++i) {
    float value = 0;
    std::memcpy(&value, out->at("o").bytes.data() + 4 * i, 4);
    sum += value;
  }
  return std::to_string(static_cast<int>(sum));
}

// A kernel with these roles and two channels between them.
std::string text_of(const std::string& producer, const std::string& consumer, const std::string& slots = "") {
  return test::two_roles("  channel x(x: f32[8]) {moves tile k, from producer, to consumer" + slots +
                             "}\n"
                             "  channel y(y: f32[8]) {moves tile k, from producer, to consumer}\n",
                         producer, consumer);
}

std::string run_roles(const std::string& producer, const std::string& consumer, ProgramOrder roles,
                      const std::string& slots = "") {
  return run_text(text_of(producer, consumer, slots), roles);
}

const ProgramOrder kOrders[] = {ProgramOrder::row_major, ProgramOrder::reversed, ProgramOrder::random};

}  // namespace

TEST_CASE("roles run side by side, each entry once and in its order, whichever role stands first") {
  const std::string text = text_of(
      "for k in 0 .. 3:\n"
      "  put x[k].x <- x[i * 8 +: 8]\n"
      "  put y[k].y <- x[8 - i * 8 +: 8]",
      "o: f32[8] = 0.0\n"
      "for k in 0 .. 3 {carry o}:\n"
      "  x: f32[8] = get x[k].x\n"
      "  y: f32[8] = get y[k].y\n"
      "  o: f32[8] = o + x + 2.0 * y\n"
      "write o[i * 8 +: 8] <- o");
  for (const ProgramOrder order : kOrders) {
    CHECK(run_text(text, order) == "1080");
    CHECK(run_text(test::consumer_first(text), order) == "1080");
  }
}

TEST_CASE("roles without a channel all run") {
  const std::string text = test::two_roles("", "x: f32[8] = 1.0", "o: f32[8] = 1.0\nwrite o[i * 8 +: 8] <- o");
  for (const ProgramOrder order : kOrders) {
    CHECK(run_text(text, order) == "16");
    CHECK(run_text(test::consumer_first(text), order) == "16");
  }
}

TEST_CASE("an entry that comes in another order, never comes or is never taken is a fault") {
  const std::string gets =
      "for k in 0 .. 3:\n"
      "  x: f32[8] = get x[k].x\n"
      "write o[i * 8 +: 8] <- x";
  for (const ProgramOrder order : kOrders) {
    CHECK(run_roles("for k in 0 .. 3:\n  put x[2 - k].x <- x[i * 8 +: 8]", gets, order) ==
          "x[0].x is wanted, and x[2].x comes next");
    CHECK(run_roles("for k in 0 .. 2:\n  put x[k].x <- x[i * 8 +: 8]", gets, order) ==
          "x[2].x is waited for, and is never put");
    CHECK(run_roles("for k in 0 .. 4:\n  put x[k].x <- x[i * 8 +: 8]", gets, order) ==
          "an entry of channel 'x' is left");
    CHECK(run_roles("for k in 0 .. 5:\n  put x[k].x <- x[i * 8 +: 8]", gets, order) ==
          "x[4].x waits for ever to be put");
  }
}

TEST_CASE("roles that wait for each other with a place for one entry are a fault") {
  for (const ProgramOrder order : kOrders) {
    const std::string said = run_roles(
        "for k in 0 .. 3:\n"
        "  put x[k].x <- x[i * 8 +: 8]\n"
        "for k in 0 .. 3:\n"
        "  put y[k].y <- x[i * 8 +: 8]",
        "for k in 0 .. 3:\n"
        "  y: f32[8] = get y[k].y\n"
        "for k in 0 .. 3:\n"
        "  x: f32[8] = get x[k].x\n"
        "write o[i * 8 +: 8] <- x",
        order);
    CHECK((said == "x[1].x waits for ever to be put" || said == "y[0].y is waited for, and is never put"));
  }
}

TEST_CASE("the protocol of a channel gives an entry to one role at a time") {
  const std::string slots = ", slots 2, delay 0";
  const std::string put = "  put x[k].x <- x[i * 8 +: 8]\n", get = "  x: f32[8] = get x[k].x\n  o: f32[8] = o + x\n";
  const std::string gives = "for k in 0 .. 3:\n  wait_free x\n  expect x\n" + put + "  advance x";
  const auto takes = [&](const std::string& before, const std::string& behind, const std::string& end = "") {
    return "o: f32[8] = 0.0\nfor k in 0 .. 3 {carry o}:\n" + before + get + behind + "  advance x\n" + end +
           "write o[i * 8 +: 8] <- o";
  };
  const std::string wait = "  wait_full x\n", release = "  fence_proxy\n  sync warp\n  release x\n";
  const std::string previous = "  release x previous\n", last = "release x last\n";
  const auto never = [](const std::string& said) {
    return said == "an entry of channel 'x' never becomes free" || said == "an entry of channel 'x' never becomes full";
  };
  for (const ProgramOrder order : kOrders) {
    CHECK(run_roles(gives, takes(wait, release), order, slots) == "360");
    CHECK(run_roles(gives, takes(wait, previous, last), order, slots) == "360");
    CHECK(run_roles(gives, takes("", release), order, slots) ==
          "an entry of channel 'x' is freed while it is not used");
    CHECK(never(run_roles(gives, takes(wait, ""), order, slots)));
    CHECK(run_roles(gives, takes(wait, release + "  release x\n"), order, slots) ==
          "an entry of channel 'x' is freed while it is not used");
    // No thread waits until the last one is free.
    CHECK(run_roles(gives, takes(wait, previous), order, slots) == "360");
    CHECK(run_roles(gives, takes("", "", wait + "  release x\n"), order, slots) ==
          "x[0].x is used, and nobody has waited until it has arrived");
    CHECK(run_roles("for k in 0 .. 3:\n" + put + "  wait_free x\n  advance x", takes(wait, release), order, slots) ==
          "x[0].x is put, and nobody has waited until it is free");
    CHECK(never(run_roles("for k in 0 .. 3:\n  wait_free x\n  advance x", takes(wait, release), order, slots)));
    // With one slot, an entry that is kept for a step blocks the next one.
    CHECK(never(run_roles(gives, takes(wait, previous, last), order, ", slots 1, delay 1")));
  }
}
