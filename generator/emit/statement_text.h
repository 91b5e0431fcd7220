#pragma once

#include <string>

#include "plan/program.h"
#include "program_writer.h"

// Each function prints one statement of a role's program: its template, with the statements inside it.
namespace pallasgen {

// program_loops.cpp: loops and branches, with the variables that they declare.
std::string text_of(const program::ForTiles& node, ProgramWriter& writer);
std::string text_of(const program::DeclareSteps& node, ProgramWriter& writer);
std::string text_of(const program::DeclareLet& node, ProgramWriter& writer);
std::string text_of(const program::ForSteps& node, ProgramWriter& writer);
std::string text_of(const program::ForStoreColumns& node, ProgramWriter& writer);
std::string text_of(const program::ForChunks& node, ProgramWriter& writer);
std::string text_of(const program::If& node, ProgramWriter& writer);
std::string text_of(const program::ForRange& node, ProgramWriter& writer);
std::string text_of(const program::WhileLoop& node, ProgramWriter& writer);

// program_copies.cpp: statements that move data or order its movement.
std::string text_of(const program::BarrierWait& node, ProgramWriter& writer);
std::string text_of(const program::ExpectBytes& node, ProgramWriter& writer);
std::string text_of(const program::TensorLoad& node, ProgramWriter& writer);
std::string text_of(const program::AsyncCopy& node, ProgramWriter& writer);
std::string text_of(const program::Prefetch& node, ProgramWriter& writer);
std::string text_of(const program::ArriveFilled& node, ProgramWriter& writer);
std::string text_of(const program::CommitCopies& node, ProgramWriter& writer);
std::string text_of(const program::WaitCopies& node, ProgramWriter& writer);
std::string text_of(const program::RoundCopied& node, ProgramWriter& writer);
std::string text_of(const program::ClearRows& node, ProgramWriter& writer);
std::string text_of(const program::Release& node, ProgramWriter& writer);
std::string text_of(const program::AdvanceRing& node, ProgramWriter& writer);
std::string text_of(const program::TakeTurn& node, ProgramWriter& writer);
std::string text_of(const program::PassTurn& node, ProgramWriter& writer);
std::string text_of(const program::StoreAcquire& node, ProgramWriter& writer);
std::string text_of(const program::WarpSync& node, ProgramWriter& writer);
std::string text_of(const program::WarpgroupSync& node, ProgramWriter& writer);
std::string text_of(const program::StageChunk& node, ProgramWriter& writer);
std::string text_of(const program::FenceAsync& node, ProgramWriter& writer);
std::string text_of(const program::TensorStore& node, ProgramWriter& writer);
std::string text_of(const program::StoreCommit& node, ProgramWriter& writer);
std::string text_of(const program::StoreDrain& node, ProgramWriter& writer);
std::string text_of(const program::Load& node, ProgramWriter& writer);
std::string text_of(const program::StoreGlobal& node, ProgramWriter& writer);
std::string text_of(const program::LoadShared& node, ProgramWriter& writer);
std::string text_of(const program::StoreOperand& node, ProgramWriter& writer);

// program_compute.cpp: statements that compute, and the registers that they use.
std::string text_of(const program::DeclareFragment& node, ProgramWriter& writer);
std::string text_of(const program::CallPart& node, ProgramWriter& writer);
std::string text_of(const program::BindScalar& node, ProgramWriter& writer);
std::string text_of(const program::MultiplyAdd& node, ProgramWriter& writer);
std::string text_of(const program::Mma& node, ProgramWriter& writer);
std::string text_of(const program::MmaWait& node, ProgramWriter& writer);
std::string text_of(const program::PackOperand& node, ProgramWriter& writer);
std::string text_of(const program::UnpackAgain& node, ProgramWriter& writer);
std::string text_of(const program::FillIfNoStep& node, ProgramWriter& writer);
std::string text_of(const program::Elementwise& node, ProgramWriter& writer);

// program_elements.cpp: single elements and scalars.
std::string text_of(const program::ForElements& node, ProgramWriter& writer);
std::string text_of(const program::SetScalar& node, ProgramWriter& writer);
std::string text_of(const program::StoreElement& node, ProgramWriter& writer);

// program_tiles.cpp: whole tiles and fragments, synchronisation, and reports of faults.
std::string text_of(const program::ReduceFragment& node, ProgramWriter& writer);
std::string text_of(const program::ReduceLanes& node, ProgramWriter& writer);
std::string text_of(const program::ReduceTile& node, ProgramWriter& writer);
std::string text_of(const program::ScanLanes& node, ProgramWriter& writer);
std::string text_of(const program::StoreTile& node, ProgramWriter& writer);
std::string text_of(const program::LoadTile& node, ProgramWriter& writer);
std::string text_of(const program::RoleSync& node, ProgramWriter& writer);
std::string text_of(const program::GridSync& node, ProgramWriter& writer);
std::string text_of(const program::OpenExchange& node, ProgramWriter& writer);
std::string text_of(const program::TakeTicket& node, ProgramWriter& writer);
std::string text_of(const program::Check& node, ProgramWriter& writer);
std::string text_of(const program::LeaveOnFault& node, ProgramWriter& writer);
std::string text_of(const program::PollFault& node, ProgramWriter& writer);
std::string text_of(const program::Print& node, ProgramWriter& writer);
std::string text_of(const program::Assert& node, ProgramWriter& writer);

// `pack_steps<bf16>(p)`: the packed value of the statement.
std::string packed(const program::PackOperand& node, const ProgramWriter& writer);

// The fragment of the target's type whose elements the statement copies unchanged; empty if there is none.
std::string copied_fragment(const program::ElementwiseStatement& statement, const ProgramWriter& writer);

// `reduce<Maximum, 1>(s)`: the reduction as a value. Its type follows from the source's if the target is a slice of the
// source (is_slice_of_source).
std::string reduced(const program::ReduceFragment& node, const ProgramWriter& writer);
// The reduction with its terms inline, for terms that nothing else reads; empty if they need a fragment.
std::string reduced_terms(const program::Elementwise& loop, const program::ReduceFragment& node,
                          const std::string& quoted, ProgramWriter& writer);
bool is_slice_of_source(const program::ReduceFragment& node, const Plan& plan);

// True if the body is one statement that can follow the header of a loop or a branch without braces.
bool is_one_line(const std::string& body);

}  // namespace pallasgen
