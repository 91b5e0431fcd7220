#include "output/output.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>

#include "files.h"
#include "output/hash.h"

namespace fs = std::filesystem;
using namespace pallasgen;

namespace {

struct Scratch {
  fs::path folder = fs::temp_directory_path() / ("pallasgen-output-" + std::to_string(getpid()));
  Scratch() { fs::create_directories(folder); }
  ~Scratch() { fs::remove_all(folder); }
  std::string root() const { return (folder / "out").string(); }
  std::string read(const std::string& path) const {
    Diagnostics diagnostics;
    return read_file((folder / "out" / path).string(), diagnostics).value_or("(none)");
  }
};

std::string generated(const std::string& body) {
  return "// Code generated\n// clang-format off\n// format 1  content " + hash_text(content_hash(body)) +
         "  spec 0\n" + body;
}

OutputFile file(const std::string& path, const std::string& body) {
  return {path, generated(body), "specs/" + path + ".yaml", "0123456789abcdef"};
}

OutputState state_of(const std::vector<OutputReport>& reports, const std::string& path) {
  for (const OutputReport& report : reports)
    if (report.path == path) return report.state;
  FAIL("no report of " << path);
  return OutputState::current;
}

}  // namespace

TEST_CASE("the hash is FNV-1a with the published values") {
  CHECK(hash_text(content_hash("")) == "cbf29ce484222325");
  CHECK(hash_text(content_hash("a")) == "af63dc4c8601ec8c");
  CHECK(hash_text(content_hash("foobar")) == "85944171f73967e8");
}

TEST_CASE("a lock reads back what it wrote, paths with spaces too") {
  Scratch scratch;
  Diagnostics diagnostics;
  const Lock lock = {{"a.cu", {"0123456789abcdef", "fedcba9876543210", "specs/a.yaml"}},
                     {"sub folder/b c.cu", {"1111111111111111", "2222222222222222", "specs/sub folder/b c.yaml"}}};
  REQUIRE(write_file(scratch.root() + "/" + kLockName, lock_text(lock), diagnostics));
  const auto read = read_lock(scratch.root(), diagnostics);
  REQUIRE(read.has_value());
  REQUIRE(read->size() == 2);
  CHECK(read->at("sub folder/b c.cu").spec == "specs/sub folder/b c.yaml");
  CHECK(read->at("a.cu").file_hash == "0123456789abcdef");
  CHECK(lock_text(*read) == lock_text(lock));
}

TEST_CASE("a lock with a broken line is refused with the line") {
  Scratch scratch;
  Diagnostics diagnostics;
  const Lock lock = {{"a.cu", {"0123456789abcdef", "fedcba9876543210", "specs/a.yaml"}}};
  for (const char* tail : {"garbage\n", "a.cu  file 01  spec 23  x\n", "b.cu  file 0123456789abcdef  spec\n"}) {
    REQUIRE(write_file(scratch.root() + "/" + kLockName, lock_text(lock) + tail, diagnostics));
    Diagnostics broken;
    CHECK_FALSE(read_lock(scratch.root(), broken).has_value());
    REQUIRE(broken.errors() == 1);
    CHECK(broken.all().front().message.find("line 3") == 0);
  }
}

TEST_CASE("states of outputs are told apart") {
  Scratch scratch;
  Diagnostics diagnostics;
  const std::vector<OutputFile> files = {file("a.cu", "one\ntwo\n"), file("b.cu", "three\n")};
  REQUIRE(write_outputs(scratch.root(), files, {}, {}, diagnostics).has_value());
  const Lock lock = *read_lock(scratch.root(), diagnostics);
  const std::vector<std::string> seen = {"specs/a.cu.yaml", "specs/b.cu.yaml"};

  SUBCASE("current") {
    for (const OutputReport& report : check_outputs(scratch.root(), files, lock, seen, ""))
      CHECK(report.state == OutputState::current);
  }
  SUBCASE("stale, with and without the lock") {
    const std::vector<OutputFile> changed = {file("a.cu", "one\n2\n"), files[1]};
    const auto reports = check_outputs(scratch.root(), changed, lock, seen, "");
    CHECK(state_of(reports, "a.cu") == OutputState::stale);
    CHECK(reports[0].diff.find("-two\n+2\n") != std::string::npos);
    CHECK(state_of(reports, "b.cu") == OutputState::current);
    CHECK(state_of(check_outputs(scratch.root(), changed, {}, seen, ""), "a.cu") == OutputState::stale);
  }
  SUBCASE("hand-edited, with and without the lock, in the body and in the head") {
    for (const char* from : {"two", "generated"}) {
      std::string text = files[0].content;
      text.replace(text.find(from), 1, "X");
      REQUIRE(write_file(scratch.root() + "/a.cu", text, diagnostics));
      CHECK(state_of(check_outputs(scratch.root(), files, lock, seen, ""), "a.cu") == OutputState::hand_edited);
    }
    std::string text = files[0].content;
    text.replace(text.find("two"), 1, "X");
    REQUIRE(write_file(scratch.root() + "/a.cu", text, diagnostics));
    CHECK(state_of(check_outputs(scratch.root(), files, {}, seen, ""), "a.cu") == OutputState::hand_edited);
  }
  SUBCASE("missing and orphan") {
    fs::remove(scratch.root() + "/a.cu");
    const std::vector<OutputFile> left = {files[0]};
    const auto reports = check_outputs(scratch.root(), left, lock, {"specs/a.cu.yaml"}, "specs");
    CHECK(state_of(reports, "a.cu") == OutputState::missing);
    CHECK(state_of(reports, "b.cu") == OutputState::orphan);
    CHECK(check_outputs(scratch.root(), left, lock, {"specs/a.cu.yaml"}, "").size() == 1);
    CHECK(check_outputs(scratch.root(), left, lock, {"specs/a.cu.yaml"}, "spec").size() == 1);
  }
}

TEST_CASE("writing is all or nothing") {
  Scratch scratch;
  Diagnostics diagnostics;
  REQUIRE(write_outputs(scratch.root(), {file("a.cu", "one\n")}, {}, {}, diagnostics).has_value());
  const std::string before = scratch.read("a.cu"), lock = scratch.read(kLockName);
  fs::create_directories(scratch.root() + "/z.cu");  // a folder at the path of the last file
  CHECK_FALSE(
      write_outputs(scratch.root(), {file("a.cu", "two\n"), file("z.cu", "x\n")}, {}, {}, diagnostics).has_value());
  CHECK(diagnostics.errors() == 1);
  CHECK(scratch.read("a.cu") == before);
  CHECK(scratch.read(kLockName) == lock);
  CHECK(std::distance(fs::directory_iterator(scratch.root()), fs::directory_iterator()) == 3);
}

TEST_CASE("a rename that fails puts back the files that were renamed before") {
  Scratch scratch;
  Diagnostics diagnostics;
  const auto place = [&](const char* name) { return scratch.root() + "/" + name; };
  REQUIRE(write_file(place("a.cu"), "old\n", diagnostics));
  {
    StagedFiles staged;
    for (const char* name : {"a.cu", "b.cu", "c.cu"}) REQUIRE(staged.stage(place(name), "new\n", diagnostics));
    for (const auto& entry : fs::directory_iterator(scratch.root()))
      if (entry.path().filename().string().starts_with("c.cu")) fs::remove(entry.path());
    CHECK_FALSE(staged.commit(diagnostics));
  }
  CHECK(diagnostics.errors() == 1);
  CHECK(scratch.read("a.cu") == "old\n");
  CHECK(std::distance(fs::directory_iterator(scratch.root()), fs::directory_iterator()) == 1);
}

TEST_CASE("unchanged files keep their time stamp, changed ones their permissions") {
  Scratch scratch;
  Diagnostics diagnostics;
  const std::vector<OutputFile> files = {file("a.cu", "one\n"), file("b.cu", "one\n")};
  REQUIRE(write_outputs(scratch.root(), files, {}, {}, diagnostics).has_value());
  const auto old = fs::file_time_type::clock::now() - std::chrono::hours(5);
  for (const char* name : {"a.cu", "b.cu"}) fs::last_write_time(scratch.root() + "/" + name, old);
  fs::permissions(scratch.root() + "/b.cu", fs::perms::owner_read | fs::perms::owner_write);
  const auto result = write_outputs(scratch.root(), {files[0], file("b.cu", "two\n")}, {}, {}, diagnostics);
  REQUIRE(result.has_value());
  CHECK(result->written == std::vector<std::string>{"b.cu"});
  CHECK(fs::last_write_time(scratch.root() + "/a.cu") == old);
  CHECK(fs::status(scratch.root() + "/b.cu").permissions() == (fs::perms::owner_read | fs::perms::owner_write));
}

TEST_CASE("paths that leave the root, or meet, are refused") {
  Scratch scratch;
  for (const char* path : {"../x.cu", "/tmp/x.cu", "a/../../x.cu", ""}) {
    Diagnostics diagnostics;
    CHECK_FALSE(write_outputs(scratch.root(), {file(path, "x\n")}, {}, {}, diagnostics).has_value());
    CHECK(diagnostics.all().front().rule == "output-path");
  }
  Diagnostics diagnostics;
  OutputFile one = file("same.cu", "1\n"), other = file("same.cu", "2\n");
  other.spec = "specs/other.yaml";
  CHECK_FALSE(write_outputs(scratch.root(), {one, other}, {}, {}, diagnostics).has_value());
  CHECK_FALSE(fs::exists(scratch.root()));
}

TEST_CASE("a unified diff") {
  CHECK(unified_diff("a", "x\n", "b", "x\n").empty());
  CHECK(unified_diff("a", "x\ny\n", "b", "x\nz\n") == "--- a\n+++ b\n@@ -1,2 +1,2 @@\n x\n-y\n+z\n");
  CHECK(unified_diff("a", "x", "b", "x\n").find("No newline") != std::string::npos);
  CHECK(unified_diff("a", "", "b", "x\n").find("+x\n") != std::string::npos);
}
