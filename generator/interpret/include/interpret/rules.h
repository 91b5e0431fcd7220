#pragma once

#include "diagnostics/diagnostic.h"

namespace pallasgen {

// Errors in the arguments of a run, found before it starts.
inline constexpr Rule kNpyFile{"npy-file", "a .npy file cannot be read or written"};
inline constexpr Rule kNpyFormat{"npy-format",
                                 "a file is not a .npy file of version 1 to 3 in C order and little endian"};
inline constexpr Rule kNpyDtype{"npy-dtype", "the dtype of a .npy file does not fit"};
inline constexpr Rule kNpySize{"npy-size", "a .npy file holds fewer or more bytes than its header says"};
inline constexpr Rule kArgumentMissing{"argument-missing",
                                       "a dim, scalar or array has no value and none follows from shapes"};
inline constexpr Rule kArgumentUnknown{"argument-unknown", "an argument is given that the kernel does not have"};
inline constexpr Rule kArgumentType{"argument-type", "an argument has another dtype than the spec says"};
inline constexpr Rule kArgumentShape{"argument-shape", "shapes of arguments do not fit the spec or each other"};
inline constexpr Rule kArgumentDim{"argument-dim",
                                   "a dim's value breaks what the spec says of it: multiple_of, min, max"};
inline constexpr Rule kArgumentSize{"argument-size", "an array has more elements than the interpreter takes"};

// Errors of a program, found while it runs.
inline constexpr Rule kRunAxisSize{"run-axis-size", "the size of an axis is negative, or more than 64 bits hold"};
inline constexpr Rule kRunBlockOutside{"run-block-outside", "a block lies wholly outside its array"};
inline constexpr Rule kRunSliceSize{"run-slice-size",
                                    "a bounded slice is longer than its bound, negative, or outside the array"};
inline constexpr Rule kRunUndefined{"run-undefined", "an element of an output is read before it is written"};
inline constexpr Rule kRunUnwritten{
    "run-unwritten", "an element of an output that no program writes, or that its program leaves unwritten"};
inline constexpr Rule kRunRevisited{"run-revisited", "a program comes back to an output block that was left"};
inline constexpr Rule kRunWriteRace{"run-write-race", "two programs write the same element"};
inline constexpr Rule kRunIndexRange{"run-index-range", "an index is outside the block, value or array"};
inline constexpr Rule kRunIndexDivision{"run-index-division", "an index value is divided by zero"};
inline constexpr Rule kRunLoopStep{"run-loop-step", "the step of a loop is zero"};
inline constexpr Rule kRunAssertion{"run-assertion", "an assert statement does not hold"};
inline constexpr Rule kRunUndefinedScratch{"run-undefined-scratch",
                                           "an element of scratch is read before it is written"};
inline constexpr Rule kRunNan{"run-nan", "a NaN that an output gets, with `checks: [nan]`"};
inline constexpr Rule kRunGridSync{"run-grid-sync", "programs wait in a grid_sync for one that never comes"};
inline constexpr Rule kRunEntry{"run-entry",
                                "roles of a tile program give and take the entries of a channel in different orders, "
                                "or one that their protocol does not give them"};
inline constexpr Rule kRunOrder{"run-order",
                                "what a role of a tile program does meets what its protocol does not order before it"};
inline constexpr Rule kRunFloatBits{"run-float-bits",
                                    "floats are taken for their bits where f64 stands for their dtypes"};
inline constexpr Rule kRunExtern{"run-extern", "a function of a C++ header that does not compile for the CPU"};
inline constexpr Rule kRunNoStep{"run-no-step", "a program without steps uses a ref whose block depends on a step"};

inline constexpr const Rule* kInterpretRules[] = {
    &kNpyFile,         &kNpyFormat,           &kNpyDtype,      &kNpySize,          &kArgumentMissing,
    &kArgumentUnknown, &kArgumentType,        &kArgumentShape, &kArgumentDim,      &kArgumentSize,
    &kRunAxisSize,     &kRunBlockOutside,     &kRunSliceSize,  &kRunUndefined,     &kRunUnwritten,
    &kRunRevisited,    &kRunWriteRace,        &kRunIndexRange, &kRunIndexDivision, &kRunLoopStep,
    &kRunAssertion,    &kRunUndefinedScratch, &kRunNan,        &kRunGridSync,      &kRunEntry,
    &kRunOrder,        &kRunFloatBits,        &kRunExtern,     &kRunNoStep};

}  // namespace pallasgen
