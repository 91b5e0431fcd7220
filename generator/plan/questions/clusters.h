#pragma once

#include <optional>
#include <string>

#include "program/draft.h"
#include "tile/program.h"

// Clusters whose CTAs work on one tile together: rows that need more registers than the threads of one CTA have.
namespace pallasgen {

// Whether a tile belongs to a cluster where one CTA has not so many threads, or also where it has, but so many that a
// thread has few registers.
enum class Spread : uint8_t { where_needed, where_possible };

// Gives the role as many threads, rounded up to warps: those of one CTA, or of the CTAs of a cluster, where the target
// has clusters, nothing that the spec asks for is one CTA's own and the program may use them
// (tile::ChoiceKind::cluster is not given up).
void give_threads(const tile::Program& program, const Target& target, int64_t threads, Spread spread, tile::Role& role);

// Whether the program has one role, of as many threads as one CTA can have.
bool has_full_cta(const tile::Program& program);

// What a remedy for too little memory adds: why CTAs of a cluster, which have more together, do not share the tile of a
// full CTA. Empty: nothing keeps them from it, or the CTA is not full.
std::string beside_cluster(const tile::Program& program);

// Why the plan's CTAs do not share tiles after all: a statement that only the threads of one CTA run together. Null:
// they do, or no cluster was asked for.
std::optional<std::string> beyond_clusters(const Plan& plan);

// Fills LaunchPlan::cluster and says why it is so many CTAs, where rows want more than one.
void decide_cluster(Draft& draft, const tile::Program& program);

// Before the first exchange of values the CTAs of a cluster open the barriers for it, and wait until all run.
void open_exchange(Draft& draft, program::Statements& statements);

// Layout `text` over the threads of the plan's CTAs together.
std::string over_cluster(const Plan& plan, std::string text);

}  // namespace pallasgen
