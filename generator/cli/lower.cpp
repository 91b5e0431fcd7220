#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>

#include "commands.h"
#include "output/output.h"
#include "plan/passes.h"
#include "plan/plan.h"
#include "tile/rules.h"
#include "tile/text.h"

namespace pallasgen {

namespace {

// True if nothing is wrong with the program; else false with a diagnostic for each fault.
bool is_sound(const tile::Program& program, Span place, Diagnostics& diagnostics) {
  const std::vector<std::string> wrong = verify_pass(program.pass, program);
  for (const std::string& message : wrong)
    diagnostics.error(tile::kTileText, place, message)
        .note(fmt::format("`lower SPEC --to {}` prints a program without this", program.pass));
  return wrong.empty();
}

// The tile program in the file, a text of this kernel for this target; nullopt with diagnostics.
std::optional<tile::Program> read_program(const std::string& file, const Kernel& kernel, const Target& target,
                                          Sources& sources, Diagnostics& diagnostics) {
  const std::optional<std::string> text = read_file(file, diagnostics);
  if (!text) return std::nullopt;
  const SourceText& source = sources.add(file, *text);
  std::optional<tile::Program> program = tile::read_text(source, diagnostics, kernel.externs);
  if (!program) return std::nullopt;
  const Span head{&source, 0, static_cast<uint32_t>(std::min(text->find('\n'), text->size()))};
  const std::vector<std::string_view> known = pass_names();
  const auto refuse = [&](const std::string& message, const std::string& note) {
    diagnostics.error(tile::kTileText, head, message).note(note);
    return std::nullopt;
  };
  if (program->declarations->name != kernel.name)
    return refuse(fmt::format("this is a program of kernel '{}'", program->declarations->name),
                  fmt::format("the spec has kernel '{}'", kernel.name));
  if (program->target != target.name)
    return refuse(fmt::format("this is a program for '{}'", program->target),
                  fmt::format("the plan is for '{}'; `--target` names another", target.name));
  if (std::find(known.begin(), known.end(), program->pass) == known.end())
    return refuse(fmt::format("'{}' is no pass", program->pass), fmt::format("passes: {}", fmt::join(known, ", ")));
  return is_sound(*program, head, diagnostics) ? std::move(program) : std::nullopt;
}

// The last of the programs, if it is the one after the pass; nullopt with diagnostics that say what stopped the passes.
std::optional<tile::Program> last_of(std::vector<tile::Program> made, const std::string& pass, const Kernel& kernel,
                                     Diagnostics& diagnostics) {
  const auto found =
      std::find_if(made.begin(), made.end(), [&](const tile::Program& each) { return each.pass == pass; });
  const bool stopped = found == made.end() || found->shortage || !found->refusals.empty() || !found->retry.empty();
  if (!stopped) return std::move(*found);
  tile::Program& last = made.back();
  if (!report_refusals(last, diagnostics)) return std::nullopt;
  if (last.shortage) {
    report_shortage(last, stages_that_plan(kernel, last.target, last.shortage->stages), diagnostics);
    return std::nullopt;
  }
  for (const tile::Choice& choice : last.retry)
    diagnostics
        .error(tile::kTileText, last.declarations->span,
               fmt::format("'{}' cannot have {}: {}", last.pass, row_of(choice.kind).words, choice.why))
        .note(fmt::format("earlier passes act on `{}`: go on from the text of `canonicalise`, which all of them take",
                          tile::choice_text(last, choice)));
  if (last.retry.empty())
    diagnostics
        .error(kCommandLine, {}, fmt::format("--to '{}': the program is after '{}' already", pass, made.front().pass))
        .note("`--from` goes on with the passes after that one");
  return std::nullopt;
}

// True if the program has the lines that plans take from the spec's own program `own`; else false with a diagnostic.
bool has_frame_of(const tile::Program& own, const tile::Program& program, Span place, Diagnostics& diagnostics) {
  const std::vector<std::string> given = tile::frame_of(program), wanted = tile::frame_of(own);
  const auto [has, needs] = std::mismatch(given.begin(), given.end(), wanted.begin(), wanted.end());
  if (has == given.end() && needs == wanted.end()) return true;
  const auto quoted = [](bool none, const auto& line) {
    return none ? std::string("nothing more") : "'" + *line + "'";
  };
  diagnostics
      .error(tile::kTileText, place,
             fmt::format("the program has {} where that of the spec has {}", quoted(has == given.end(), has),
                         quoted(needs == wanted.end(), needs)))
      .note(
          "a plan takes declarations, roles, families and the order of tiles from the spec: change them there, or by "
          "-D");
  return false;
}

}  // namespace

std::optional<tile::Program> lowered_to(const std::string& pass, SpecResult& result, const CommonOptions& options,
                                        bool for_plan) {
  const auto kernel = std::make_shared<const Kernel>(*result.kernel);
  const std::string& name = options.target.empty() ? kernel->targets.front() : options.target;
  const Target* target = target_named(*kernel, name, result.diagnostics);
  if (!target) return std::nullopt;
  std::optional<tile::Program> from;
  if (!options.from.empty()) {
    from = read_program(options.from, *kernel, *target, result.sources, result.diagnostics);
    if (!from) return std::nullopt;
    if (!for_plan) return last_of(lower_from(std::move(*from), *target, pass), pass, *kernel, result.diagnostics);
  }
  std::vector<tile::Program> made = lower_through(PreparedKernel(kernel, *target), choices_of_plan(*kernel, name));
  if (!from) return last_of(std::move(made), pass, *kernel, result.diagnostics);
  const std::optional<tile::Program> own = last_of(std::move(made), from->pass, *kernel, result.diagnostics);
  if (!own || !has_frame_of(*own, *from, kernel->span, result.diagnostics)) return std::nullopt;
  from->honoured = own->honoured;
  return last_of(lower_from(std::move(*from), *target, pass), pass, *kernel, result.diagnostics);
}

namespace {

bool has(const std::vector<std::string_view>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// What the spec's program is behind a pass or a step, as text, or the generated file; nullopt with diagnostics.
std::optional<std::string> text_after(const std::string& to, SpecResult& result, const CommonOptions& options) {
  const std::vector<std::string_view> passes = pass_names();
  if (has(passes, to)) {
    const std::optional<tile::Program> lowered = lowered_to(to, result, options);
    return lowered ? std::optional(tile::to_text(*lowered)) : std::nullopt;
  }
  const std::optional<tile::Program> last = lowered_to(std::string(passes.back()), result, options, true);
  if (!last) return std::nullopt;
  const PreparedKernel prepared(std::make_shared<const Kernel>(*result.kernel), *find_target(last->target));
  if (!is_sound(*last, result.kernel->span, result.diagnostics)) return std::nullopt;
  std::optional<std::string> text;
  bool reached = false;  // a later step may fail
  const auto keep = [&](std::string_view step, const Plan& plan) {
    if (step != to) return;
    reached = true;
    text = emit_statements(plan, options.template_dir, result.diagnostics);
  };
  const std::optional<Plan> plan = plan_of(prepared, *last, result.diagnostics, keep);
  if (reached) return text;
  const std::optional<EmittedFiles> files = plan ? emit_files(*plan, result, options) : std::nullopt;
  return files ? std::optional(files->cu) : std::nullopt;
}

// How long the passes and steps to the spec's plan take, one after the other, in milliseconds; what the search for
// other choices takes is no part of it. Nullopt with diagnostics.
std::optional<std::string> times_of(SpecResult& result, const CommonOptions& options) {
  using Clock = std::chrono::steady_clock;
  const auto kernel = std::make_shared<const Kernel>(*result.kernel);
  const std::string& name = options.target.empty() ? kernel->targets.front() : options.target;
  const Target* target = target_named(*kernel, name, result.diagnostics);
  if (!target) return std::nullopt;
  std::vector<tile::Program> made = lower_through(PreparedKernel(kernel, *target), choices_of_plan(*kernel, name));
  const tile::Choices choices = made.front().choices;
  if (!last_of(std::move(made), std::string(pass_names().back()), *kernel, result.diagnostics)) return std::nullopt;
  std::string text;
  Clock::time_point began = Clock::now();
  const auto done = [&](std::string_view step) {
    const std::chrono::duration<double, std::milli> took = Clock::now() - began;
    text += fmt::format("{:8.3f}  {}\n", took.count(), step);
    began = Clock::now();
  };
  const PreparedKernel prepared(kernel, *target);
  done("prepare");
  tile::Program program = canonical_program(prepared, choices);
  done("canonicalise");
  for (const Pass& pass : passes()) {
    program = run_pass(pass.name, program, *target);
    done(pass.name);
  }
  const std::optional<Plan> plan =
      plan_of(prepared, program, result.diagnostics, [&](std::string_view step, const Plan&) { done(step); });
  if (!plan || !emit_files(*plan, result, options)) return std::nullopt;
  done("emit");
  return text;
}

}  // namespace

int run_lower(const CommonOptions& options, const std::string& to, bool times) {
  std::vector<std::string_view> names = pass_names();
  for (std::string_view step : plan_step_names()) names.push_back(step);
  names.emplace_back("cu");
  Diagnostics of_options;
  if (to != "ops" && !has(names, to))
    of_options.error(kCommandLine, {},
                     fmt::format("--to '{}' is not known; 'ops', '{}' are", to, fmt::join(names, "', '")));
  if (to == "ops" && !options.from.empty())
    of_options.error(kCommandLine, {}, "--from goes on with a tile program, and --to ops prints the spec");
  if (times && !options.from.empty())
    of_options.error(kCommandLine, {}, "--times are those of the spec's own programs, and --from names another");
  print(of_options, options);
  if (of_options.has_errors()) return kUsage;
  int code = kFine;
  const auto results = load_or_report(options, to == "ops" ? Stage::read : Stage::check, code);
  if (!results) return code;
  for (const auto& result : *results) {
    const std::optional<std::string> text = to == "ops" ? to_ops_json(*result->spec)
                                            : times     ? times_of(*result, options)
                                                        : text_after(to, *result, options);
    if (text) {
      fmt::print("{}", *text);
    } else {
      print(result->diagnostics, options);
      code = kSpecWrong;
    }
  }
  return code;
}

}  // namespace pallasgen
