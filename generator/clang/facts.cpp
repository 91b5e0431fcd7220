#include "facts.h"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/RecordLayout.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/Support/Regex.h>

#include <set>

#include "simulate.h"

namespace pallasgen::vet {

using namespace clang;

namespace {

int64_t to_number(StringRef text) {
  int64_t value = 0;
  for (const char c : text)
    if (c != ',') value = value * 10 + (c - '0');
  return value;
}

std::string with_commas(int64_t value) {
  std::string text = std::to_string(value);
  for (int i = static_cast<int>(text.size()) - 3; i > 0; i -= 3) text.insert(static_cast<size_t>(i), ",");
  return text;
}

struct Member {
  int64_t size = 0, slots = 1, slot_size = 0;
  bool is_barrier = false;
};

struct BarrierFacts {
  int64_t count = -1, bytes = 0;
};

class FactChecker {
 public:
  FactChecker(const Launches::Followed& launch, const ASTContext& context, Findings& findings,
              std::vector<std::string>& unchecked)
      : launch_(launch), context_(context), findings_(findings), unchecked_(unchecked) {
    find_constants();
    if (!launch.shared->type.isNull())
      if (const auto* record = launch.shared->type->getAsCXXRecordDecl()) add_members(*record);
    for (const Actor& actor : launch.actors) {
      for (const Event& event : actor.events) {
        if (event.verb == Verb::registers_up || event.verb == Verb::registers_down)
          registers_[actor.group()] = event.number;
        if (!event.place.object) continue;
        if (event.verb == Verb::tensor_load && event.map)
          copied_[name(event.place)][event.place.low][event.place.offset] = event.map->bytes();
        if (event.verb == Verb::barrier_init) barriers_[name(event.place)].count = event.number;
        if (event.verb == Verb::barrier_arrive_expect) barriers_[name(event.place)].bytes = event.number;
      }
    }
  }

  void check(const FactLine& line) {
    static const std::map<std::string, int64_t> shared = {
        {"sm_80", 166912}, {"sm_86", 101376}, {"sm_90a", 232448}, {"sm_100a", 232448}, {"sm_120a", 101376}};
    each(line, "target (sm_[0-9a-z]+)", [&](ArrayRef<StringRef> groups) {
      if (const auto found = shared.find(groups[1].str()); found != shared.end()) most_shared_ = found->second;
    });
    if (line.section == "tile")
      tile(line);
    else if (line.section == "ring" || line.section == "rings")
      ring(line);
    else if (line.section == "roles")
      roles(line);
    else if (line.section == "threads")
      threads(line);
    else if (line.section == "memory")
      memory(line);
    else if (line.section == "barrier")
      barrier(line);
  }

 private:
  std::string name(const Pointer& place) const {
    const std::string text = array_of(place, context_);
    return text.substr(text.find('.') + 1);
  }

  void add_members(const CXXRecordDecl& record) {
    if (!record.isCompleteDefinition()) return;
    for (const FieldDecl* field : record.fields()) {
      if (const auto* inner = field->getType()->getAsCXXRecordDecl();
          field->getName().empty() || (inner && !holds_barriers(*inner))) {
        has_parts_ = true;
        if (inner) add_members(*inner);
        continue;
      }
      Member member;
      member.size = member.slot_size = context_.getTypeSizeInChars(field->getType()).getQuantity();
      QualType type = field->getType();
      if (const auto* array = context_.getAsConstantArrayType(type)) {
        member.slots = static_cast<int64_t>(array->getSize().getLimitedValue());
        member.slot_size = context_.getTypeSizeInChars(array->getElementType()).getQuantity();
        while (const auto* inner = context_.getAsConstantArrayType(type)) type = inner->getElementType();
      }
      const auto* element = type->getAsCXXRecordDecl();
      member.is_barrier = element && holds_barriers(*element);
      if (record.isUnion()) has_parts_ = true;
      members_[field->getNameAsString()] = member;
    }
  }

  const Member* member(StringRef name) const {
    // If barriers have the name 'empty', the field of an input 'empty' is empty_.
    const auto own = members_.find(name.str()), apart = members_.find(name.str() + "_");
    const bool is_apart = apart != members_.end() && (own == members_.end() || own->second.is_barrier);
    return is_apart ? &apart->second : own != members_.end() ? &own->second : nullptr;
  }

  SourceLocation location(const FactLine& line, size_t column) const {
    const SourceManager& sources = context_.getSourceManager();
    return sources.getLocForStartOfFile(sources.getMainFileID())
        .getLocWithOffset(static_cast<int>(line.first + column));
  }

  // `text` is a number in the line and points into the line's text.
  void expect(const FactLine& line, StringRef text, int64_t value, const std::string& of) {
    if (text.empty() || to_number(text) == value) return;
    const unsigned column = static_cast<unsigned>(text.data() - line.text.data());
    const std::string right = text.contains(',') || value >= 1000 ? with_commas(value) : std::to_string(value);
    Finding finding{
        "fact", location(line, column), "the comment says " + text.str() + ", but " + of + " " + right, {}, {}};
    finding.fix = Fix{line.first + column, static_cast<unsigned>(text.size()), right};
    findings_.push_back(std::move(finding));
  }

  // Reports a number for which no other number would be right.
  void differ(const FactLine& line, StringRef text, const std::string& why) {
    const unsigned column = static_cast<unsigned>(text.data() - line.text.data());
    findings_.push_back({"fact", location(line, column), "the comment says " + text.str() + ", but " + why, {}, {}});
  }

  void leave(const FactLine& line) {
    if (line.text.find_first_of("0123456789") != std::string::npos) unchecked_.push_back(line.text);
  }

  // Visits each match of a pattern in the line with its groups.
  template <class Visit>
  static bool each(const FactLine& line, const char* pattern, Visit visit) {
    const llvm::Regex regex(pattern);
    StringRef rest = line.text;
    SmallVector<StringRef, 8> groups;
    bool any = false;
    while (regex.match(rest, &groups)) {
      any = true;
      visit(groups);
      rest = rest.drop_front(static_cast<size_t>(groups[0].end() - rest.begin()));
    }
    return any;
  }

  void tile(const FactLine& line) {
    StringRef text = line.text;
    const bool sized = text.contains(" per CTA") || text.contains(" per cluster");
    if (text.contains("one program")) return leave(line);
    if (sized) are_constants(line, "([0-9,]+)( x |  *per CTA|  *per cluster)");
    are_constants(line, "a cluster of ([0-9]+) CTAs");
    each(line, "strips of ([0-9]+) tiles", [&](ArrayRef<StringRef> groups) {
      if (const auto strip = constants_.find("kStripWidth"); strip != constants_.end())
        expect(line, groups[1], strip->second, "kStripWidth is");
    });
  }

  void find_constants() {
    for (const Decl* decl : context_.getTranslationUnitDecl()->noload_decls())
      if (const auto* space = dyn_cast<NamespaceDecl>(decl); space && space->isAnonymousNamespace())
        for (const Decl* each : space->decls())
          if (const auto* variable = dyn_cast<VarDecl>(each); variable && variable->isConstexpr())
            if (const APValue* value = variable->evaluateValue(); value && value->isInt())
              constants_[variable->getNameAsString()] = value->getInt().getExtValue();
  }

  // True if the file's code, without comments, contains the number: a literal of the spec need not be a constant.
  bool has_number(StringRef digits) const {
    const SourceManager& sources = context_.getSourceManager();
    SmallVector<StringRef> lines;
    sources.getBufferData(sources.getMainFileID()).split(lines, '\n');
    const llvm::Regex alone("(^|[^0-9A-Za-z_.])" + digits.str() + "($|[^0-9A-Za-z_.])");
    return llvm::any_of(lines, [&](StringRef text) { return alone.match(text.substr(0, text.find("//"))); });
  }

  // Sizes that match must equal a constant of the file, a number of its code, or 1.
  void are_constants(const FactLine& line, const char* pattern) {
    each(line, pattern, [&](ArrayRef<StringRef> groups) {
      const int64_t said = to_number(groups[1]);
      const bool known = llvm::any_of(constants_, [&](const auto& constant) { return constant.second == said; });
      if (said != 1 && !known && !has_number(std::to_string(said)))
        differ(line, groups[1], "no constant of the file is " + groups[1].str());
    });
  }

  void part_of_tile(const FactLine& line) {
    are_constants(line, "([0-9,]+) x [0-9,]+ of the tile");
    are_constants(line, "[0-9,]+ x ([0-9,]+) of the tile");
  }

  // The number of steps by which copies run ahead; with several rings each has a constant.
  void ahead(const FactLine& line) {
    each(line, "copied ([0-9]+) steps? ahead", [&](ArrayRef<StringRef> groups) {
      std::vector<int64_t> known;
      for (const auto& [name, value] : constants_)
        if (StringRef(name).starts_with("kAhead")) known.push_back(value);
      if (known.size() == 1) return expect(line, groups[1], known.front(), "kAhead is");
      if (!known.empty() && !llvm::is_contained(known, to_number(groups[1])))
        differ(line, groups[1], "no ring's copies go so far ahead");
    });
  }

  // The bytes that a step copies to a stage, without padding; `said` if threads copy and nothing counts the bytes.
  int64_t stage_bytes(StringRef name, const Member& member, int64_t said) const {
    for (const std::string& each : {name.str(), name.str() + "_"}) {
      const auto found = copied_.find(each);
      if (found == copied_.end()) continue;
      int64_t sum = 0;
      for (const auto& [offset, bytes] : found->second.begin()->second) sum += bytes;
      return sum <= member.slot_size && member.slot_size - sum < 128 ? sum : member.slot_size;
    }
    return said < member.slot_size && member.slot_size - said < 128 && member.slot_size % 16 == 0 ? said
                                                                                                  : member.slot_size;
  }

  bool is_copied_by_threads(ArrayRef<StringRef> names) const {
    return llvm::none_of(names,
                         [&](StringRef each) { return copied_.count(each.str()) || copied_.count(each.str() + "_"); });
  }

  void ring(const FactLine& line) {
    ahead(line);
    // Operands of one ring, or several rings with one number of stages each.
    StringRef last_name;
    std::vector<StringRef> names;
    each(line, "([A-Za-z_][A-Za-z_0-9]*)(, |: )(([0-9,]+) (stages?)( of ([0-9,]+) bytes( each)?)?)?",
         [&](ArrayRef<StringRef> groups) {
           names.push_back(groups[1]);
           if (groups[4].empty()) return;
           int64_t bytes = 0, most = 0;
           for (const StringRef each : names) {
             const Member* found = member(each);
             if (!found) continue;
             expect(line, groups[4], found->slots, "the first dimension of smem." + each.str() + " is");
             const int64_t mine = stage_bytes(each, *found, found->slot_size);
             bytes = groups[8].empty() ? bytes + mine : mine;
             most += 128;
           }
           if (groups[7].empty() || bytes == 0) return names.clear();
           // If threads copy, a stage is padded to 128 bytes and nothing counts the bytes that they fill.
           const int64_t said = to_number(groups[7]);
           const bool is_padded = is_copied_by_threads(names) && said < bytes && bytes - said < most;
           if (!is_padded) expect(line, groups[7], bytes, "its stages have");
           names.clear();
         });
    each(line, "[(,] ?([A-Za-z_][A-Za-z_0-9]*) ([0-9][0-9,]*[0-9])", [&](ArrayRef<StringRef> groups) {
      if (const Member* found = member(groups[1]))
        expect(line, groups[2], stage_bytes(groups[1], *found, to_number(groups[2])),
               "a stage of smem." + groups[1].str() + " has");
    });
  }

  void roles(const FactLine& line) {
    part_of_tile(line);
    int64_t first = -1;
    each(line, "warpgroups? ([0-9]+)(-([0-9]+))?", [&](ArrayRef<StringRef> groups) {
      first = to_number(groups[1]);
      if (!groups[3].empty())
        expect(line, groups[3], launch_.threads / 128 - 1, "the last warpgroup of the CTA is");
      else if (first >= launch_.threads / 128)
        expect(line, groups[1], launch_.threads / 128 - 1, "the last warpgroup of the CTA is");
    });
    each(line, "[^a-z]warp ([0-9]+)", [&](ArrayRef<StringRef> groups) {
      if (first < 0) first = to_number(groups[1]) / 4;
    });
    each(line, "([0-9]+) registers", [&](ArrayRef<StringRef> groups) {
      const auto found = registers_.find(static_cast<int>(first));
      if (found != registers_.end()) expect(line, groups[1], found->second, "the role asks for");
      if (found == registers_.end() && first >= 0) differ(line, groups[1], "the role asks for none of its own");
    });
  }

  void threads(const FactLine& line) {
    part_of_tile(line);
    each(line, "([0-9,]+) threads of a CTA",
         [&](ArrayRef<StringRef> groups) { expect(line, groups[1], launch_.threads, "the kernel is launched with"); });
    each(line, "([0-9,]+) warpgroups of a CTA", [&](ArrayRef<StringRef> groups) {
      expect(line, groups[1], launch_.threads / 128, "the kernel is launched with");
    });
  }

  void memory(const FactLine& line) {
    if (members_.empty()) return leave(line);
    each(line, "([A-Za-z_][A-Za-z_0-9]*)( staging)? ([0-9][0-9,]*)", [&](ArrayRef<StringRef> groups) {
      const int64_t said = to_number(groups[3]);
      const Member* named = member(groups[1]);  // an input may be called 'barriers', too
      if (named && !named->is_barrier && named->size == said) return;
      if (groups[1] == "barriers") {
        int64_t bytes = 0;
        for (const auto& [name, each] : members_) bytes += each.is_barrier ? each.size : 0;
        expect(line, groups[3], bytes, "the barriers have");
      } else if (groups[1] == "padding") {
        int64_t bytes = launch_.shared_bytes;
        for (const auto& [name, each] : members_) bytes -= each.size;
        if (!has_parts_) expect(line, groups[3], bytes, "what is left between the members is");
      } else if (named) {
        expect(line, groups[3], named->size, "smem." + groups[1].str() + " has");
      } else if (said > 0 && groups[1] != "of") {
        leave(line);
      }
    });
    each(line, "= ([0-9,]+) of ([0-9,]+) bytes", [&](ArrayRef<StringRef> groups) {
      expect(line, groups[1], launch_.shared_bytes, "the launch gives");
      if (most_shared_ > 0) expect(line, groups[2], most_shared_, "a CTA can have");
    });
  }

  void barrier(const FactLine& line) {
    llvm::Regex row("^// +([A-Za-z_0-9]+)\\[[A-Za-z_0-9]*\\] +([0-9,]+) arrivals?( \\+ ([0-9,]+) bytes)?");
    SmallVector<StringRef, 5> groups;
    if (!row.match(line.text, &groups)) return;
    std::vector<std::string> names;
    if (barriers_.count(groups[1].str())) {
      names.push_back(groups[1].str());
    } else {
      // The row covers the barriers of several rings.
      const StringRef stem = groups[1].take_until([](char c) { return c == '_'; });
      for (const auto& [name, each] : barriers_)
        if (StringRef(name).starts_with(stem)) names.push_back(name);
    }
    if (names.empty()) return leave(line);
    for (const std::string& name : names) {
      const BarrierFacts& facts = barriers_.at(name);
      const size_t before = findings_.size();
      if (facts.count >= 0) expect(line, groups[2], facts.count, name + " is initialised for");
      if (!groups[4].empty() && facts.bytes > 0) expect(line, groups[4], facts.bytes, name + " is told to expect");
      if (findings_.size() > before) return;
    }
  }

  const Launches::Followed& launch_;
  const ASTContext& context_;
  Findings& findings_;
  std::vector<std::string>& unchecked_;
  std::map<std::string, Member> members_;
  bool has_parts_ = false;  // unions, or structs inside the struct
  std::map<std::string, BarrierFacts> barriers_;
  std::map<int, int64_t> registers_;
  std::map<std::string, int64_t> constants_;  // constants of the file
  int64_t most_shared_ = 0;
  std::map<std::string, std::map<int64_t, std::map<int64_t, int64_t>>> copied_;  // bytes by member, slot and offset
};

}  // namespace

std::vector<FactLine> fact_lines(StringRef file) {
  std::vector<FactLine> lines;
  if (!file.starts_with("// Code generated by pallasgen")) return lines;
  static const std::set<std::string> sections = {"tile", "ring", "rings", "roles", "threads", "memory", "barrier"};
  unsigned first = 0;
  std::string section;
  for (StringRef rest = file; rest.starts_with("//");) {
    const auto [line, next] = rest.split('\n');
    // The name of a section follows three spaces; lines that are indented further continue the section.
    if (line.starts_with("//   ") && line.size() > 5 && line[5] != ' ') {
      const std::string word = line.drop_front(5).take_until([](char c) { return c == ' '; }).str();
      if (sections.count(word)) section = word;
    }
    lines.push_back({first, line.str(), section});
    first += static_cast<unsigned>(line.size()) + 1;
    rest = next;
  }
  return lines;
}

StatedCounts stated_counts(const std::vector<FactLine>& lines) {
  StatedCounts counts;
  const llvm::Regex row("^// +([A-Za-z_0-9]+)\\[[A-Za-z_0-9]*\\] +([0-9,]+) arrivals?");
  SmallVector<StringRef, 5> groups;
  for (const FactLine& line : lines)
    if (line.section == "barrier" && row.match(line.text, &groups)) counts[groups[1].str()] = to_number(groups[2]);
  return counts;
}

void check_facts(const std::vector<FactLine>& lines, const Launches::Followed& launch, const ASTContext& context,
                 Findings& findings, std::vector<std::string>& unchecked) {
  FactChecker checker(launch, context, findings, unchecked);
  for (const FactLine& line : lines) checker.check(line);
}

}  // namespace pallasgen::vet
