#pragma once

#include "diagnostics/diagnostic.h"

namespace pallasgen {

inline constexpr Rule kOutputPath{"output-path", "An output path leaves the output root."};
inline constexpr Rule kOutputWrite{"output-write", "The file system refused to write an output."};
inline constexpr Rule kFileMissing{"file-missing", "A file that was named does not exist."};
inline constexpr Rule kFileFolder{"file-folder", "A folder stands where a file is wanted."};
inline constexpr Rule kFileUnreadable{"file-unreadable", "A file cannot be read."};
inline constexpr Rule kLockBroken{"lock-broken", "A line of pallasgen.lock cannot be read."};

inline constexpr const Rule* kOutputRules[] = {&kOutputPath, &kOutputWrite,    &kFileMissing,
                                               &kFileFolder, &kFileUnreadable, &kLockBroken};

}  // namespace pallasgen
