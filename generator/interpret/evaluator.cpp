#include "evaluator.h"

#include <fmt/format.h>

#include <algorithm>

#include "array_ops.h"
#include "broadcast.h"
#include "elementwise.h"
#include "fault.h"
#include "interpret/rules.h"
#include "random_bits.h"

namespace pallasgen::interpreter {
namespace {

bool concrete(const Shape& shape) {
  return std::all_of(shape.begin(), shape.end(), [](int64_t extent) { return extent >= 0; });
}

}  // namespace

Value Evaluator::evaluate(const TypedPtr& expr) {
  const Typed& e = *expr;
  if (const auto* constant = e.as<Constant>()) return filled_value(e.dtype, e.shape, constant->value);
  if (const auto* name = e.as<LocalUse>()) return local(*name, e.span);
  if (e.dtype == DType::index && e.shape.empty() && !parameters_) return index_value(integer(expr));
  if (const auto* name = e.as<Symbol>()) return symbol(*name, e);
  if (const auto* ref = e.as<RefRead>()) return read(*ref, e.span);
  if (const auto* function = e.as<CallFunction>()) return call(*function, e);
  return apply(*e.as<Apply>(), e);
}

const Value& Evaluator::local(const LocalUse& local, Span span) const {
  const std::vector<Value>& frame = parameters_ ? *parameters_ : env_.locals;
  const auto id = static_cast<size_t>(local.id);
  if (id < frame.size() && frame[id].data) return frame[id];
  throw Fault{kRunNoStep, span, fmt::format("'{}' has no value: this program has no step that assigns it", local.name)};
}

int64_t Evaluator::index_symbol(const Symbol& symbol, const Typed& e) {
  const auto id = static_cast<size_t>(symbol.id);
  switch (symbol.kind) {
    case SymbolKind::axis:
      return env_.axes[id];
    case SymbolKind::axis_size:
      return env_.axis_sizes[id];
    case SymbolKind::dim:
      return env_.dims[id];
    case SymbolKind::loop:
      return env_.loops[id];
    case SymbolKind::num_sms:
      return env_.num_sms;
    case SymbolKind::ticket:
      return env_.ticket;
    default:
      return integer_of(this->symbol(symbol, e));
  }
}

Value Evaluator::symbol(const Symbol& symbol, const Typed& e) {
  const auto id = static_cast<size_t>(symbol.id);
  if (symbol.kind == SymbolKind::scalar) return convert(env_.scalars[id], e.dtype);
  if (symbol.kind != SymbolKind::let) return convert(index_value(index_symbol(symbol, e)), e.dtype);
  if (!env_.lets[id].data) {
    std::vector<Value>* frame = std::exchange(parameters_, nullptr);
    Value value = evaluate(env_.kernel->lets[id].value);
    parameters_ = frame;
    env_.lets[id] = std::move(value);
  }
  return convert(env_.lets[id], e.dtype);
}

Block& Evaluator::block(int ref, Span span) {
  Block& block = env_.blocks[static_cast<size_t>(ref)];
  if (!block.placement() && block.views() && env_.place_view) env_.place_view(block);
  if (!block.placement()) {
    throw Fault{kRunNoStep, span,
                fmt::format("'{}' has no block here: this program has no step, and the block depends on one",
                            block.ref().name)};
  }
  return block;
}

Value Evaluator::read(const RefRead& read, Span span) {
  Block& source = block(read.ref, span);
  const auto told = [&](Value value) {
    if (std::optional<std::string> undefined = source.take_undefined(); undefined && env_.warn)
      env_.warn(Fault{kRunUndefinedScratch, span, *undefined});
    return value;
  };
  if (read.whole && !read.mask) return told(source.read(span));
  const std::vector<ResolvedItem> items = resolve(read.index);
  const std::optional<Value> mask = read.mask ? std::optional(evaluate(read.mask)) : std::nullopt;
  const std::optional<Value> other = read.other ? std::optional(evaluate(read.other)) : std::nullopt;
  return told(source.read(items, mask ? &*mask : nullptr, other ? &*other : nullptr, span));
}

// An element of an array of scalars, or the number of its elements below (or not above) a value.
Value Evaluator::of_scalars(const Apply& apply, const Typed& e) {
  const Value& array = env_.scalars[static_cast<size_t>(apply.attributes.scalar)];
  if (apply.op == Op::searchsorted) {
    const int64_t wanted = integer(apply.args[0]);
    int64_t count = 0;
    while (count < array.size()) {
      const int64_t element = integer_of(array, count);
      if (apply.attributes.left ? element >= wanted : element > wanted) break;
      ++count;
    }
    return index_value(count);
  }
  // Indices broadcast together.
  std::vector<Value> indices;
  Shape shape;
  for (const TypedPtr& arg : apply.args) {
    indices.push_back(arg->shape.empty() ? index_value(integer(arg)) : convert(evaluate(arg), DType::index));
    shape = broadcast_shape(shape, indices.back().shape);
  }
  for (Value& index : indices) index = broadcast(index, shape);
  Value elements = make_value(array.dtype, shape);
  const int64_t bytes = carrier_bytes(array.dtype);
  for (int64_t i = 0; i < elements.size(); ++i) {
    int64_t at = 0;
    for (size_t dim = 0; dim < indices.size(); ++dim) {
      const int64_t index = integer_of(indices[dim], i), extent = array.shape[dim];
      if (index < 0 || index >= extent) {
        throw Fault{
            kRunIndexRange,
            apply.args[dim]->span,
            fmt::format("index {} of '{}' is outside: it has {} elements there", index, apply.attributes.name, extent),
            {FaultKind::oob, apply.attributes.name}};
      }
      at = at * extent + index;
    }
    std::copy_n(array.data.get() + at * bytes, bytes, elements.data.get() + i * bytes);
  }
  return convert(elements, e.dtype);
}

std::vector<ResolvedItem> Evaluator::resolve(const std::vector<IndexItem>& items) {
  std::vector<ResolvedItem> resolved;
  for (const IndexItem& item : items) {
    if (const auto* number = std::get_if<IndexInteger>(&item)) {
      resolved.emplace_back(ResolvedInteger{integer(number->value)});
    } else if (const auto* slice = std::get_if<IndexSlice>(&item)) {
      resolved.emplace_back(ResolvedSlice{slice->start ? integer(slice->start) : 0, slice->size, slice->step});
    } else if (const auto* gather = std::get_if<IndexGather>(&item)) {
      resolved.emplace_back(ResolvedGather{convert(evaluate(gather->indices), DType::index)});
    } else {
      resolved.emplace_back(ResolvedNewAxis{});
    }
  }
  return resolved;
}

Value Evaluator::apply(const Apply& apply, const Typed& e) {
  switch (operation(apply.op).group) {
    case OpGroup::elementwise:
      return elementwise(apply, e);
    case OpGroup::cast: {
      const Value value = evaluate(apply.args[0]);
      return apply.op == Op::cast ? convert(value, e.dtype)
                                  : bitcast(value, e.dtype, parameters_ ? value.shape : e.shape);
    }
    case OpGroup::shape:
      return shaped(apply, e);
    case OpGroup::matrix:
      return multiply(apply, e.dtype, nullptr);
    case OpGroup::mask:
      return block(apply.attributes.ref, e.span).valid();
    case OpGroup::scalars:
      return of_scalars(apply, e);
    case OpGroup::random: {
      uint64_t words[3];
      for (size_t i = 0; i < 3; ++i) words[i] = static_cast<uint64_t>(integer_of(evaluate(apply.args[i])));
      return random_bits(words[0], words[1], words[2], e.shape);
    }
    case OpGroup::reduce:
      break;
  }
  const Value value = evaluate(apply.args[0]);
  if (apply.op == Op::cumsum || apply.op == Op::cummax)
    return scan(apply.op, e.dtype, value, apply.attributes.axes.at(0));
  return reduce(apply.op, e.dtype, value, apply.attributes.axes, apply.attributes.keepdims);
}

Value Evaluator::elementwise(const Apply& apply, const Typed& e) {
  if (apply.op == Op::where) return choose(apply, e);
  if (apply.op == Op::logical_and || apply.op == Op::logical_or) return short_circuit(apply);
  if (apply.op == Op::add && !parameters_) {
    for (size_t i : {1, 0}) {
      if (accumulates(apply.args[i], e.dtype, e.shape)) {
        return accumulate(apply.args[i], [&] { return evaluate(apply.args[1 - i]); });
      }
    }
  }
  std::vector<Value> operands;
  for (const TypedPtr& arg : apply.args) operands.push_back(evaluate(arg));
  return apply_elementwise(apply.op, e.dtype, std::move(operands));
}

// A scalar condition decides which arm is evaluated at all.
Value Evaluator::choose(const Apply& apply, const Typed& e) {
  const Value test = evaluate(apply.args[0]);
  if (test.shape.empty()) {
    const Value arm = convert(evaluate(apply.args[integer_of(test) ? 1 : 2]), e.dtype);
    return !parameters_ && concrete(e.shape) ? broadcast(arm, e.shape) : arm;
  }
  return apply_elementwise(Op::where, e.dtype, {test, evaluate(apply.args[1]), evaluate(apply.args[2])});
}

// The result of `and` or `or`; of two scalars, the right one is not evaluated if the left one decides.
Value Evaluator::short_circuit(const Apply& apply) {
  const Value left = evaluate(apply.args[0]);
  if (left.shape.empty() && apply.args[1]->shape.empty() && (integer_of(left) != 0) == (apply.op == Op::logical_or)) {
    return convert(left, DType::boolean);
  }
  return apply_elementwise(apply.op, DType::boolean, {left, evaluate(apply.args[1])});
}

bool Evaluator::accumulates(const TypedPtr& expr, DType dtype, const Shape& shape) {
  return expr->applies(Op::dot) && expr->dtype == dtype && expr->shape == shape;
}

Value Evaluator::accumulate(const TypedPtr& expr, const std::function<Value()>& start) {
  return multiply(*expr->applies(Op::dot), expr->dtype, start);
}

// Sums each part by itself, scales it, and adds it to what came before, from left to right.
Value Evaluator::multiply_scaled(const Apply& apply, DType dtype, const DotForm& form,
                                 const std::function<Value()>& start) {
  const Value a = evaluate(apply.args[0]), b = evaluate(apply.args[1]);
  std::vector<Value> scales;
  for (size_t i = 2; i < apply.args.size(); ++i) scales.push_back(evaluate(apply.args[i]));
  const Typed whole{{}, dtype, {}, apply};
  std::optional<Value> sum = start ? std::optional(start()) : std::nullopt;
  for (int64_t group = 0; group < groups_of(apply); ++group) {
    const TypedPtr part = dot_of_group(std::make_shared<const Typed>(whole), group);
    const auto of_part = [&](const Value& value, size_t number) {
      const TypedPtr operand = dot_operand(*part->as<Apply>(), number);
      return operand == apply.args[number] ? value : slice(value, *operand->as<Apply>(), {});
    };
    Value scaled = dot(of_part(a, 0), of_part(b, 1), dtype, form, std::nullopt);
    for (size_t i = 0; i < scales.size(); ++i) {
      const TypedPtr column = scale_of_group(apply.args[2 + i], group);
      Value scale = convert(slice(scales[i], *column->as<Apply>(), {}), dtype);
      if (i > 0 || !apply.attributes.scales_a) scale = transpose(scale, {1, 0});
      scaled = apply_elementwise(Op::multiply, dtype, {std::move(scaled), std::move(scale)});
    }
    sum = sum ? apply_elementwise(Op::add, dtype, {*std::move(sum), std::move(scaled)}) : std::move(scaled);
  }
  if (sum) return *sum;
  return dot(a, b, dtype, form, std::nullopt);  // it contracts over nothing: 0
}

Value Evaluator::multiply(const Apply& apply, DType dtype, const std::function<Value()>& start) {
  DotForm form{apply.attributes.trans_a, apply.attributes.trans_b, DotForm::Precision::exact};
  if (apply.attributes.precision == "tf32") form.precision = DotForm::Precision::tf32;
  if (apply.attributes.precision == "bf16x3") form.precision = DotForm::Precision::bf16x3;
  if (apply.args.size() > 2) return multiply_scaled(apply, dtype, form, start);
  const Value a = evaluate(dot_operand(apply, 0)), b = evaluate(dot_operand(apply, 1));
  return dot(a, b, dtype, form, start ? std::optional(start()) : std::nullopt);
}

Value Evaluator::shaped(const Apply& apply, const Typed& e) {
  if (apply.op == Op::iota) return iota(e.dtype, e.shape, apply.attributes.axes.at(0));
  if (apply.op == Op::concatenate) {
    std::vector<Value> parts;
    for (const TypedPtr& arg : apply.args) parts.push_back(evaluate(arg));
    return concatenate(parts, apply.attributes.axes.at(0), e.dtype);
  }
  const Value value = evaluate(apply.args[0]);
  switch (apply.op) {
    case Op::transpose:
      return transpose(value, apply.attributes.axes);
    case Op::full:
    case Op::broadcast_to:
      return broadcast(convert(value, e.dtype), e.shape);
    case Op::slice:
      return slice(value, apply, e.span);
    default:
      return reshaped(value, e.shape);
  }
}

Value Evaluator::slice(const Value& value, const Apply& apply, Span span) {
  const Selection selection = select(dense_space(value.shape, ""), resolve(apply.attributes.items), nullptr, span);
  Value result = make_value(value.dtype, selection.shape);
  with_carrier(value.dtype, [&](auto zero) {
    using T = decltype(zero);
    T* to = result.edit<T>();
    for (const ElementRun& run : selection.runs) to = std::copy_n(value.as<T>() + run.source, run.count, to);
  });
  return result;
}

// Calls a function of a C++ header on arrays of elements.
Value Evaluator::call_external(const ExternFunction& function, std::vector<Value>& parameters, const Shape& shape,
                               Span span) {
  std::vector<const void*> args;
  for (Value& parameter : parameters) {
    parameter = broadcast(parameter, shape);
    args.push_back(parameter.data.get());
  }
  Value result = make_value(function.result, shape);
  const std::string refusal = function.run(args, result.data.get(), result.size());
  if (!refusal.empty()) {
    throw Fault{kRunExtern, span,
                fmt::format("'{}' of \"{}\" cannot be run: {}", function.name, function.header->include, refusal)};
  }
  return result;
}

Value Evaluator::call(const CallFunction& call, const Typed& e) {
  const Function& function = (*env_.functions)[static_cast<size_t>(call.function)];
  std::vector<Value> parameters;
  Shape shape;
  for (size_t i = 0; i < call.args.size(); ++i) {
    parameters.push_back(convert(evaluate(call.args[i]), function.parameters[i].second));
    shape = broadcast_shape(shape, parameters.back().shape);
  }
  if (function.external) return convert(call_external(*function.external, parameters, shape, e.span), e.dtype);
  std::vector<Value>* frame = std::exchange(parameters_, &parameters);
  const Value result = broadcast(convert(evaluate(function.body), e.dtype), shape);
  parameters_ = frame;
  return result;
}

}  // namespace pallasgen::interpreter
