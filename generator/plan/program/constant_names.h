#pragma once

namespace pallasgen {

// Groups of constants: each group is one paragraph of the file.
namespace constant_line {
inline constexpr int spec = 0, stages = 1, consumers = 2, threads = 3, rows = 4, strip = 5, store_columns = 6,
                     store_buffers = 7, column_box = 8, bytes = 9;
}

// Names of the constants that plans add.
namespace constant_name {
inline constexpr const char *stages = "kStages", *ahead = "kAhead", *consumers = "kConsumers", *threads = "kThreads",
                            *cluster = "kCluster", *programs = "kPrograms", *rows = "kRowsPerConsumer",
                            *columns = "kColumnsPerConsumer", *row_lanes = "kRowLanes", *strip = "kStripWidth",
                            *store_columns = "kStoreColumns", *store_buffers = "kStoreBuffers",
                            *stage_bytes = "kStageBytes";
}

}  // namespace pallasgen
