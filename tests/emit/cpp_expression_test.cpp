#include "cpp_expression.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <limits>

#include "cpp_literal.h"

using namespace pallasgen;

namespace {

TypedPtr leaf(DType dtype, std::string name) { return make_typed({}, dtype, {}, LocalUse{0, std::move(name)}); }
TypedPtr constant(DType dtype, Scalar value, std::string name = {}) {
  return make_typed({}, dtype, {}, Constant{value, std::move(name)});
}
TypedPtr apply(Op op, DType dtype, std::vector<TypedPtr> args) {
  return make_typed({}, dtype, {}, Apply{op, std::move(args), {}});
}
TypedPtr symbol(SymbolKind kind, std::string name) {
  return make_typed({}, DType::index, {}, Symbol{kind, kind == SymbolKind::loop ? -1 : 0, std::move(name)});
}

Spelling spelling() {
  Spelling s;
  s.symbol = [](const Symbol& symbol) {
    return Spelling::Name{symbol.kind == SymbolKind::axis ? "tile." + symbol.name : symbol.name,
                          symbol.kind == SymbolKind::dim};
  };
  s.local = [](const LocalUse& local) { return Spelling::Name{local.name}; };
  s.function = [](int) { return std::string("gelu"); };
  s.constant = [](const std::string& name, bool integer) {
    return std::string(name == (integer ? "bm" : "eps") ? name : "");
  };
  s.facts.minimum = [](const Symbol& symbol) { return std::optional<int64_t>(symbol.name == "d" ? -5 : 0); };
  s.facts.maximum = [](const Symbol& symbol) {
    return symbol.name == "small" || symbol.name == "d" ? std::optional<int64_t>(1000)
                                                        : std::optional<int64_t>(INT32_MAX);
  };
  s.facts.multiple_of = [](const Symbol&) { return int64_t{1}; };
  return s;
}

std::string text(const TypedPtr& expr, IndexWidth width = IndexWidth::exact) {
  return cpp_expression(expr, spelling(), width);
}

std::string named(DType dtype, Scalar value, const std::string& name) {
  return text(make_typed({}, dtype, {}, Constant{value, name}));
}

const DType f32 = DType::f32, i32 = DType::i32;
const TypedPtr a = leaf(f32, "a"), b = leaf(f32, "b"), c = leaf(f32, "c");
TypedPtr add(const TypedPtr& x, const TypedPtr& y) { return apply(Op::add, x->dtype, {x, y}); }
TypedPtr multiply(const TypedPtr& x, const TypedPtr& y) { return apply(Op::multiply, x->dtype, {x, y}); }
TypedPtr subtract(const TypedPtr& x, const TypedPtr& y) { return apply(Op::subtract, x->dtype, {x, y}); }
TypedPtr less(const TypedPtr& x, const TypedPtr& y) { return apply(Op::less, DType::boolean, {x, y}); }

}  // namespace

TEST_CASE("parentheses: only where needed, and the tree is kept") {
  CHECK(text(add(a, multiply(b, c))) == "a + b * c");
  CHECK(text(multiply(add(a, b), c)) == "(a + b) * c");
  CHECK(text(add(add(a, b), c)) == "a + b + c");
  CHECK(text(add(a, add(b, c))) == "a + (b + c)");
  CHECK(text(subtract(a, subtract(b, c))) == "a - (b - c)");
  CHECK(text(apply(Op::divide, f32, {a, multiply(b, c)})) == "a / (b * c)");
  CHECK(text(apply(Op::negate, f32, {add(a, b)})) == "-(a + b)");
  CHECK(text(apply(Op::negate, f32, {apply(Op::negate, f32, {a})})) == "-(-a)");
  CHECK(text(subtract(a, constant(f32, -1.0))) == "a - -1.0f");
  CHECK(text(apply(Op::negate, f32, {constant(f32, -1.0)})) == "-(-1.0f)");
}

TEST_CASE("conditions mix with parentheses that a reader wants") {
  const TypedPtr p = less(a, b), q = less(b, c);
  const TypedPtr both = apply(Op::logical_and, DType::boolean, {p, q}),
                 either = apply(Op::logical_or, DType::boolean, {p, q});
  CHECK(text(both) == "a < b && b < c");
  CHECK(text(apply(Op::logical_or, DType::boolean, {both, p})) == "(a < b && b < c) || a < b");
  CHECK(text(apply(Op::logical_and, DType::boolean, {either, p})) == "(a < b || b < c) && a < b");
  CHECK(text(apply(Op::logical_not, DType::boolean, {p})) == "!(a < b)");
  CHECK(text(apply(Op::where, f32, {p, a, b})) == "a < b ? a : b");
  CHECK(text(add(apply(Op::where, f32, {p, a, b}), c)) == "(a < b ? a : b) + c");
  CHECK(text(apply(Op::where, f32, {p, a, apply(Op::where, f32, {q, b, c})})) == "a < b ? a : b < c ? b : c");
  CHECK(text(apply(Op::equal, DType::boolean, {p, q})) == "(a < b) == (b < c)");
}

TEST_CASE("float literals: shortest digits that come back") {
  CHECK(float_literal(0.7071067811865476) == "0.70710678f");
  CHECK(float_literal(0.5) == "0.5f");
  CHECK(float_literal(1) == "1.0f");
  CHECK(float_literal(-0.0) == "-0.0f");
  CHECK(float_literal(1e-5) == "1e-05f");
  CHECK(float_literal(1e20) == "1e+20f");
  CHECK(float_literal(0.1) == "0.1f");
  CHECK(float_literal(1e39) == "INFINITY");
  CHECK(float_literal(-std::numeric_limits<double>::infinity()) == "-INFINITY");
  CHECK(float_literal(std::numeric_limits<double>::quiet_NaN()) == "NAN");
  CHECK(double_literal(0.1) == "0.1");
  CHECK(double_literal(1.0 / 3) == "0.3333333333333333");
  for (const double value : {3.14159265358979, 2.718281828e-30, 1.1754944e-38, 1e-45, 3.4028234e38, 123456.789}) {
    const std::string digits = float_literal(value);
    CHECK(std::strtof(digits.c_str(), nullptr) == static_cast<float>(value));
    CHECK(std::strtod(double_literal(value).c_str(), nullptr) == value);
  }
}

TEST_CASE("constants have the type of their dtype") {
  CHECK(constant_literal(DType::i32, int64_t{-5}) == "-5");
  CHECK(constant_literal(DType::i32, int64_t{INT32_MIN}) == "INT32_MIN");
  CHECK(constant_literal(DType::i64, std::numeric_limits<int64_t>::min()) == "int64_t(INT64_MIN)");
  CHECK(constant_literal(DType::u32, int64_t{4000000000}) == "4000000000u");
  CHECK(constant_literal(DType::u64, int64_t{-1}) == "uint64_t(18446744073709551615u)");
  CHECK(constant_literal(DType::i8, int64_t{-7}) == "int8_t(-7)");
  CHECK(constant_literal(DType::boolean, true) == "true");
  CHECK(constant_literal(DType::f64, 0.1) == "0.1");
  CHECK(constant_literal(DType::bf16, 0.5) == "cast<bf16>(0.5f)");
  CHECK(constant_literal(DType::bf16, 0.1) == "cast<bf16>(0.1)");  // rounds once, from the double
}

TEST_CASE("exact values of 16-bit floats") {
  CHECK(is_exact_in(DType::bf16, 1.0));
  CHECK(is_exact_in(DType::bf16, 255.0));
  CHECK_FALSE(is_exact_in(DType::bf16, 257.0));
  CHECK(is_exact_in(DType::f16, 2047.0));
  CHECK_FALSE(is_exact_in(DType::f16, 2049.0));
  CHECK(is_exact_in(DType::f16, 65504.0));
  CHECK_FALSE(is_exact_in(DType::f16, 65536.0));
  CHECK(is_exact_in(DType::f16, 0x1p-24));
  CHECK_FALSE(is_exact_in(DType::f16, 0x1p-25));
  CHECK(is_exact_in(DType::bf16, 0x1p-133));
  CHECK_FALSE(is_exact_in(DType::bf16, 0x1p-134));
}

TEST_CASE("16-bit floats are computed in float and rounded per operation") {
  const TypedPtr x = leaf(DType::bf16, "x"), y = leaf(DType::bf16, "y");
  CHECK(text(add(x, y)) == "cast<bf16>(to_float(x) + to_float(y))");
  CHECK(text(add(multiply(x, y), x)) == "cast<bf16>(to_float(cast<bf16>(to_float(x) * to_float(y))) + to_float(x))");
  CHECK(text(multiply(x, constant(DType::bf16, 0.5))) == "cast<bf16>(to_float(x) * 0.5f)");
  CHECK(text(multiply(x, constant(DType::bf16, 0.1))) == "cast<bf16>(to_float(x) * to_float(cast<bf16>(0.1)))");
  CHECK(text(less(x, y)) == "to_float(x) < to_float(y)");
  CHECK(text(apply(Op::maximum, DType::bf16, {x, y})) == "maximum(x, y)");
  CHECK(text(apply(Op::exp, DType::f16, {leaf(DType::f16, "h")})) == "cast<f16>(expf(to_float(h)))");
  const auto power = [&](double exponent) {
    return text(apply(Op::power, DType::f32, {leaf(DType::f32, "x"), constant(DType::f32, exponent)}));
  };
  CHECK(power(2) == "square(x)");
  CHECK(power(3) == "powf(x, 3.0f)");
  CHECK(text(apply(Op::where, DType::bf16, {less(a, b), x, y})) == "a < b ? x : y");
}

TEST_CASE("casts") {
  CHECK(text(apply(Op::cast, DType::bf16, {a})) == "cast<bf16>(a)");
  CHECK(text(apply(Op::cast, f32, {leaf(DType::f16, "h")})) == "to_float(h)");
  CHECK(text(apply(Op::cast, DType::f64, {a})) == "double(a)");
  CHECK(text(apply(Op::cast, f32, {leaf(i32, "n")})) == "float(n)");
  CHECK(text(apply(Op::cast, i32, {a})) == "cast<int32_t>(a)");              // truncates and saturates
  CHECK(text(apply(Op::cast, DType::i8, {leaf(i32, "n")})) == "int8_t(n)");  // wraps
  CHECK(text(apply(Op::cast, DType::boolean, {a})) == "cast<bool>(a)");
  CHECK(text(apply(Op::cast, i32, {less(a, b)})) == "int32_t(a < b)");
  CHECK(text(apply(Op::cast, f32, {a})) == "a");
  CHECK(text(apply(Op::bitcast, i32, {a})) == "bitcast<int32_t>(a)");
}

TEST_CASE("functions of floats") {
  CHECK(text(apply(Op::exp2, f32, {a})) == "exp2f(a)");
  CHECK(text(apply(Op::exp2, DType::f64, {leaf(DType::f64, "d")})) == "exp2(d)");
  CHECK(text(apply(Op::round, f32, {a})) == "rintf(a)");
  CHECK(text(apply(Op::rsqrt, f32, {a})) == "1.0f / sqrtf(a)");
  CHECK(text(multiply(b, apply(Op::logistic, f32, {a}))) == "b * logistic(a)");
  CHECK(text(apply(Op::maximum, f32, {a, constant(f32, 0.0)})) == "maximum(a, 0.0f)");
  CHECK(text(apply(Op::isnan, DType::boolean, {a})) == "is_nan(a)");
  CHECK(text(apply(Op::floor_divide, f32, {a, b})) == "floor_divide(a, b)");
  CHECK(text(apply(Op::fma, f32, {a, b, c})) == "fmaf(a, b, c)");
  CHECK(text(make_typed({}, f32, {}, CallFunction{0, {add(a, b)}})) == "gelu(a + b)");
}

TEST_CASE("sin, cos and tan are the runtime's, which need no local memory") {
  CHECK(text(apply(Op::sin, f32, {a})) == "sine(a)");
  CHECK(text(apply(Op::cos, DType::f64, {leaf(DType::f64, "d")})) == "cosine(d)");
  CHECK(text(apply(Op::tan, DType::bf16, {leaf(DType::bf16, "x")})) == "cast<bf16>(tangent(to_float(x)))");
}

TEST_CASE("approx: fast functions for floats, exact ones for doubles") {
  Spelling fast = spelling();
  fast.approximate = true;
  const auto text_of = [&](const TypedPtr& expr) { return cpp_expression(expr, fast); };
  CHECK(text_of(apply(Op::exp, f32, {a})) == "fast_exp(a)");
  CHECK(text_of(apply(Op::divide, f32, {a, add(b, c)})) == "fast_divide(a, b + c)");
  CHECK(text_of(apply(Op::logistic, DType::f16, {leaf(DType::f16, "h")})) == "cast<f16>(fast_logistic(to_float(h)))");
  CHECK(text_of(apply(Op::erf, f32, {a})) == "fast_erf(a)");
  CHECK(text_of(apply(Op::rsqrt, f32, {a})) == "fast_rsqrt(a)");
  CHECK(text_of(apply(Op::divide, f32, {a, make_typed({}, f32, {}, Constant{768.0, ""})})) == "fast_divide(a, 768.0f)");
  CHECK(text_of(apply(Op::divide, f32, {a, make_typed({}, f32, {}, Constant{-0.25, ""})})) == "a / -0.25f");
  CHECK(text_of(apply(Op::tanh, DType::f64, {leaf(DType::f64, "d")})) == "tanh(d)");
  CHECK(text_of(apply(Op::sqrt, f32, {a})) == "sqrtf(a)");
}

TEST_CASE("integers wrap") {
  const TypedPtr n = leaf(i32, "n"), u = leaf(DType::u32, "u"), h = leaf(DType::u16, "h");
  CHECK(text(add(n, n)) == "wrap_add(n, n)");
  CHECK(text(add(u, u)) == "u + u");
  CHECK(text(multiply(h, h)) == "wrap_multiply(h, h)");
  CHECK(text(apply(Op::bit_and, DType::u16, {h, h})) == "uint16_t(h & h)");
  CHECK(text(apply(Op::shift_left, i32, {n, constant(i32, int64_t{3})})) == "n << 3");
  CHECK(text(apply(Op::shift_left, i32, {n, n})) == "shift_left(n, n)");
  CHECK(text(apply(Op::floor_divide, i32, {n, n})) == "floor_divide(n, n)");
  CHECK(text(apply(Op::bit_or, i32, {apply(Op::bit_and, i32, {n, n}), n})) == "(n & n) | n");
}

TEST_CASE("index values: names of constants, exact where ints may overflow") {
  const TypedPtr m = symbol(SymbolKind::axis, "m"), size = symbol(SymbolKind::dim, "M"),
                 small = symbol(SymbolKind::loop, "small");
  const TypedPtr bm = index_constant(128, "bm"), other = index_constant(7, "other");
  CHECK(text(multiply(m, bm), IndexWidth::plain) == "tile.m * bm");
  CHECK(text(multiply(m, other), IndexWidth::plain) == "tile.m * 7");  // not declared in the file
  CHECK(text(multiply(m, bm)) == "int64_t(tile.m) * bm");
  CHECK(text(multiply(bm, m)) == "bm * int64_t(tile.m)");
  CHECK(text(multiply(small, bm)) == "small * bm");
  CHECK(text(multiply(size, bm)) == "M * bm");
  CHECK(text(multiply(m, index_constant(96, "bk / 16 + 1")), IndexWidth::plain) == "tile.m * (bk / 16 + 1)");
  CHECK(text(multiply(index_constant(4, "bk / 16"), m), IndexWidth::plain) == "bk / 16 * tile.m");
  CHECK(text(add(small, add(small, bm))) == "small + small + bm");
  CHECK(text(add(small, apply(Op::subtract, DType::index, {bm, small}))) == "small + (bm - small)");
  CHECK(text(add(small, index_constant(7, "big - less"))) == "small + (big - less)");
  CHECK(text(multiply(small, multiply(small, bm))) == "small * small * bm");
  CHECK(text(apply(Op::floor_divide, DType::index, {m, bm})) == "tile.m / bm");
  CHECK(text(apply(Op::modulo, DType::index, {symbol(SymbolKind::loop, "d"), bm})) == "floor_modulo<int>(d, bm)");
  CHECK(text(apply(Op::cdiv, DType::index, {size, bm})) == "ceil_div(M, bm)");
  const TypedPtr rest = apply(Op::subtract, DType::index, {size, m});  // may be negative
  CHECK(text(apply(Op::cdiv, DType::index, {rest, bm})) == "ceil_divide<int64_t>(M - tile.m, bm)");
  CHECK(text(apply(Op::minimum, DType::index, {m, size})) == "minimum<int64_t>(tile.m, M)");
  CHECK(cpp_coordinate(size, spelling()) == "int(M)");
  CHECK(cpp_coordinate(multiply(m, bm), spelling()) == "tile.m * bm");
}

TEST_CASE("index values as elements") {
  const TypedPtr i = symbol(SymbolKind::axis, "i"), j = symbol(SymbolKind::axis, "j");
  const auto cast = [](const TypedPtr& x, DType dtype) { return apply(Op::cast, dtype, {x}); };
  CHECK(text(cast(i, i32)) == "tile.i");
  CHECK(text(cast(i, DType::i64)) == "int64_t(tile.i)");
  CHECK(text(cast(i, f32)) == "float(tile.i)");
  // The low bits of exact arithmetic equal those of wrapping arithmetic.
  const TypedPtr sum = add(multiply(constant(i32, int64_t{10}), cast(i, i32)), cast(j, i32));
  CHECK(text(sum) == "int32_t(10 * int64_t(tile.i) + tile.j)");
  CHECK(text(cast(symbol(SymbolKind::dim, "M"), i32)) == "int32_t(M)");
}

TEST_CASE("narrow floats compute in float, 4-bit integers in int") {
  const TypedPtr x = leaf(DType::f8e4m3, "x"), n = leaf(DType::i4, "n");
  CHECK(text(add(x, x)) == "cast<f8e4m3>(to_float(x) + to_float(x))");
  CHECK(text(apply(Op::less, DType::boolean, {x, x})) == "to_float(x) < to_float(x)");
  CHECK(text(apply(Op::maximum, DType::f8e4m3, {x, x})) == "maximum(x, x)");
  CHECK(text(apply(Op::cast, f32, {x})) == "to_float(x)");
  CHECK(text(apply(Op::cast, DType::f4e2m1, {a})) == "cast<f4e2m1>(a)");
  CHECK(constant_literal(DType::f8e5m2, 0.3) == "cast<f8e5m2>(0.3)");
  CHECK(text(add(n, n)) == "wrap_add(n, n)");
  CHECK(text(apply(Op::invert, DType::i4, {n})) == "i4(~n)");
  CHECK(text(apply(Op::cast, i32, {n})) == "int32_t(n)");
  CHECK(text(apply(Op::fma, i32, {leaf(i32, "k"), leaf(i32, "k"), leaf(i32, "k")})) ==
        "wrap_add(wrap_multiply(k, k), k)");
}

TEST_CASE("index values keep their width through choices and powers") {
  const TypedPtr M = symbol(SymbolKind::dim, "M"), k = symbol(SymbolKind::loop, "k");
  const TypedPtr chosen = apply(Op::where, DType::index, {less(a, b), k, M});
  CHECK(is_wide(chosen, spelling()));
  CHECK_FALSE(is_wide(apply(Op::where, DType::index, {less(a, b), k, k}), spelling()));
  CHECK(text(apply(Op::power, DType::index, {k, M})) == "power<int64_t>(k, M)");
}

TEST_CASE("constants of the spec keep their names where the file declares them in that type") {
  CHECK(named(DType::f32, 1e-5, "eps") == "eps");
  CHECK(named(DType::f64, 1e-5, "eps") == "1e-05");
  CHECK(named(DType::f32, 2.0, "bm") == "2.0f");  // an int in the file
  CHECK(named(DType::i32, int64_t{128}, "bm") == "bm");
  CHECK(named(DType::i32, int64_t{3}, "eps") == "3");
  CHECK(named(DType::i64, int64_t{128}, "bm") == "int64_t(128)");
}

TEST_CASE("sums of index values in i64 are sums of index values, which do not overflow") {
  const auto wide = [](const TypedPtr& index) { return make_typed({}, DType::i64, {}, Apply{Op::cast, {index}, {}}); };
  const auto i64 = [](Op op, const TypedPtr& a, const TypedPtr& b) {
    return make_typed({}, DType::i64, {}, Apply{op, {a, b}, {}});
  };
  const TypedPtr n = symbol(SymbolKind::dim, "N"), d = symbol(SymbolKind::loop, "d"),
                 s = make_typed({}, DType::index, {}, Symbol{SymbolKind::loop, 1, "small"});
  CHECK(text(i64(Op::add, wide(n), wide(d))) == "N + d");
  CHECK(text(i64(Op::subtract, wide(s), wide(d))) == "int64_t(small - d)");
  CHECK(text(wide(n)) == "N");
  // Scalars, products and constants may wrap.
  const TypedPtr t = symbol(SymbolKind::scalar, "t");
  CHECK(text(i64(Op::add, wide(t), wide(n))).find("wrap_add(") == 0);
  CHECK(text(i64(Op::multiply, wide(n), wide(d))) == "wrap_multiply(N, int64_t(d))");
  const TypedPtr one = make_typed({}, DType::i64, {}, Constant{int64_t{1}, {}});
  CHECK(text(i64(Op::add, wide(d), one)) == "wrap_add(int64_t(d), int64_t(1))");
}
