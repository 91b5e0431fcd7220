#include "verify/process.h"

#include <doctest/doctest.h>

using namespace pallasgen;

TEST_CASE("a process gives its output and exit code") {
  const ProcessResult result = run_process({"sh", "-c", "echo out; echo err >&2; exit 7"});
  CHECK(result.exit_code == 7);
  CHECK(result.output == "out\nerr\n");
  CHECK_FALSE(result.timed_out);
}

TEST_CASE("its environment is the caller's with additions") {
  CHECK(run_process({"sh", "-c", "echo $PALLASGEN_X$PATH"}, {{"PALLASGEN_X", "y:"}}).output.starts_with("y:/"));
}

TEST_CASE("words are not read by a shell") {
  CHECK(run_process({"echo", "a b", "$HOME", ";"}).output == "a b $HOME ;\n");
}

TEST_CASE("signals, missing programs and endless runs are told") {
  CHECK(run_process({"sh", "-c", "kill -SEGV $$"}).exit_code == 128 + 11);
  CHECK(run_process({"no-such-program-anywhere"}).exit_code == 127);
  const ProcessResult slow = run_process({"sleep", "30"}, {}, 1);
  CHECK(slow.timed_out);
  CHECK(slow.exit_code == 128 + 9);
}

TEST_CASE("more output than a pipe holds arrives whole") {
  CHECK(run_process({"sh", "-c", "head -c 300000 /dev/zero"}).output.size() == 300000);
}

TEST_CASE("programs are found in PATH") {
  CHECK(find_program("sh").ends_with("/sh"));
  CHECK(find_program("no-such-program-anywhere").empty());
}
