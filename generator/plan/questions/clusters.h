#pragma once

#include <optional>
#include <string>

#include "program/draft.h"
#include "tile/program.h"

// Clusters whose CTAs share one tile, because its rows need more registers than the threads of one CTA have.
namespace pallasgen {

// When a tile is given to a cluster: only if one CTA lacks the threads, or also if one CTA would have so many that each
// gets few registers.
enum class Spread : uint8_t { where_needed, where_possible };

// Gives the role `threads` threads, rounded up to warps, of one CTA or of the CTAs of a cluster. A cluster needs a
// target that has clusters, a spec that asks for nothing that belongs to one CTA, and a program that has not given up
// tile::ChoiceKind::cluster.
void give_threads(const tile::Program& program, const Target& target, int64_t threads, Spread spread, tile::Role& role);

// True if the program has one role with as many threads as one CTA can have.
bool has_full_cta(const tile::Program& program);

// Text to add to a remedy for too little memory: why the tile of a full CTA cannot be shared by a cluster, whose CTAs
// have more together. Empty if a cluster could share it or the CTA is not full.
std::string cluster_remedy(const tile::Program& program);

// Why the plan's CTAs cannot share tiles after all: a statement that only the threads of one CTA run together. Null if
// they can, or if no cluster was asked for.
std::optional<std::string> why_clusters_fail(const Plan& plan);

// Fills LaunchPlan::cluster and explains its number of CTAs if rows want more than one.
void decide_cluster(Draft& draft, const tile::Program& program);

// Makes the CTAs of a cluster set up barriers and wait for one another before the first exchange of values.
void open_exchange(Draft& draft, program::Statements& statements);

// The layout `text` spread over the threads of all CTAs of the plan's cluster.
std::string layout_over_cluster(const Plan& plan, std::string text);

}  // namespace pallasgen
