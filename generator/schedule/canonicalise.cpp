#include "schedule/canonicalise.h"

#include "cuts.h"
#include "expanded_dots.h"
#include "sink.h"
#include "steps.h"
#include "unseen.h"

namespace pallasgen::schedule {

namespace {

using namespace tile;

// Defines values that are read before their definition, as undefined, at the start of the block.
void define_undefined(Block& block) {
  const std::set<int> undefined = undefined_at_start(block);
  Block starts;
  for (int value : undefined) starts.push_back({{}, "", Assign{{value}, nullptr}});
  block.insert(block.begin(), std::make_move_iterator(starts.begin()), std::make_move_iterator(starts.end()));
}

}  // namespace

tile::Program canonicalise(const std::shared_ptr<const Kernel>& checked, const std::string& target) {
  const std::shared_ptr<const Kernel> expanded = with_dots_expanded(*checked);
  const std::shared_ptr<const Kernel>& kernel = expanded ? expanded : checked;
  Program program;
  program.declarations = kernel;
  program.target = target;
  program.pass = "canonicalise";
  Translation translation(*kernel, program);
  Block body = Steps(*kernel, program, translation).run();
  drop_copies_to_themselves(body);
  sink_reads(program, body);
  drop_unused_reads(program, body);
  drop_unused_old_values(program, body);
  if (kernel->checks.empty()) drop_unused_values(program, body);  // else reads that nothing uses are checked
  cut_loops(*kernel, program, translation, body);
  define_undefined(body);
  if (kernel->skip) {
    TypedPtr runs = pallasgen::apply(kernel->skip->span, Op::logical_not, DType::boolean, {}, {kernel->skip});
    Block whole;
    whole.push_back({kernel->skip->span, "", If{std::move(runs), {}, std::move(body), {}}});
    body = std::move(whole);
  }
  Role all{"all", {}};
  all.body.push_back({kernel->span, "", ForTiles{std::move(body)}});
  all.duties.computes = true;
  program.roles.push_back(std::move(all));
  find_carries(program);
  drop_unseen_limits(program);
  return program;
}

}  // namespace pallasgen::schedule
