#include <fmt/format.h>

#include <algorithm>

#include "declarations/blocks.h"
#include "declarations/declarations.h"
#include "expressions/calls.h"
#include "expressions/evaluate.h"
#include "names/names.h"

namespace pallasgen {

namespace {

constexpr Place kShapePlace{"the shape of an array", true, false, false, false, 0, true, "dims and consts"};

class RefCheck {
 public:
  RefCheck(Context& context, const RefSpec& spec)
      : context_(context), spec_(spec), constants_{context, kConstantPlace}, shapes_{context, kShapePlace} {}

  // Returns the id of the ref in the kernel: -1 if it is not present, -2 after an error.
  int run() {
    if (spec_.present) {
      const std::optional<bool> present =
          constant_bool(constants_, spec_.present, fmt::format("'present' of '{}'", spec_.name));
      if (!present) return -2;
      if (!*present) return -1;
    }
    if (!has_meaning()) return -2;
    Ref ref;
    ref.name = spec_.name;
    ref.role = spec_.role;
    ref.doc = spec_.doc;
    ref.span = spec_.span;
    ref.type_span = spec_.type.span;
    ref.index_map_span = spec_.index_map ? spec_.index_map_span : spec_.span;
    ref.space_given = spec_.space != MemorySpace::automatic;
    ref.space = ref.space_given ? spec_.space : MemorySpace::smem;
    bool good = type(ref);
    settings(ref);  // its errors leave the ref's type usable
    if (spec_.type.dtype && spec_.type.array) {
      const bool shaped = std::all_of(ref.array_shape.begin(), ref.array_shape.end(),
                                      [](const auto& extent) { return extent != nullptr; });
      good = shaped &&
             (spec_.role == RefRole::workspace ? workspace_block(ref)
              : spec_.role == RefRole::scratch ? scratch_block(ref)
                                               : check_block(context_, spec_, ref)) &&
             good;
    }
    if (good) good = strides(ref);
    if (!good) return -2;
    context_.kernel.refs.push_back(std::move(ref));
    return static_cast<int>(context_.kernel.refs.size()) - 1;
  }

 private:
  Context& context_;
  const RefSpec& spec_;
  TypingContext constants_, shapes_;

  bool not_yet(Span span, const std::string& what) {
    context_.diagnostics.error(kNotYet, span, fmt::format("{} of '{}' has no meaning yet", what, spec_.name));
    return false;
  }

  bool refuse(Span span, const std::string& message, const std::string& remedy) {
    context_.diagnostics.error(kRefSetting, span, message).note(remedy);
    return false;
  }

  bool has_meaning() {
    bool good = true;
    if (spec_.barrier) good = not_yet(spec_.span, "'barrier'");
    if (!spec_.mesh_settings.empty()) {
      const Setting& setting = spec_.mesh_settings[0];
      good = not_yet(setting.span.source ? setting.span : spec_.span, fmt::format("'{}'", setting.name));
    }
    return good;
  }

  bool type(Ref& ref) {
    const TypeSpec& type = spec_.type;
    if (!type.dtype) {
      context_.diagnostics.error(kRefType, spec_.span, fmt::format("'{}' has no type", spec_.name))
          .note("write type: \"f32[N]\"");
      return false;
    }
    const std::optional<DType> dtype = dtype_of(constants_, type.dtype);
    if (dtype) ref.dtype = *dtype;
    bool good = dtype.has_value();
    if (!type.array) {
      context_.diagnostics.error(kRefType, type.span, fmt::format("'{}' needs the brackets of a shape", spec_.name))
          .note(fmt::format("{0}[] is an array without dimensions, {0}[N] one of one", to_string(*type.dtype)));
      return false;
    }
    const bool scratch = spec_.role == RefRole::scratch;
    for (const ExprPtr& dim : type.dims) {
      const std::string what = fmt::format("an extent of '{}'", spec_.name);
      TypedPtr extent;
      if (scratch) constants_.keep_constants = true;
      extent = scratch ? index_of(constants_, dim, what, kRefType) : index_of(shapes_, dim, what, kRefType);
      constants_.keep_constants = false;
      ref.array_shape.push_back(extent);
      if (!extent) {
        good = false;
        continue;
      }
      const Bounds range = bounds(extent, context_.kernel.facts());
      if (range.maximum && *range.maximum < (scratch ? 1 : 0)) {
        context_.diagnostics.error(
            kRefType, dim->span,
            fmt::format("{} is {}, but must be at least {}", what, *range.maximum, scratch ? 1 : 0));
        good = false;
      }
    }
    if (good && !fits_memory(ref)) {
      context_.diagnostics
          .error(kRefType, type.span, fmt::format("'{}' has more than 2^63 bits, which no memory holds", spec_.name))
          .note("extents that are multiplied by a mistake?");
      good = false;
    }
    if (scratch && (spec_.space == MemorySpace::acc) && dtype && *dtype != DType::f32 && *dtype != DType::i32 &&
        *dtype != DType::f16 && *dtype != DType::f64) {
      context_.diagnostics
          .error(kRefType, type.span, fmt::format("the accumulator '{}' cannot be {}", spec_.name, name_of(*dtype)))
          .note("an accumulator is f32, f16, f64 or i32");
      good = false;
    }
    return good;
  }

  // True if offsets in the array fit in 64 bits, as far as its extents are known.
  bool fits_memory(const Ref& ref) const {
    int64_t bits = info(ref.dtype).bits;
    bool fits = true;
    for (const TypedPtr& extent : ref.array_shape) {
      const int64_t least = bounds(extent, context_.kernel.facts()).minimum.value_or(0);
      if (least == 0) return true;
      fits = fits && !__builtin_mul_overflow(bits, least, &bits);
    }
    return fits;
  }

  // The input whose array the output shares; empty if it has one of its own.
  std::string aliased_input() const {
    for (const auto& [output, input] : context_.spec.aliases)
      if (output.name == spec_.name) return input.name;
    return "";
  }

  bool settings(Ref& ref) {
    const bool scratch = spec_.role == RefRole::scratch, input = spec_.role == RefRole::input;
    bool good = true;
    if (spec_.fill && !input) {
      const std::string source = aliased_input();
      good =
          refuse(spec_.fill->span,
                 fmt::format("'fill' of '{}': only what is read from memory can lie past the end", spec_.name),
                 source.empty()
                     ? "an input has 'fill', an output may have 'init'"
                     : fmt::format("it is the array of '{}', by whose 'fill' it is read: leave this one out", source));
    } else if (spec_.fill) {
      ref.fill = constant_of(constants_, spec_.fill, ref.dtype, fmt::format("'fill' of '{}'", spec_.name));
    }
    if (spec_.init)
      ref.init = constant_of(constants_, spec_.init, ref.dtype, fmt::format("'init' of '{}'", spec_.name));
    ref.reduce = spec_.reduce;
    if (spec_.reduce && !spec_.init) {
      good =
          refuse(spec_.reduce_span,
                 fmt::format("'reduce' of '{}' needs 'init': the value that the blocks are combined with", spec_.name),
                 "write init: 0");
    }
    if (!scratch && (spec_.space == MemorySpace::acc || spec_.space == MemorySpace::reg)) {
      good = refuse(spec_.space_span, fmt::format("'{}' cannot live in registers: only scratch can", spec_.name),
                    "leave 'space' out, or make a scratch ref and assign to it");
    }
    const auto count = [&](const ExprPtr& expr, std::string_view key, std::optional<int>& out, int64_t most) {
      if (!expr) return;
      const std::optional<int64_t> value =
          constant_integer(constants_, expr, fmt::format("'{}' of '{}'", key, spec_.name));
      if (value && (*value < 0 || *value > most)) {
        good = refuse(expr->span, fmt::format("'{}' of '{}' is {}, but must be 0 to {}", key, spec_.name, *value, most),
                      "leave it out to take the one of 'pipeline'");
      } else if (value && !input) {
        good = refuse(expr->span, fmt::format("'{}' of '{}': only inputs are prefetched", key, spec_.name),
                      "leave it out");
      } else {
        good = good && value;
        if (value) out = static_cast<int>(*value);
      }
    };
    ref.multicast = spec_.multicast;
    for (const auto& [name, value] : spec_.transforms) good = transform(name, value, ref) && good;
    if (scratch && spec_.space == MemorySpace::gmem) {
      good = refuse(spec_.space_span, fmt::format("scratch '{}' cannot live in global memory", spec_.name),
                    "put it into 'workspace', which all programs of a launch share");
    }
    if (spec_.reduce && spec_.space == MemorySpace::gmem) {
      good = refuse(spec_.reduce_span,
                    fmt::format("'reduce' of '{}', which no block is copied to: it has space: gmem", spec_.name),
                    "combine elements with atomics, or leave 'space' out");
    }
    const NameExpr* word = spec_.stages ? spec_.stages->as<NameExpr>() : nullptr;
    if (input && word && word->name == "auto")
      ref.automatic_stages = true;
    else
      count(spec_.stages, "stages", ref.stages, kMostStages);
    count(spec_.delay_release, "delay_release", ref.delay_release, 63);
    return good;
  }

  bool transform(const std::string& name, const ExprPtr& value, Ref& ref) {
    Transform out{name, {}, value ? value->span : spec_.span};
    if (!value)
      return refuse(out.span, fmt::format("the transform '{}' of '{}' has no value", name, spec_.name),
                    "tile: [8, 64]");
    for (const ExprPtr& entry : entries_of(value)) {
      const std::optional<int64_t> number =
          constant_integer(constants_, entry, fmt::format("'{}' of '{}'", name, spec_.name));
      if (!number) return false;
      out.numbers.push_back(*number);
    }
    const auto positive = [](int64_t n) { return n > 0; };
    const int64_t bytes = out.numbers.empty() ? 0 : out.numbers[0];
    if (name == "swizzle" && (out.numbers.size() != 1 || (bytes != 16 && bytes != 32 && bytes != 64 && bytes != 128)))
      return refuse(out.span, fmt::format("'swizzle' of '{}' is {}", spec_.name, bytes),
                    "it is 16, 32, 64 or 128 bytes");
    if (name == "tile" && (out.numbers.empty() || !std::all_of(out.numbers.begin(), out.numbers.end(), positive)))
      return refuse(out.span, fmt::format("'tile' of '{}' needs sizes of at least 1", spec_.name), "tile: [8, 64]");
    if (name == "transpose") {
      std::vector<int64_t> sorted = out.numbers;
      std::sort(sorted.begin(), sorted.end());
      for (size_t i = 0; i < sorted.size(); ++i) {
        if (sorted[i] != static_cast<int64_t>(i))
          return refuse(out.span, fmt::format("'transpose' of '{}' is no order of its dims", spec_.name),
                        "transpose: [1, 0]");
      }
    }
    ref.transforms.push_back(std::move(out));
    return true;
  }

  bool scratch_block(Ref& ref) {
    for (size_t i = 0; i < ref.array_shape.size(); ++i) {
      BlockDim dim;
      dim.kind = BlockKind::whole;
      dim.size_expr = ref.array_shape[i];
      const std::optional<int64_t> extent =
          evaluate_index(ref.array_shape[i], [](const Symbol&) { return std::optional<int64_t>(); });
      if (!extent) return false;
      dim.size = *extent;
      dim.index = index_constant(0);
      dim.span = spec_.type.dims[i]->span;
      ref.shape.push_back(*extent);
      ref.block.push_back(std::move(dim));
    }
    return true;
  }

  // The block of a workspace ref: the whole array, whose extents may be runtime sizes.
  bool workspace_block(Ref& ref) {
    ref.space = MemorySpace::gmem;
    for (size_t i = 0; i < ref.array_shape.size(); ++i) {
      BlockDim dim;
      dim.kind = BlockKind::whole;
      dim.size_expr = ref.array_shape[i];
      dim.size =
          evaluate_index(ref.array_shape[i], [](const Symbol&) { return std::optional<int64_t>(); }).value_or(-1);
      dim.index = index_constant(0);
      dim.span = spec_.type.dims[i]->span;
      ref.shape.push_back(dim.size);
      ref.block.push_back(std::move(dim));
    }
    return true;
  }

  bool strides(Ref& ref) {
    if (!spec_.strides) return true;
    if (spec_.strides->size() != ref.array_shape.size()) {
      context_.diagnostics.error(kBlockRank, spec_.strides_span,
                                 fmt::format("'strides' of '{}' has {} entries, but its array has {} dimensions",
                                             spec_.name, spec_.strides->size(), ref.array_shape.size()));
      return false;
    }
    ref.strides.resize(ref.array_shape.size());
    TypedPtr contiguous = index_constant(1);
    for (size_t i = ref.array_shape.size(); i > 0; --i) {
      const ExprPtr& expr = (*spec_.strides)[i - 1];
      const NameExpr* name = expr->as<NameExpr>();
      TypedPtr stride = name && name->name == "_"
                            ? contiguous
                            : index_of(shapes_, expr, fmt::format("a stride of '{}'", spec_.name), kRefType);
      if (!stride) return false;
      const Bounds range = bounds(stride, context_.kernel.facts());
      const int64_t least = spec_.role == RefRole::output ? 1 : 0;
      if (range.maximum && *range.maximum < least && !(name && name->name == "_")) {
        return refuse(expr->span,
                      fmt::format("a stride of '{}' is {}, but must be at least {}", spec_.name, *range.maximum, least),
                      least ? "the elements of an output must not overlap" : "strides count forwards");
      }
      contiguous = index_apply(Op::multiply, stride, ref.array_shape[i - 1]);
      ref.strides[i - 1] = std::move(stride);
    }
    return true;
  }
};

void check_aliases(Context& context) {
  for (const auto& [output, input] : context.spec.aliases) {
    const auto find = [&](const Named& named, RefRole role, std::string_view what) -> Ref* {
      const Name* entry = context.find(named.name);
      if (entry && entry->kind == NameKind::ref && entry->id < 0) return nullptr;
      if (entry && entry->kind == NameKind::ref && context.kernel.refs[entry->id].role == role)
        return &context.kernel.refs[entry->id];
      if (context.clashes(named.name)) return nullptr;
      Diagnostic& out = context.diagnostics.error(
          kAlias, named.span,
          fmt::format("'{}' is {}, not {}", named.name, entry ? kind_text(context, named.name) : "not defined", what));
      out.note("aliases maps an output to the input whose buffer it is: {output: input}");
      return nullptr;
    };
    Ref* to = find(output, RefRole::output, "an output");
    Ref* from = find(input, RefRole::input, "an input");
    if (!to || !from) continue;
    bool same = to->dtype == from->dtype && to->array_shape.size() == from->array_shape.size();
    for (size_t i = 0; same && i < to->array_shape.size(); ++i) same = equal(to->array_shape[i], from->array_shape[i]);
    if (!same) {
      const auto text = [](const Ref& ref) {
        std::string dims;
        for (const TypedPtr& extent : ref.array_shape) dims += (dims.empty() ? "" : ", ") + to_string(extent);
        return fmt::format("{}[{}]", name_of(ref.dtype), dims);
      };
      context.diagnostics.error(kAlias, output.span,
                                fmt::format("'{}' is {} and '{}' is {}: one buffer has one type and shape", to->name,
                                            text(*to), from->name, text(*from)));
      continue;
    }
    const int id = static_cast<int>(from - context.kernel.refs.data());
    for (const Ref& other : context.kernel.refs) {
      if (other.alias_of == id)
        context.diagnostics.error(kAlias, input.span,
                                  fmt::format("'{}' is the buffer of '{}' already", from->name, other.name));
    }
    to->alias_of = id;
  }
}

}  // namespace

int check_scoped_ref(Context& context, const RefSpec& spec) { return RefCheck(context, spec).run(); }

void check_refs(Context& context) {
  for (const RefSpec& spec : context.spec.refs) {
    Name* name = context.find(spec.name);
    const int id = RefCheck(context, spec).run();
    if (name && name->kind == NameKind::ref && name->id == -2) name->id = id;
  }
  check_aliases(context);
}

}  // namespace pallasgen
