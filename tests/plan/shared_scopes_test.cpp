#include "program/shared_scopes.h"

#include "planned.h"

using namespace pallasgen;

namespace {

constexpr const char* kScopesHead = R"yaml(pallasgen: 1
kernel: scopes
dims: {N: {}}
consts: {bn: 64}
grid: [{axis: n, size: "cdiv(N, bn)"}]
inputs:
  x: {type: "f32[N]", block: [bn], index_map: [n], fill: 0}
outputs:
  o: {type: "f32[N]", block: [bn], index_map: [n]}
body:
)yaml";

// Returns the names at each place that several share: "a b; c d".
std::string shared_places(const Plan& plan) {
  std::string text;
  for (const std::vector<int>& place : places_of(plan.shared)) {
    if (place.size() == 1) continue;
    if (!text.empty()) text += "; ";
    for (int field : place) {
      text += (field == place.front() ? "" : " ") + plan.shared.fields[field].name;
      CHECK(plan.shared.fields[field].offset == plan.shared.fields[place.front()].offset);
    }
  }
  return text;
}

std::string planned_places(const std::string& body) {
  const Planned planned(kScopesHead + body);
  INFO(planned.errors());
  REQUIRE(planned.plan);
  return shared_places(*planned.plan);
}

}  // namespace

// Reading backwards prevents tiles from being values of their threads.
TEST_CASE("scopes that follow one another share memory, the largest first") {
  const Planned planned(kScopesHead + std::string(R"yaml(
  - back = 15 - iota(i32, [16], 0)
  - scope: {a: {type: "f32[16]", space: smem}, b: {type: "f32[32]", space: smem}}
    do:
      - a[...] = x[0:16]
      - b[...] = x[0:32]
      - o[0:16] = b[back] + a[back]
  - scope: {c: {type: "f64[48]", space: smem}}
    do:
      - c[...] = x[0:48].astype(f64)
      - o[16:64] = c[47 - iota(i32, [48], 0)].astype(f32)
)yaml"));
  INFO(planned.errors());
  REQUIRE(planned.plan);
  CHECK(shared_places(*planned.plan) == "b c");
  CHECK(planned.plan->shared.total == 8 * 48 + 4 * 16 + 4 * 16);  // c, a, back
  CHECK(planned.plan->shared.padding == 0);
}

TEST_CASE("scopes that stand in one another have places of their own") {
  CHECK(planned_places(R"yaml(
  - back = 63 - iota(i32, [bn], 0)
  - scope: {a: {type: "f32[bn]", space: smem}}
    do:
      - a[...] = x
      - scope: {b: {type: "f32[bn]", space: smem}}
        do:
          - b[...] = a[back] + 1
          - a[...] = b[back] * 2
      - scope: {c: {type: "f32[bn]", space: smem}}
        do:
          - c[...] = a[back] + 1
          - o[...] = c[back]
)yaml") == "b c");
}

TEST_CASE("a scope around a loop keeps its memory from turn to turn") {
  CHECK(planned_places(R"yaml(
  - back = 63 - iota(i32, [bn], 0)
  - v = x
  - scope: {a: {type: "f32[bn]", space: smem}}
    do:
      - for: i
        range: 3
        do:
          - when: i == 0
            do:
              - a[...] = v
            else:
              - v = v + a[back]
          - scope: {b: {type: "f32[bn]", space: smem}}
            do:
              - b[...] = v * 2
              - v = b[back] - 1
  - o[...] = v
)yaml") == "");
}

TEST_CASE("loops over elements of two scopes stay two, so that the scopes share memory") {
  CHECK(planned_places(R"yaml(
  - back = 63 - iota(i32, [bn], 0)
  - scope: {a: {type: "f32[bn]", space: smem}}
    do:
      - a[...] = x
      - o[...] = a[back]
  - scope: {b: {type: "i32[bn]", space: smem}}
    do:
      - b[...] = back
      - o[...] = x * b[back].astype(f32)
)yaml") == "a b");
}

TEST_CASE("scopes of a loop share memory in each turn, and with those behind it") {
  CHECK(planned_places(R"yaml(
  - back = 63 - iota(i32, [bn], 0)
  - v = x
  - for: i
    range: 3
    do:
      - scope: {a: {type: "f32[bn]", space: smem}}
        do:
          - a[...] = v
          - v = a[back] + x
      - scope: {b: {type: "f32[2]", space: smem}}
        do:
          - b[...] = f32(i) * v[0:2]
          - v = v * b[1] - b[0]
  - scope: {c: {type: "f32[bn]", space: smem}}
    do:
      - c[...] = v
      - o[...] = c[back]
)yaml") == "a b c");
}

TEST_CASE("scratch of the whole program shares with no scope") {
  std::string head = kScopesHead;
  head.insert(head.find("body:"), "scratch: {kept: {type: \"f32[bn]\", space: smem}}\n");
  const Planned planned(head + R"yaml(
  - kept[...] = x
  - scope: {a: {type: "f32[bn]", space: smem}}
    do:
      - a[...] = kept[bn - 1 - iota(i32, [bn], 0)] + 1
      - o[...] = a[bn - 1 - iota(i32, [bn], 0)]
)yaml");
  INFO(planned.errors());
  REQUIRE(planned.plan);
  CHECK(shared_places(*planned.plan) == "");
}
