#include "size/slots.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "homes/program_memory.h"
#include "model/cost.h"
#include "registers/fma_blocks.h"
#include "tile/walk.h"

namespace pallasgen {

int64_t slots_to_hide_latency(const tile::Program& program, const tile::Channel& channel, const Target& target) {
  if (channel.moves.empty()) return 1;
  double bytes = 0, flops = 0;
  for (const tile::Channel& other : program.channels) {
    if (other.moves != channel.moves) continue;
    for (const tile::Channel::Member& member : other.members)
      bytes += static_cast<double>(bytes_of(member.dtype, elements_of(member.shape)));
  }
  for (const tile::Role& role : program.roles) {
    for_each_statement(role.body, [&](const tile::Statement& statement) {
      const tile::For* loop = statement.as<tile::For>();
      if (!loop || loop->variable.name != channel.moves.back()) return;
      for_each_statement(loop->body, [&](const tile::Statement& inner) {
        const tile::Dot* dot = inner.as<tile::Dot>();
        if (!dot) return;
        const Apply& product = *dot->product->as<Apply>();
        const TypedPtr a = dot_operand(product, 0);
        const Shape& result = program.value(dot->value).shape;
        const size_t along_k = a->shape.size() - (product.attributes.trans_a ? 2 : 1);
        const double depth = static_cast<double>(a->shape[along_k]);
        const double elements =
            static_cast<double>(std::accumulate(result.begin(), result.end(), int64_t{1}, std::multiplies<>()));
        const DType operand = product.args[0]->dtype;
        const double products = 2 * depth * elements;
        // For products by threads, other CTAs of the SM multiply in the meantime.
        const double beside = has_several_roles(program) ? 1 : static_cast<double>(ctas_beside(target, role));
        flops += dot->by->has_blocks() ? beside * of_tensor_cores(target, products, dot->product->dtype)
                                       : of_16_bits(products, dot->by->by_instructions() ? operand : DType::bf16);
      });
    });
  }
  return stages_to_hide_latency(step_cost(target, flops, bytes));
}

}  // namespace pallasgen
