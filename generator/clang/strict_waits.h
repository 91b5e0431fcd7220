#pragma once

#include "launches.h"

namespace pallasgen::vet {

// True if the file is not as pallasgen wrote it: the hash in its third line does not match the text after it.
bool is_hand_edited(llvm::StringRef file);

// Reports waits for groups of wgmmas, stores or cp.async that could leave more groups unfinished, because nothing after
// them touches the memory of those groups. Only for files without other findings.
void check_strict_waits(const std::vector<Launches::Followed>& launches, const clang::ASTContext& context,
                        Findings& findings);

}  // namespace pallasgen::vet
