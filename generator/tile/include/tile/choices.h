#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "expression/typed.h"

namespace pallasgen::tile {

struct Dot;
struct Program;

// What passes take wherever they can, and what a choice gives up for one thing of a kernel.
enum class ChoiceKind : uint8_t {
  instructions,      // of a dot: threads multiply
  blocks,            // of a dot of threads: they multiply element by element, not blocks in their registers
  register_operand,  // of a dot: its operand A goes to the instructions through shared memory
  staging,           // of an output: threads store it from their registers
  storer,            // of an output: the role that computes it stores it, not a role of its own
  copies,            // of an input: no producer copies it
  cluster,           // of the kernel: one CTA has a tile
  memory,            // of the kernel: bytes of shared memory that the plan's statements take and no pass counts
};

enum class ChoiceSubject : uint8_t { dot, array, kernel };

// One row for each kind: its word in the text of programs, the words of messages, and what the choice is about.
struct ChoiceRow {
  ChoiceKind kind;
  std::string_view word, words;
  ChoiceSubject subject;
};
std::span<const ChoiceRow> choice_rows();
const ChoiceRow& row_of(ChoiceKind kind);

// Something that passes give up for one dot, array or kernel. A program has those that hold for it; a pass that finds
// out that it needs another one asks for it (retry_with), and all passes run again with it.
struct Choice {
  ChoiceKind kind;
  Span dot = {};      // the dot's place in the spec
  int ref = -1;       // the array
  int64_t bytes = 0;  // of `memory`
  std::string why = {};
  std::string pass = {};  // that asked for it; empty: it was made by the pass that needs it
  // Of `instructions`, for the warning:
  DType dtype = DType::f32;             // of the operands
  std::vector<std::string> works = {};  // settings and sizes with which instructions could take the dot: "bm 64"
  std::string precision = {};           // another precision, at which instructions may take the dot
  std::string name = {};                // of `register_operand`: the operand's value
};
using Choices = std::vector<Choice>;

// The choice of that kind for the dot at that place, the array or the kernel; null if there is none.
const Choice* find_choice(const Choices& choices, ChoiceKind kind, Span dot = {}, int ref = -1);
// The choice of that kind for the dot, the array or the kernel; null if the program has none.
const Choice* given_up(const Program& program, ChoiceKind kind, const Dot& dot);
const Choice* given_up(const Program& program, ChoiceKind kind, Span dot);
const Choice* given_up(const Program& program, ChoiceKind kind, int ref);
const Choice* given_up(const Program& program, ChoiceKind kind);
// All choices of that kind.
Choices all_given_up(const Program& program, ChoiceKind kind);

// A choice for a dot.
Choice choice_of(ChoiceKind kind, const Dot& dot, std::string why);

// Adds the choice of a pass that acts on it itself; nothing if the program has it.
void give_up(Program& program, Choice choice);
// Asks for a choice on which earlier passes act; all of them run again with it. False if the program has it, or if the
// pass has asked for it before.
bool retry_with(Program& program, Choice choice);

}  // namespace pallasgen::tile
