#include <fmt/format.h>

#include "checked.h"

using namespace pallasgen;

namespace {

const std::string kPrefix = R"spec(
pallasgen: 1
kernel: typing
dims: {M: {}, N: {multiple_of: 8}}
consts: {n: 4, half: 0.5, yes: true, T: bf16, act: tanh, word: other}
functions: {"twice(v)": "v + v", "apply(f, v)": "f(v)", "norm(v)": "v / sum(v)", "pick(v, w)": "where(v > w, v, w)"}
scalars: {alpha: f32, count: i32}
grid: [{axis: i, size: 4}, {axis: j, size: 3, semantics: sequential}]
inputs:
  f: {type: "f32[16, 32]"}
  h: {type: "bf16[16, 32]"}
  g: {type: "f16[32, 8]"}
  d: {type: "i32[16, 32]"}
  s: {type: "i8[16, 32]"}
  u: {type: "u8[16]"}
  b: {type: "bool[16, 32]"}
  e: {type: "f8e4m3[16, 32]"}
  row: {type: "f32[32]"}
  one: {type: "f32[1, 32]"}
outputs: {z: {type: "f32[4]", block: [1], index_map: [i]}}
body:
  - t = )spec";
const std::string kSuffix = R"spec(
  - z[...] = 1
)spec";

// The value that a body statement `t = <expression>` binds, in a kernel with refs of many dtypes.
struct BoundValue {
  Checked checked;
  TypedPtr value;

  explicit BoundValue(const std::string& expression) : checked(kPrefix + expression + kSuffix) {
    if (!checked.kernel) return;
    for (const KernelStmt& stmt : checked.kernel->body) {
      if (const BindStmt* bind = std::get_if<BindStmt>(&stmt.node); bind && bind->name == "t") value = bind->value;
    }
  }

  std::string text() const {
    if (!value) return checked.kernel ? "literal" : checked.rules();
    std::string shape;
    for (int64_t extent : value->shape) shape += fmt::format("{}{}", shape.empty() ? "" : ",", extent);
    return fmt::format("{}[{}]", name_of(value->dtype), shape);
  }
};

void gives(const std::string& expression, const std::string& type) {
  const BoundValue typed(expression);
  CAPTURE(expression);
  CAPTURE(typed.checked.errors());
  CHECK(typed.text() == type);
}

}  // namespace

TEST_CASE("literals and index values take the dtype of the other operand") {
  gives("f + 1", "f32[16,32]");
  gives("1 + f", "f32[16,32]");
  gives("h * 0.5", "bf16[16,32]");
  gives("h * half", "bf16[16,32]");
  gives("d + i", "i32[16,32]");
  gives("u + n", "u8[16]");
  gives("f + i", "f32[16,32]");
  gives("where(b, f, 0)", "f32[16,32]");
  gives("where(b, 1, 0) + s", "i8[16,32]");
  gives("where(b, 1.5, 0) * h", "bf16[16,32]");
  gives("f if i > 0 else 0.0", "f32[16,32]");
  gives("i", "index[]");
  gives("i * n + j", "index[]");
  gives("1", "literal");
  gives("1 / 2.0", "literal");
  gives("sqrt(n)", "literal");
  gives("alpha * 2", "f32[]");
  gives("count + i", "i32[]");
  gives("f32(i) * 0.5", "f32[]");
  gives("i32(1.5)", "i32[]");
  gives("bf16(1)", "bf16[]");
}

TEST_CASE("dtypes never promote silently") {
  for (const char* text :
       {"f + h", "f + d", "d + s", "h + g[0, 0]", "d + 0.5", "where(b, f, d)", "f > h", "clamp(f, h, f)", "i * 0.5",
        "count * alpha", "concatenate([f, h], 0)", "dot(f, h, trans_b=true)"}) {
    gives(text, "dtype-mismatch");
  }
}

TEST_CASE("operations refuse dtypes that they do not have") {
  for (const char* text : {"d / 2",        "n / 2",     "f // 2",   "f % 2",   "f & 1",
                           "f << 1",       "exp(d)",    "floor(d)", "f and f", "not f",
                           "b + b",        "max(b)",    "mean(d)",  "any(f)",  "d ** -1",
                           "d ** d",       "isnan(d)",  "f[f]",     "~f",      "dot(d, d, trans_b=true)",
                           "logsumexp(d)", "softmax(b)"}) {
    gives(text, "operand-dtype");
  }
}

TEST_CASE("results") {
  gives("f > 0", "bool[16,32]");
  gives("0 < d < 5", "bool[16,32]");
  gives("b and f > 0", "bool[16,32]");
  gives("~b", "bool[16,32]");
  gives("b ^ b", "bool[16,32]");
  gives("isnan(h)", "bool[16,32]");
  gives("d // 3", "i32[16,32]");
  gives("d ** 2", "i32[16,32]");
  gives("f ** 2", "f32[16,32]");
  gives("f ** 0.5", "f32[16,32]");
  gives("s >> 1", "i8[16,32]");
  gives("f.astype(T)", "bf16[16,32]");
  gives("b.astype(f32)", "f32[16,32]");
  gives("bitcast(f, i32)", "i32[16,32]");
  gives("atan2(f, f)", "f32[16,32]");
  gives("fma(h, h, h)", "bf16[16,32]");
  gives("cdiv(d, 4)", "i32[16,32]");
  gives("min(i, 2)", "index[]");
  gives("T == bf16", "bool[]");
  gives("f if T == bf16 else undefined_name", "f32[16,32]");
}

TEST_CASE("shapes broadcast as NumPy's do") {
  gives("f + row", "f32[16,32]");
  gives("f + one", "f32[16,32]");
  gives("row[:, None] + one", "f32[32,32]");
  gives("row[None, None, :] * f", "f32[1,16,32]");
  gives("f + u.astype(f32)", "shape-mismatch");
  gives("f + u.astype(f32)[:, None]", "f32[16,32]");
  gives("f + alpha", "f32[16,32]");
}

TEST_CASE("shape operations") {
  gives("reshape(f, [8, 64])", "f32[8,64]");
  gives("reshape(f, [-1, 4])", "f32[128,4]");
  gives("reshape(f, [7, 64])", "shape-mismatch");
  gives("f.T", "f32[32,16]");
  gives("transpose(f[None], [1, 2, 0])", "f32[16,32,1]");
  gives("transpose(f, [0, 0])", "index-range");
  gives("broadcast_to(row, [3, 32])", "f32[3,32]");
  gives("expand(f, 1)", "f32[16,1,32]");
  gives("expand(f, [0, -1])", "f32[1,16,32,1]");
  gives("squeeze(one)", "f32[32]");
  gives("squeeze(one, 0)", "f32[32]");
  gives("concatenate([f, f], 1)", "f32[16,64]");
  gives("concatenate([f, one])", "f32[17,32]");
  gives("iota(i32, [4, 8], 1)", "i32[4,8]");
  gives("full(bf16, [n], 0.5)", "bf16[4]");
  gives("full(i32, [n], 0.5)", "dtype-mismatch");
  gives("zeros(f32, [2, n])", "f32[2,4]");
  gives("zeros(f32, [M])", "constant-value");
}

TEST_CASE("indices") {
  gives("f[0]", "f32[32]");
  gives("f[-1, -1]", "f32[]");
  gives("f[2:5, ::4]", "f32[3,8]");
  gives("f[-4:, :]", "f32[4,32]");
  gives("f[ds(i * 4, 4), ...]", "f32[4,32]");
  gives("f[i, None, :]", "f32[1,32]");
  gives("f[..., 3]", "f32[16]");
  gives("f[count]", "f32[32]");
  gives("f[d[:, 0]]", "f32[16,32]");
  gives("(f * 2)[1:3]", "f32[2,32]");
  gives("f.at[2:10][3]", "f32[32]");
  gives("f.at[2:10, i][ds(j, 4)]", "f32[4]");
  gives("f.at[2:10][8]", "index-range");
  gives("f.at[1] + row", "f32[32]");
  gives("f[20]", "index-range");
  gives("f[0, 0, 0]", "index-rank");
  gives("f[0:i]", "constant-value");
  gives("load(f, ds(0, 4), mask=b[0:4], other=0)", "f32[4,32]");
  gives("load(f, [i])", "f32[32]");
  gives("valid(f)", "bool[16,32]");
}

TEST_CASE("a view's index counts from where the view begins") {
  const BoundValue typed("f.at[2:10:2, i][1:3]");
  REQUIRE(typed.value);
  CHECK(to_string(typed.value) == "f[4:7:2, i]");
}

TEST_CASE("reductions") {
  gives("sum(f)", "f32[]");
  gives("sum(f, axis=1)", "f32[16]");
  gives("sum(f, axis=[0, 1], keepdims=yes)", "f32[1,1]");
  gives("sum(h, axis=-1)", "bf16[16]");
  gives("sum(s)", "i32[]");
  gives("sum(b, axis=0)", "i32[32]");
  gives("prod(u)", "i32[]");
  gives("mean(h)", "bf16[]");
  gives("max(f, axis=0)", "f32[32]");
  gives("any(b)", "bool[]");
  gives("argmax(f, axis=1)", "i32[16]");
  gives("cumsum(s, axis=0)", "i32[16,32]");
  gives("cummax(f, axis=1)", "f32[16,32]");
  gives("softmax(f, axis=1)", "f32[16,32]");
  gives("logsumexp(f, axis=1)", "f32[16]");
  gives("sum(f, axis=2)", "index-range");
  gives("argmax(f)", "arguments");
}

TEST_CASE("dot") {
  gives("dot(h, h, trans_b=true)", "f32[16,16]");
  gives("h @ h.T", "f32[16,16]");
  gives("dot(g, g, trans_a=true)", "f32[8,8]");
  gives("dot(g, g, trans_a=true, dtype=f16)", "f16[8,8]");
  gives("dot(h, h, trans_b=true, dtype=f16)", "operand-dtype");
  gives("dot(s, s, trans_b=true)", "i32[16,16]");
  gives("dot(e, e, trans_b=true)", "f32[16,16]");
  gives("dot(f, f, trans_b=true, precision=tf32)", "f32[16,16]");
  gives("dot(h, h, trans_b=true, precision=tf32)", "operand-dtype");
  gives("dot(h[None], h[None], trans_b=true)", "f32[1,16,16]");
  gives("dot(h, h)", "shape-mismatch");
}

TEST_CASE("functions") {
  gives("gelu(f)", "f32[16,32]");
  gives("softplus(h)", "bf16[16,32]");
  gives("act(f)", "f32[16,32]");
  gives("twice(f)", "f32[16,32]");
  gives("apply(relu, f)", "f32[16,32]");
  gives("apply(exp, h)", "bf16[16,32]");
  gives("norm(f)", "f32[16,32]");
  gives("pick(f, row)", "f32[16,32]");
  gives("pick(f, 0)", "f32[16,32]");
  gives("twice(f, f)", "arguments");
  gives("gelu(d)", "operand-dtype");
  gives("act", "name-kind");
}

TEST_CASE("an elementwise function is one function of the kernel for each combination of dtypes") {
  const BoundValue typed("gelu(f) + gelu(f * 2) + gelu(h).astype(f32) + pick(f, f) + gelu(norm(f))");
  REQUIRE(typed.checked.kernel);
  const Kernel& kernel = *typed.checked.kernel;
  REQUIRE(kernel.functions.size() == 3);
  CHECK(kernel.functions[0].name == "gelu");
  CHECK(kernel.functions[0].parameters[0].second == DType::f32);
  CHECK(to_string(kernel.functions[0].body) == "0.5 * x * (1.0 + erf(x * 0.7071067811865476))");
  CHECK(kernel.functions[1].name == "gelu_bf16");
  CHECK(kernel.functions[2].name == "pick");
  CHECK(kernel.functions[2].parameters.size() == 2);
}

TEST_CASE("what is used twice by an inlined function is computed once") {
  const BoundValue typed("norm(exp(f))");
  REQUIRE(typed.checked.kernel);
  const Kernel& kernel = *typed.checked.kernel;
  CHECK(kernel.functions.empty());
  REQUIRE(kernel.body.size() == 3);
  CHECK(kernel.body[0].text == "norm_v = exp(f)");
  CHECK(to_string(typed.value) == "norm_v / sum(norm_v)");
}

TEST_CASE("statements are quoted with the values of consts that no file names, without what these leave out") {
  const auto quoted = [](const std::string& consts, const std::string& statement) {
    const Checked checked("pallasgen: 1\nkernel: k\ndims: {N: {multiple_of: 32}}\nconsts: {" + consts +
                          "}\ngrid: [{axis: i, size: \"cdiv(N, b)\"}]\n"
                          "inputs: {x: {type: \"f32[N]\", block: [b], index_map: [i]}}\n"
                          "outputs: {y: {type: \"f32[N]\", block: [b], index_map: [i]}}\nbody:\n  - " +
                          statement + "\n");
    CAPTURE(checked.errors());
    REQUIRE(checked.kernel);
    REQUIRE(checked.kernel->body.size() == 1);
    return checked.kernel->body[0].text;
  };
  const std::string consts = "b: 32, scale: 0.5, act: relu, T: bf16, twice: true, shift: false";
  CHECK(quoted(consts, "y[...] = x * scale + b") == "y[...] = x * scale + b");
  CHECK(quoted(consts, "y[...] = act(x).astype(T).astype(f32)") == "y[...] = relu(x).astype(bf16).astype(f32)");
  CHECK(quoted(consts, "y[...] = (x * 2 if twice else x) + (1 if not twice else 0)") == "y[...] = x * 2 + 0");
  CHECK(quoted(consts, "y[...] = where(x > 0 or shift, x, 0)") == "y[...] = where(x > 0, x, 0)");
  CHECK(quoted(consts, "y[...] = dot(x[None, :], x[:, None], trans_a=shift)[0, 0] + x") ==
        "y[...] = dot(x[None, :], x[:, None], trans_a=false)[0, 0] + x");
}
