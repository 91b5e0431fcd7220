#pragma once
#include <cstdio>
#include <cstdlib>
#include <cstring>

// Names of the mistakes that planted*.cu can make.
#define PALLASGEN_BUGS(X)                            \
  X(none, kNone)                                     \
  X(no_empty_wait, kNoEmptyWait)                     \
  X(no_full_wait, kNoFullWait)                       \
  X(early_release, kEarlyRelease)                    \
  X(no_release, kNoRelease)                          \
  X(release_by_one_warp, kReleaseByOneWarp)          \
  X(no_proxy_fence, kNoProxyFence)                   \
  X(no_fence_before_load, kNoFenceBeforeLoad)        \
  X(no_barrier_fence, kNoBarrierFence)               \
  X(no_sync_after_init, kNoSyncAfterInit)            \
  X(half_the_bytes, kHalfTheBytes)                   \
  X(twice_the_bytes, kTwiceTheBytes)                 \
  X(wrong_count, kWrongCount)                        \
  X(over_arrival, kOverArrival)                      \
  X(wrong_parity_of_empty, kWrongParityOfEmpty)      \
  X(wrong_parity_of_full, kWrongParityOfFull)        \
  X(wrong_swizzle, kWrongSwizzle)                    \
  X(wrong_stride, kWrongStride)                      \
  X(wrong_leading_stride, kWrongLeadingStride)       \
  X(wrong_box, kWrongBox)                            \
  X(stage_overrun, kStageOverrun)                    \
  X(shared_overrun, kSharedOverrun)                  \
  X(gap_written, kGapWritten)                        \
  X(field_overrun, kFieldOverrun)                    \
  X(copy_behind_the_end, kCopyBehindTheEnd)          \
  X(misaligned_copy, kMisalignedCopy)                \
  X(box_amid_16_bytes, kBoxAmid16Bytes)              \
  X(store_before_array, kStoreBeforeArray)           \
  X(no_tensor_map, kNoTensorMap)                     \
  X(staging_reused, kStagingReused)                  \
  X(no_sync_before_reuse, kNoSyncBeforeReuse)        \
  X(no_sync_before_store, kNoSyncBeforeStore)        \
  X(no_store_commit, kNoStoreCommit)                 \
  X(exit_before_store, kExitBeforeStore)             \
  X(tile_off_alignment, kTileOffAlignment)           \
  X(accumulator_too_early, kAccumulatorTooEarly)     \
  X(diverged_barrier, kDivergedBarrier)              \
  X(no_wgmma_fence, kNoWgmmaFence)                   \
  X(no_wgmma_commit, kNoWgmmaCommit)                 \
  X(threads_disagree, kThreadsDisagree)              \
  X(too_many_registers, kTooManyRegisters)           \
  X(barrier_not_initialised, kBarrierNotInitialised) \
  X(deadlock_by_order, kDeadlockByOrder)             \
  X(counts_disagree, kCountsDisagree)                \
  X(off_by_one_tile, kOffByOneTile)                  \
  X(ragged_tile_dropped, kRaggedTileDropped)         \
  X(race_between_programs, kRaceBetweenPrograms)     \
  X(wrong_rank, kWrongRank)                          \
  X(wrong_mask, kWrongMask)                          \
  X(no_cluster_sync, kNoClusterSync)                 \
  X(exit_before_peers, kExitBeforePeers)             \
  X(no_wait_for_copies, kNoWaitForCopies)            \
  X(no_fence_after_copies, kNoFenceAfterCopies)      \
  X(store_into_reduction, kStoreIntoReduction)       \
  X(no_grid_sync, kNoGridSync)                       \
  X(one_cta_missing, kOneCtaMissing)                 \
  X(no_wait_for_grid, kNoWaitForGrid)                \
  X(map_too_large, kMapTooLarge)                     \
  X(extents_too_large, kExtentsTooLarge)             \
  X(part_too_small, kPartTooSmall)                   \
  X(no_fence_before_release, kNoFenceBeforeRelease)  \
  X(fence_before_reads, kFenceBeforeReads)           \
  X(fence_after_release, kFenceAfterRelease)         \
  X(fence_by_leader, kFenceByLeader)                 \
  X(no_sync_before_release, kNoSyncBeforeRelease)    \
  X(fence_of_global, kFenceOfGlobal)                 \
  X(shared_fence_for_global, kSharedFenceForGlobal)  \
  X(global_fence_after_init, kGlobalFenceAfterInit)  \
  X(proxy_fence_after_init, kProxyFenceAfterInit)    \
  X(relaxed_arrival, kRelaxedArrival)                \
  X(no_sync_in_warp, kNoSyncInWarp)                  \
  X(shuffle_for_sync, kShuffleForSync)               \
  X(no_sync_before_ldmatrix, kNoSyncBeforeLdmatrix)  \
  X(no_sync_after_leader, kNoSyncAfterLeader)        \
  X(release_dropped, kReleaseDropped)                \
  X(acquire_dropped, kAcquireDropped)                \
  X(scope_of_release, kScopeOfRelease)               \
  X(scope_of_acquire, kScopeOfAcquire)               \
  X(scope_of_update, kScopeOfUpdate)                 \
  X(fence_dropped, kFenceDropped)                    \
  X(fence_of_block, kFenceOfBlock)                   \
  X(fence_of_reader_dropped, kFenceOfReaderDropped)  \
  X(flag_before_data, kFlagBeforeData)               \
  X(update_in_two_steps, kUpdateInTwoSteps)          \
  X(read_only_after_write, kReadOnlyAfterWrite)      \
  X(read_only_before_write, kReadOnlyBeforeWrite)    \
  X(no_event, kNoEvent)                              \
  X(event_too_early, kEventTooEarly)                 \
  X(copy_on_other_stream, kCopyOnOtherStream)        \
  X(memset_on_other_stream, kMemsetOnOtherStream)    \
  X(no_wait_of_host, kNoWaitOfHost)                  \
  X(one_reader_of_many, kOneReaderOfMany)            \
  X(sleep_before_exit, kSleepBeforeExit)             \
  X(no_last_wait, kNoLastWait)                       \
  X(acquire_of_cta, kAcquireOfCta)                   \
  X(accumulator_peeked, kAccumulatorPeeked)          \
  X(flag_of_two_sizes, kFlagOfTwoSizes)              \
  X(copy_of_many_ctas, kCopyOfManyCtas)              \
  X(arrival_before_copies, kArrivalBeforeCopies)     \
  X(no_sync_of_operand, kNoSyncOfOperand)            \
  X(rows_of_another_warp, kRowsOfAnotherWarp)        \
  X(one_fence_of_two, kOneFenceOfTwo)                \
  X(fence_before_sums, kFenceBeforeSums)             \
  X(fence_before_operand, kFenceBeforeOperand)

enum class Bug : int {
#define PALLASGEN_BUG(name, constant) constant,
  PALLASGEN_BUGS(PALLASGEN_BUG)
#undef PALLASGEN_BUG
};

inline Bug bug_named(const char* wanted) {
#define PALLASGEN_BUG(name, constant) \
  if (std::strcmp(wanted, #name) == 0) return Bug::constant;
  PALLASGEN_BUGS(PALLASGEN_BUG)
#undef PALLASGEN_BUG
  std::fprintf(stderr, "no mistake is called %s\n", wanted);
  std::exit(2);
}
