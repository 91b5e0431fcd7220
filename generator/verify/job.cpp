#include "job.h"

#include <fmt/format.h>

#include <filesystem>
#include <sstream>

#include "output/output.h"
#include "printed.h"
#include "strided.h"
#include "verify/process.h"

namespace pallasgen {

namespace fs = std::filesystem;

namespace {

std::string bytes_text(const Array& array) {
  return {reinterpret_cast<const char*>(array.bytes.data()), array.bytes.size()};
}

Shape shape_of(const Kernel& kernel, const std::vector<TypedPtr>& extents, const std::map<std::string, int64_t>& dims,
               int64_t num_sms) {
  Shape shape;
  for (const TypedPtr& extent : extents)
    shape.push_back(evaluate_index(extent, [&](const Symbol& symbol) -> std::optional<int64_t> {
                      if (symbol.kind == SymbolKind::num_sms) return num_sms;
                      if (symbol.kind != SymbolKind::dim) return std::nullopt;
                      const auto found = dims.find(kernel.dims[static_cast<size_t>(symbol.id)].name);
                      return found == dims.end() ? std::nullopt : std::optional(found->second);
                    }).value_or(0));
  return shape;
}

// The array for a launch before the compared one: the same elements in reverse order, so that values which that launch
// leaves in the workspace are wrong for the next.
Array reversed(const Array& array) {
  Array other = array;
  for (int64_t i = 0, size = array.size(); i < size; ++i) other.set(i, array.at(size - 1 - i));
  return other;
}

// True if the earlier launch gets other inputs. False if the kernel prints, as its lines are compared, and if a
// dependent launch must follow at once.
bool has_other_inputs_first(const Plan& plan) {
  return is_launched_twice(plan) && !plan.launch.dependent && !has_print(*plan.kernel);
}

// Settings for the emulator: `late`, `early` and `random` are its own words, `random:SEED` selects one schedule;
// anything else is passed through.
std::string emulator_settings(const std::string& policy) {
  if (const size_t colon = policy.find(':'); colon != std::string::npos)
    return fmt::format("policy={},seed={},sms={},statistics=1,counted_workspace=1", policy.substr(0, colon),
                       policy.substr(colon + 1), kEmulatedSms);
  if (policy.find('=') != std::string::npos) return fmt::format("sms={},{}", kEmulatedSms, policy);
  return fmt::format("policy={},seed=1,sms={},statistics=1,counted_workspace=1", policy, kEmulatedSms);
}

// Fill byte of outputs and workspace: NaN, 0 or a large number, by the policy or by the schedule's seed.
unsigned char fill_of(const std::string& policy) {
  constexpr unsigned char kNan = 0xff, kZero = 0, kLarge = 0x7f, kInTurn[] = {kNan, kZero, kLarge};
  const size_t seed = policy.find_last_of(":=");
  if (seed != std::string::npos) return kInTurn[std::strtoull(policy.c_str() + seed + 1, nullptr, 10) % 3];
  return policy == "late" ? kNan : policy == "early" ? kZero : kLarge;
}

// The number of CTAs that a line of the emulator's statistics gives for the kernel; 0 for any other line.
int64_t ctas_of(const std::string& line, const std::string& kernel) {
  const std::string begin = fmt::format("pallasgen emulator: {}_kernel: ", kernel);
  return line.starts_with(begin) ? std::strtoll(line.c_str() + begin.size(), nullptr, 10) : 0;
}

bool is_statistics(const std::string& line) {
  return line.starts_with("pallasgen emulator: ") && line.find(" CTAs; in all ") != std::string::npos;
}

std::string without_statistics(const std::string& output) {
  std::istringstream lines(output);
  std::string line, rest;
  while (std::getline(lines, line))
    if (!is_statistics(line)) rest += line + "\n";
  return rest;
}

// Describes how a program ended early: the signal or exit code, with the report of the emulator or a sanitizer.
std::string ended_by(const ProcessResult& result) {
  constexpr int kSignalled = 128, kSignals = 65;
  const int signal = result.exit_code - kSignalled;
  const std::string how = signal > 0 && signal < kSignals
                              ? fmt::format("the kernel's process was ended by {}", strsignal(signal))
                              : fmt::format("exit code {}", result.exit_code);
  return fmt::format("{}\n{}", how, without_statistics(result.output).substr(0, 6000));
}

}  // namespace

std::vector<int64_t> parallel_sizes(const Kernel& kernel, const std::map<std::string, int64_t>& dims, int64_t num_sms) {
  std::vector<TypedPtr> sizes;
  for (const Axis& axis : kernel.axes)
    if (!axis.sequential) sizes.push_back(axis.size);
  return shape_of(kernel, sizes, dims, num_sms);
}

int64_t programs_of(const Kernel& kernel, const std::map<std::string, int64_t>& dims, int64_t num_sms) {
  int64_t programs = 1;
  bool beyond = false;
  for (const int64_t size : parallel_sizes(kernel, dims, num_sms)) {
    if (size == 0) return 0;
    beyond = __builtin_mul_overflow(programs, size, &programs) || beyond;
  }
  return beyond ? INT64_MAX : programs;
}

JobFolder::JobFolder(std::string path) : path_(std::move(path)) {}

void JobFolder::add_ref(const Kernel& kernel, int index, const Arguments& arguments, bool has_first, Entry& entry) {
  const Ref& ref = kernel.refs[static_cast<size_t>(index)];
  const Shape shape = shape_of(kernel, ref.array_shape, arguments.dims, arguments.num_sms);
  const Shape strides = shape_of(kernel, ref.strides, arguments.dims, arguments.num_sms);
  const std::string file = fmt::format("{}/{}.{}", path_, entry.name, ref.name);
  const bool is_far = is_far_apart(ref.dtype, shape, strides);
  const size_t memory = spread_bytes(ref.dtype, shape, strides);
  const std::string places = is_far ? fmt::format("places {} {} {} {}\n", info(ref.dtype).bits / 8, shape.size(),
                                                  fmt::join(shape, " "), fmt::join(strides, " "))
                                    : "";
  if (ref.role == RefRole::output) {
    entry.outputs.push_back({ref.name, file, ref.dtype, shape, strides, true, is_far});
    entry.text += fmt::format("out {} {}\n{}", memory, file, places);
    return;
  }
  const Array& array = arguments.arrays.at(ref.name);
  std::optional<std::string> bytes = is_far ? bytes_text(array) : spread(array, strides, kBetween);
  if (!bytes) {
    entry.impossible = fmt::format("elements of '{}' that its strides put in one place differ", ref.name);
    return;
  }
  entry.text += fmt::format("in {} {}\n{}", memory, file, places);
  const bool is_alike = is_far || array.size() < 2 || !info(array.dtype).is_float;
  std::optional<std::string> first = has_first && !is_alike ? spread(reversed(array), strides, kBetween) : std::nullopt;
  if (first && *first != *bytes) {
    entry.text += fmt::format("first {}.first\n", file);
    entry.files.emplace_back(file + ".first", std::move(*first));
  }
  entry.files.emplace_back(file, std::move(*bytes));
  // An output may share this buffer.
  for (const Ref& other : kernel.refs) {
    if (other.alias_of != index) continue;
    const std::string back = fmt::format("{}/{}.{}", path_, entry.name, other.name);
    entry.outputs.push_back({other.name, back, ref.dtype, shape, strides, false, is_far});
    entry.text += fmt::format("back {}\n", back);
  }
}

void JobFolder::add(const Plan& plan, const std::string& name, const Arguments& arguments, int expected_error) {
  const Kernel& kernel = *plan.kernel;
  kernel_ = kernel.name;
  Entry entry;
  entry.name = name;
  entry.refused = expected_error != 0;
  entry.text = fmt::format("case {}\n", name);
  if (expected_error != 0) entry.text += fmt::format("expect {}\n", expected_error);
  const bool has_first = expected_error == 0 && has_other_inputs_first(plan);
  const auto add_input = [&](const std::string& array_name) {
    const std::string file = fmt::format("{}/{}.{}", path_, name, array_name);
    const Array& array = arguments.arrays.at(array_name);
    entry.files.emplace_back(file, bytes_text(array));
    entry.text += fmt::format("in {} {}\n", array.bytes.size(), file);
  };
  for (const Parameter& parameter : plan.launch.parameters) {
    const size_t index = static_cast<size_t>(std::max(parameter.index, 0));
    if (parameter.kind == ParameterKind::ref) {
      add_ref(kernel, parameter.index, arguments, has_first, entry);
    } else if (parameter.kind == ParameterKind::dim) {
      entry.text += fmt::format("dim {}\n", arguments.dims.at(kernel.dims[index].name));
    } else if (parameter.kind == ParameterKind::scalar && kernel.scalars[index].shape) {
      add_input(kernel.scalars[index].name);
    } else if (parameter.kind == ParameterKind::scalar) {
      const Scalar& value = arguments.scalars.at(kernel.scalars[index].name);
      if (const double* floating = std::get_if<double>(&value))
        entry.text += fmt::format("floating {}\n", *floating);
      else if (const bool* flag = std::get_if<bool>(&value))
        entry.text += fmt::format("integer {}\n", *flag ? 1 : 0);
      else
        entry.text += fmt::format("integer {}\n", std::get<int64_t>(value));
    }
  }
  if (const int64_t programs = programs_of(kernel, arguments.dims, arguments.num_sms); programs > 0) {
    const int64_t together = plan.launch.programs.value, tiles = programs / together + (programs % together != 0);
    const int64_t ctas = plan.launch.ctas > 0 ? std::min(tiles, plan.launch.ctas) : tiles;
    entry.most_ctas = ctas > INT32_MAX ? ctas : ctas * std::max<int64_t>(1, plan.launch.cluster.value);
    entry.text += fmt::format("ctas {}\n", entry.most_ctas);
  }
  if (expected_error == 0 && is_launched_twice(plan) && entry.text.find("\nfirst ") == std::string::npos)
    entry.text += "twice\n";
  entry.text += "end\n";
  entries_.push_back(std::move(entry));
}

void JobFolder::add_misuse(const Plan& plan, size_t base, const std::string& name, const Misuse& misuse) {
  Entry entry;
  entry.name = name;
  entry.refused = true;
  std::vector<std::string> dims;
  for (const Parameter& parameter : plan.launch.parameters)
    if (parameter.kind == ParameterKind::dim)
      dims.push_back(plan.kernel->dims[static_cast<size_t>(parameter.index)].name);
  entry.text = fmt::format("case {}\nexpect {}\n", name, misuse.error);
  std::istringstream lines(entries_[base].text);
  std::string line;
  size_t dim = 0;
  std::getline(lines, line);  // the name of the case
  while (std::getline(lines, line)) {
    if (line.starts_with("dim ")) {
      const auto broken = misuse.dims.find(dims[dim++]);
      if (broken != misuse.dims.end()) line = fmt::format("dim {}", broken->second);
    }
    if (line == "end" && !misuse.line.empty()) entry.text += misuse.line + "\n";
    const bool is_of_success = line == "twice" || line.starts_with("first ") || line.starts_with("back ");
    if (!is_of_success) entry.text += line + "\n";
  }
  entries_.push_back(std::move(entry));
}

bool JobFolder::run(const std::vector<std::string>& program, const std::string& policy, int seconds,
                    Diagnostics& diagnostics, std::vector<JobOutcome>& outcomes) {
  outcomes.assign(entries_.size(), {});
  for (const Entry& entry : entries_)
    for (const auto& [path, content] : entry.files)
      if (!write_file(path, content, diagnostics)) return false;
  const std::string job = path_ + "/job";
  const unsigned char fill = fill_of(policy);
  size_t next = 0;
  // Skips the cases that cannot run.
  const auto skip_impossible = [&] {
    for (; next < entries_.size() && !entries_[next].impossible.empty(); ++next)
      outcomes[next].failure = entries_[next].impossible;
  };
  for (skip_impossible(); next < entries_.size(); skip_impossible()) {
    std::string text = fmt::format("fill {}\n", fill);
    for (size_t i = next; i < entries_.size(); ++i) text += entries_[i].impossible.empty() ? entries_[i].text : "";
    if (!write_file(job, text, diagnostics)) return false;
    std::vector<std::string> command = program;
    command.push_back(job);
    const ProcessResult result = run_process(command, {{"PALLASGEN_EMULATOR", emulator_settings(policy)}}, seconds);
    std::istringstream lines(result.output);
    std::string line;
    int64_t ctas = 0;
    for (; next < entries_.size() && std::getline(lines, line); skip_impossible()) {
      const std::string& name = entries_[next].name;
      ctas = std::max(ctas, ctas_of(line, kernel_));
      if (line == "done " + name) {
        if (ctas > entries_[next].most_ctas)
          outcomes[next].failure =
              fmt::format("{} CTAs were launched, the grid has work for {}", ctas, entries_[next].most_ctas);
        ++next;
        ctas = 0;
      } else if (line.starts_with("failed " + name + ":")) {
        outcomes[next++].failure = line.substr(line.find(':') + 2);
        ctas = 0;
      } else if (!is_statistics(line)) {
        outcomes[next].printed.push_back(line);
      }
    }
    // The program ended in the first remaining case, or failed after the last one.
    if (next < entries_.size())
      outcomes[next++].failure = result.timed_out ? fmt::format("no end within {} s", seconds) : ended_by(result);
    else if (result.exit_code > 1 && outcomes.back().failure.empty())
      outcomes.back().failure = ended_by(result);
  }
  for (size_t i = 0; i < entries_.size(); ++i) {
    if (!outcomes[i].failure.empty() || entries_[i].refused) continue;
    for (const Output& output : entries_[i].outputs) {
      Diagnostics reading;
      const std::optional<std::string> content = read_file(output.path, reading);
      const Shape strides = output.is_far ? Shape() : output.strides;
      if (!content || content->size() != spread_bytes(output.dtype, output.shape, strides)) {
        outcomes[i].failure = fmt::format("the output '{}' was not written", output.name);
        break;
      }
      std::optional<Array> elements =
          gathered(*content, output.dtype, output.shape, strides, output.new_memory ? fill : kBetween);
      if (!elements) {
        outcomes[i].failure = fmt::format("memory beside the elements of '{}' was written", output.name);
        break;
      }
      outcomes[i].outputs.emplace(output.name, std::move(*elements));
    }
  }
  return true;
}

void JobFolder::remove() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace pallasgen
