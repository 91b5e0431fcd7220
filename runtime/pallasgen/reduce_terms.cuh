#pragma once
#include <pallasgen/reduce.cuh>
#include <type_traits>

// Reductions of rows whose terms are computed one by one, so that registers need not hold them all.
namespace pallasgen {

// reduce() of a value of layout L that is no fragment: its element e is `term(e)`. `tile` are the arguments that
// share_rows() takes after the rows, if several warps share a row or a strategy is used.
template <class Combine, int Axis, class L, class... Strategy, class Term, class... Tile>
  requires(std::is_invocable_v<Term, int> && Axis == L::kRank - 1)
__device__ __forceinline__ auto reduce_terms(Term term, Tile&&... tile) {
  using T = std::invoke_result_t<Term, int>;
  Fragment<T, RowSlice<L>> target;
  fill(target, Combine::template neutral<T>());
#pragma unroll
  for (int e = 0; e < L::size; ++e) {
    const T x = term(e);
    T& total = target[L::row_slot(e)];
    if (is_in_row<L>(e)) total = Combine::combine(total, x);
  }
  share_rows<Combine, Strategy...>(target, tile...);
  return target;
}

}  // namespace pallasgen
