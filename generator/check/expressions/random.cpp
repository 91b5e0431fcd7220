#include <fmt/format.h>

#include <cstdlib>
#include <numbers>

#include "expressions/calls.h"
#include "expressions/evaluate.h"
#include "expressions/operators.h"

namespace pallasgen {

namespace {

constexpr int64_t kWordsOfBlock = 4;  // words of Philox 4x32 for one counter

struct Stream {
  TypedPtr key, counter, high;  // u64 scalars
};

// A 64-bit word of the generator's key or counter.
TypedPtr word_of(TypingContext& in, const ExprPtr& expr, std::string_view what) {
  const TypedPtr word = value_of(in, expr);
  if (!word) return nullptr;
  if (!word->shape.empty() || (word->dtype != DType::index && !info(word->dtype).is_integer)) {
    return in.fail(kOperandDType, expr->span, "{} must be one integer, not {}", what, describe(word));
  }
  if (const Constant* constant = word->as<Constant>()) {  // keeps the 64 bits
    return make_typed(word->span, DType::u64, {}, Constant{constant->value, constant->name});
  }
  if (word->dtype == DType::u64) return word;
  return make_typed(word->span, DType::u64, {}, Apply{Op::cast, {word}, {}});
}

std::optional<Stream> stream_of(TypingContext& in, const Bound& args) {
  Stream out;
  out.key = word_of(in, args[0], "the key");
  const std::vector<ExprPtr> words = entries_of(args[1]);
  if (words.size() > 2 || words.empty()) {
    in.fail(kArguments, args[1]->span, "a counter is one integer, or two: [counter, stream]");
    return std::nullopt;
  }
  out.counter = word_of(in, words[0], "the counter");
  out.high = words.size() == 2 ? word_of(in, words[1], "the stream")
                               : make_typed(args[1]->span, DType::u64, {}, Constant{int64_t{0}, {}});
  if (!out.key || !out.counter || !out.high) return std::nullopt;
  return out;
}

// Warns if neighbours along an axis, or iterations of a loop, draw from one stream only a few elements apart, because
// the counter moves by less than a draw takes and nothing else moves.
void warn_of_shifted(TypingContext& in, const Stream& stream, const Shape& shape, Span span) {
  int64_t elements = 1;
  for (int64_t size : shape) elements *= size;
  const int64_t taken = (elements + kWordsOfBlock - 1) / kWordsOfBlock;
  const auto plain = [&](const TypedPtr& word) {
    const Apply* cast = word->applies(Op::cast);
    const TypedPtr value = cast ? cast->args[0] : word;
    return substitute(value, [&](const Symbol& symbol) {
      return symbol.kind == SymbolKind::let ? in.context.kernel.lets[symbol.id].value : TypedPtr();
    });
  };
  const TypedPtr counter = plain(stream.counter);
  const std::optional<Affine> form = counter->dtype == DType::index ? affine(counter) : std::nullopt;
  if (!form) return;
  for (const Affine::Term& term : form->terms) {
    const Symbol& symbol = term.symbol;
    const bool loop = symbol.kind == SymbolKind::loop;
    const int64_t step = std::abs(term.coefficient);
    const bool apart =
        mentions(plain(stream.key), symbol.kind, symbol.id) || mentions(plain(stream.high), symbol.kind, symbol.id);
    if ((symbol.kind != SymbolKind::axis && !loop) || step >= taken || apart) continue;
    if (symbol.kind == SymbolKind::axis && constant_value(in.context.kernel.axes[symbol.id].size) == 1) continue;
    in.diagnostics
        ->warning(
            kRandomCounter, span,
            fmt::format("{} that differ by 1 in '{}' draw the same numbers, {} elements apart: {} elements take {} "
                        "counters, and the counter moves by {}",
                        loop                                           ? "turns"
                        : in.context.kernel.axes[symbol.id].sequential ? "steps"
                                                                       : "programs",
                        symbol.name, step * kWordsOfBlock, elements, taken, step))
        .note(fmt::format(
            "count whole blocks, {} * {}{}", symbol.name, taken,
            stream.high->as<Constant>() ? fmt::format(", or make it the stream: [0, {}]", symbol.name) : ""));
    return;
  }
}

// Bits of draw number `draw`: that of the stream, or of other streams, which differ in the top bits of the stream's
// word, so that no user's number below 2^62 reaches them.
TypedPtr bits(TypingContext& in, Span span, const Stream& stream, const Shape& shape, int64_t draw) {
  TypedPtr high = stream.high;
  if (draw > 0) {
    const int64_t flip = static_cast<int64_t>(static_cast<uint64_t>(draw) << 62);
    const Constant* constant = high->as<Constant>();
    high = constant ? make_typed(span, DType::u64, {}, Constant{std::get<int64_t>(constant->value) ^ flip, {}})
                    : operate(in, span, Op::bit_xor, {high, make_typed(span, DType::u64, {}, Constant{flip, {}})});
  }
  return make_typed(span, DType::u32, shape, Apply{Op::random_bits, {stream.key, stream.counter, high}, {}});
}

// (b + 1 or 0) * 2^-n, exact in the dtype, for b the upper n bits of a word (f64: of two words): in (0, 1] or [0, 1).
TypedPtr unit(TypingContext& in, Span span, const Stream& stream, const Shape& shape, DType dtype, int64_t draw,
              bool open_at_zero) {
  const auto number = [&](DType type, double value) { return make_typed(span, type, {}, Constant{value, {}}); };
  const int digits = dtype == DType::f64 ? 53 : dtype == DType::f32 ? 24 : dtype == DType::f16 ? 11 : 8;
  TypedPtr word = bits(in, span, stream, shape, draw);
  if (dtype == DType::f64) {
    const TypedPtr low = cast(in, bits(in, span, stream, shape, draw + 2), DType::u64, span);
    const TypedPtr high = operate(in, span, Op::shift_left, {cast(in, word, DType::u64, span), index_constant(32)});
    word =
        operate(in, span, Op::shift_right, {operate(in, span, Op::bit_or, {high, low}), index_constant(64 - digits)});
  } else {
    word = operate(in, span, Op::shift_right, {word, index_constant(32 - digits)});
  }
  TypedPtr counted = cast(in, word, dtype, span);
  if (open_at_zero) counted = operate(in, span, Op::add, {counted, number(dtype, 1)});
  return operate(in, span, Op::multiply, {counted, number(dtype, 1.0 / static_cast<double>(int64_t{1} << digits))});
}

}  // namespace

TypedPtr random_call(TypingContext& in, const CallExpr& node, Span span, const std::string& name) {
  const bool floats = name != "random_bits";
  const std::optional<Bound> args = bind_arguments(in, node, span, name);
  if (!args) return nullptr;
  const std::optional<Stream> words = stream_of(in, *args);
  const std::optional<Shape> size = shape_of(in, (*args)[2]);
  if (!words || !size) return nullptr;
  warn_of_shifted(in, *words, *size, (*args)[1]->span);
  if (!floats) return bits(in, span, *words, *size, 0);
  DType dtype = DType::f32;
  if ((*args)[3]) {
    const std::optional<DType> given = dtype_of(in, (*args)[3]);
    if (!given) return nullptr;
    dtype = *given;
    if (dtype != DType::f16 && dtype != DType::bf16 && dtype != DType::f32 && dtype != DType::f64) {
      in.error(kOperandDType, (*args)[3]->span, "{} gives f16, bf16, f32 or f64, not {}", name, name_of(dtype))
          .note("cast what it gives");
      return nullptr;
    }
  }
  if (name == "uniform") return unit(in, span, *words, *size, dtype, 0, false);
  // Box-Muller: sqrt(-2 log(u)) cos(2 pi v), for u in (0, 1] and v in [0, 1), in f32 or f64.
  const DType wide = dtype == DType::f64 ? DType::f64 : DType::f32;
  const auto number = [&](double value) { return make_typed(span, wide, {}, Constant{value, {}}); };
  const TypedPtr u = unit(in, span, *words, *size, wide, 0, true), v = unit(in, span, *words, *size, wide, 1, false);
  const TypedPtr radius =
      operate(in, span, Op::sqrt, {operate(in, span, Op::multiply, {number(-2), operate(in, span, Op::log, {u})})});
  const TypedPtr angle = operate(in, span, Op::multiply, {number(2 * std::numbers::pi), v});
  return cast(in, operate(in, span, Op::multiply, {radius, operate(in, span, Op::cos, {angle})}), dtype, span);
}

}  // namespace pallasgen
