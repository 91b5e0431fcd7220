#pragma once

#include "launches.h"

namespace pallasgen::vet {

// Whether the file is no longer as pallasgen wrote it: the hash that its third line states is of other text.
bool is_hand_edited(llvm::StringRef file);

// Waits for groups of wgmmas, stores or cp.async that would do as well if they left more groups unfinished: with that,
// nothing behind them touches what the groups work on. Called for files in which nothing else is wrong.
void check_strict_waits(const std::vector<Launches::Followed>& launches, const clang::ASTContext& context,
                        Findings& findings);

}  // namespace pallasgen::vet
