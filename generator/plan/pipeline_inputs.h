#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "body.h"
#include "draft.h"
#include "tensor_copies.h"

namespace pallasgen {

// The inputs that a producer brings through rings: those that move with the steps (with the tile, where there are
// none), in groups that share one.
class PipelineInputs {
 public:
  PipelineInputs(Draft& draft, BlockReaders readers);

  // False after a refusal: a setting, an operand that no tensor copy takes, nothing to bring.
  bool find();

  // Sequential axes, on which the rings move.
  const std::vector<int>& axes() const { return axes_; }
  // Stages of the rings that have no number of their own, and whether there are any.
  int64_t stages() const { return stages_; }
  bool share_stages() const;
  void choose_stages(int64_t bytes_beside);
  // How many fit, with so many bytes of shared memory beside the rings.
  int64_t fitting_stages(int64_t bytes_beside) const;
  // Of all blocks of one step.
  double bytes() const;

  // Plans the rings of all groups. `in_rings` gets the place of each input. Null after a refusal.
  std::optional<std::vector<int>> add_rings(Draft& draft, const Number& stages, const Number& consumers,
                                            std::map<int, InRing>& in_rings) const;

 private:
  // `stages` 0: as the pipeline says.
  struct Group {
    int64_t stages, delay;
    Hands filled_by;
    std::vector<int> operands;
  };

  bool refuse(const Rule& rule, Span span, const std::string& message, const std::string& works);
  bool check_settings();
  // Who of the producer brings an operand into its ring: one thread by a tensor or a bulk copy, a warp by bulk copies
  // that may end early, or all. None: it stays in global memory.
  std::optional<Hands> way_of(int ref);
  bool join_ring(int ref, Hands filled_by);
  int64_t block_bytes(int operand) const;
  int64_t stage_bytes() const;

  Draft& draft_;
  const Kernel& kernel_;
  const PipelineSettings& pipeline_;
  const BlockReaders readers_;
  std::vector<int> axes_;
  std::vector<Group> groups_;
  std::vector<int> operands_;
  std::set<int> runs_;              // of the operands: those that bulk copies bring
  std::optional<Diagnostic> left_;  // why the first input that no tensor copy takes is left in global memory
  int64_t stages_ = 1;
};

}  // namespace pallasgen
