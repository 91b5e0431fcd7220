#pragma once

#include "diagnostics/diagnostic.h"

namespace pallasgen {

// Rules that check() and type_reference() report. Each has a bad spec in tests/errors and a page in docs/errors.md.

// names
inline constexpr Rule kNameClash{"name-clash", "two things of one spec have one name"};
inline constexpr Rule kReservedKernelName{"reserved-kernel-name",
                                          "the kernel's name is one that C, C++ or CUDA reserves"};
inline constexpr Rule kUnknownName{"unknown-name", "nothing has this name"};
inline constexpr Rule kNameKind{"name-kind", "a name stands where a thing of its kind has no meaning"};
inline constexpr Rule kNotYet{"not-yet", "part of the language that has no meaning yet"};
// constants and facts
inline constexpr Rule kConstant{"constant-value", "a constant is needed, of a certain kind"};
inline constexpr Rule kDimFact{"dim-fact", "a fact about a dim that cannot hold"};
inline constexpr Rule kLiteralRange{"literal-range", "an integer constant that its dtype cannot hold"};
// functions
inline constexpr Rule kFunctionRecursion{"function-recursion", "a function reaches itself"};
inline constexpr Rule kFunctionSize{"function-size", "a function that is too large where its calls are written out"};
inline constexpr Rule kArguments{"arguments", "a call with too few, too many or unknown arguments"};
// functions of C++ headers
inline constexpr Rule kExternName{"extern-name", "a function of a C++ header whose name generated code cannot call"};
inline constexpr Rule kExternFunction{"extern-function",
                                      "a name of `extern` that is no function which a kernel can call"};
inline constexpr Rule kExternCall{"extern-call", "a call that no function of the C++ header takes as it is"};
inline constexpr Rule kExternResult{"extern-result",
                                    "a function of a C++ header with a result that is no dtype of the language"};
inline constexpr Rule kExternEffect{"extern-effect", "a function of a C++ header that does more than give a result"};
// types
inline constexpr Rule kDTypeMismatch{"dtype-mismatch", "operands of different dtypes, which never promote silently"};
inline constexpr Rule kOperandDType{"operand-dtype", "an operation that its operand's dtype does not have"};
inline constexpr Rule kLiteralDType{"literal-dtype", "a literal that takes its dtype from nothing"};
inline constexpr Rule kShapeMismatch{"shape-mismatch", "shapes that do not broadcast, or do not fit the operation"};
inline constexpr Rule kIndexRank{"index-rank", "more indices than dimensions"};
inline constexpr Rule kIndexRange{"index-range", "an index or slice that lies outside"};
inline constexpr Rule kRebind{"rebind", "a name that changes its dtype or shape"};
inline constexpr Rule kStatement{"dead-statement", "a statement that has no effect or no target"};
// grid and refs
inline constexpr Rule kGridOrder{"grid-order", "a parallel axis after a sequential one"};
inline constexpr Rule kGridSize{"grid-size", "an axis whose size is negative, or more than 2^31 - 1"};
inline constexpr Rule kLetSize{"let-size",
                               "a let or the size of an axis that is too large where what it uses is written out"};
inline constexpr Rule kRefType{"ref-type", "a type that an array, scalar or scratch cannot have"};
inline constexpr Rule kRuntimeShape{"runtime-shape", "a shape that must be known before launch"};
inline constexpr Rule kBlockRank{"block-rank", "a block without one entry for each dimension of its array"};
inline constexpr Rule kBlockEntry{"block-entry", "an entry of a block that is no size"};
inline constexpr Rule kIndexMapArity{"index-map-arity",
                                     "an index map without one entry for each dimension of its array"};
inline constexpr Rule kIndexMapEntry{"index-map-entry", "an entry of an index map that is no integer expression"};
inline constexpr Rule kRefSetting{"ref-setting", "a setting that this ref cannot have"};
inline constexpr Rule kAlias{"alias-buffer", "an output and an input that cannot be one buffer"};
inline constexpr Rule kBlockOutside{"block-outside", "a block that lies wholly outside its array"};
// effects
inline constexpr Rule kStoreTarget{"store-target", "an assignment to what cannot be written"};
inline constexpr Rule kDotPartialContraction{"dot-partial-contraction",
                                             "a dot that contracts over rows that may lie past the end"};
inline constexpr Rule kUndefinedRead{"undefined-read", "a read of what nothing has written"};
inline constexpr Rule kUnwrittenOutput{"unwritten-output", "an output, or a part of it, that nothing writes"};
inline constexpr Rule kWriteRace{"write-race", "two programs that write one element"};
inline constexpr Rule kRevisitedOutput{"revisited-output", "a program that comes back to an output block it left"};
inline constexpr Rule kGridSync{"grid-sync", "a grid_sync that not every program of the grid reaches together"};
inline constexpr Rule kRaceDoubt{"race-doubt", "programs that may write one element, which data decide"};
inline constexpr Rule kRandomCounter{"random-counter", "programs or steps that draw the same random numbers, shifted"};
inline constexpr Rule kAxisDim{"axis-dim", "an axis that is sized by one dim and counts blocks along another"};
inline constexpr Rule kElementIndex{"element-index", "an index map that counts elements where blocks are counted"};
inline constexpr Rule kUnreachedBlock{"unreached-block",
                                      "a block that no program has: of an output, or the last one of an input"};
inline constexpr Rule kGuardedOutput{"guarded-output", "an output that is written only where a guard holds"};
inline constexpr Rule kUnguardedOutput{"unguarded-output",
                                       "an output that every step overwrites, so that the last one's value is kept"};
inline constexpr Rule kIdleUnroll{"idle-unroll", "an `unroll` that changes nothing"};
inline constexpr Rule kUnreadValue{"unread-value", "a value of the body that nothing reads"};
inline constexpr Rule kAllowsNothing{"allows-nothing", "an entry of `allow` for a warning that is not given"};
inline constexpr Rule kEmptySteps{"empty-steps", "a guard that reads a block of a step where there may be no step"};
// settings
inline constexpr Rule kSettingValue{"setting-value", "a setting with a value it cannot have"};
inline constexpr Rule kTestCase{"test-case", "a test that does not fit its kernel"};
inline constexpr Rule kReference{"reference-value", "a reference that does not give every output its value"};
// gradients
inline constexpr Rule kVjpKernel{"vjp-kernel", "a kernel of `vjp` that is not beside the spec, or does not check"};
inline constexpr Rule kVjpArgument{"vjp-argument",
                                   "what a kernel of `vjp` takes is not there, or has another dtype or shape"};
inline constexpr Rule kVjpConst{"vjp-const", "a kernel of `vjp` has another value for a const of the forward kernel"};
inline constexpr Rule kVjpGradient{"vjp-gradient",
                                   "an input without a gradient, or with one of another shape, or with two"};

inline constexpr const Rule* kCheckRules[] = {
    &kNameClash,
    &kReservedKernelName,
    &kUnknownName,
    &kNameKind,
    &kNotYet,
    &kConstant,
    &kDimFact,
    &kLiteralRange,
    &kFunctionRecursion,
    &kFunctionSize,
    &kArguments,
    &kExternName,
    &kExternFunction,
    &kExternCall,
    &kExternResult,
    &kExternEffect,
    &kDTypeMismatch,
    &kOperandDType,
    &kLiteralDType,
    &kShapeMismatch,
    &kIndexRank,
    &kIndexRange,
    &kRebind,
    &kStatement,
    &kGridOrder,
    &kGridSize,
    &kLetSize,
    &kRefType,
    &kRuntimeShape,
    &kBlockRank,
    &kBlockEntry,
    &kIndexMapArity,
    &kIndexMapEntry,
    &kRefSetting,
    &kAlias,
    &kBlockOutside,
    &kStoreTarget,
    &kDotPartialContraction,
    &kUndefinedRead,
    &kUnwrittenOutput,
    &kWriteRace,
    &kRevisitedOutput,
    &kGridSync,
    &kRaceDoubt,
    &kAllowsNothing,
    &kRandomCounter,
    &kAxisDim,
    &kElementIndex,
    &kUnreachedBlock,
    &kGuardedOutput,
    &kUnguardedOutput,
    &kIdleUnroll,
    &kUnreadValue,
    &kEmptySteps,
    &kSettingValue,
    &kTestCase,
    &kReference,
    &kVjpKernel,
    &kVjpArgument,
    &kVjpConst,
    &kVjpGradient,
};

}  // namespace pallasgen
