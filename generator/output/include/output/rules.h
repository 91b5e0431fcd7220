#pragma once

#include "diagnostics/diagnostic.h"

namespace pallasgen {

inline constexpr Rule kOutputPath{"output-path", "An output path leaves the output root."};
inline constexpr Rule kOutputWrite{"output-write", "The file system refused to write an output."};
inline constexpr Rule kFileMissing{"file-missing", "A file that was named does not exist."};
inline constexpr Rule kFileFolder{"file-folder", "A folder stands where a file is wanted."};
inline constexpr Rule kFileUnreadable{"file-unreadable", "A file cannot be read."};
inline constexpr Rule kLockBroken{"lock-broken", "A line of pallasgen.lock cannot be read."};

// Findings of `check`: a rule for each OutputState except `current`.
inline constexpr Rule kOutputMissing{"output-missing", "An output is not on disk."};
inline constexpr Rule kOutputStale{
    "output-stale", "An output is as it was written, but the spec, an option or the tool has changed since."};
inline constexpr Rule kOutputEdited{"output-hand-edited", "An output is not as it was written."};
inline constexpr Rule kOutputOrphan{"output-orphan", "An output was written from a spec that no longer makes it."};

inline constexpr const Rule* kOutputRules[] = {&kOutputPath,     &kOutputWrite, &kFileMissing,   &kFileFolder,
                                               &kFileUnreadable, &kLockBroken,  &kOutputMissing, &kOutputStale,
                                               &kOutputEdited,   &kOutputOrphan};

}  // namespace pallasgen
