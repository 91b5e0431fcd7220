# The front door: each target installs what is missing, builds, and runs. See README.md.
BUILD ?= build
TOOL := $(BUILD)/pallasgen

.PHONY: all tool bootstrap demo test test-all fuzz wheel generated check format tidy clean
all: tool

bootstrap:
	@scripts/bootstrap

$(BUILD)/build.ninja: CMakeLists.txt CMakePresets.json
	@cmake --preset default -B $(BUILD) >/dev/null

tool:
	@scripts/bootstrap tool
	@$(MAKE) --no-print-directory $(BUILD)/build.ninja
	@cmake --build $(BUILD) --target tool

# Configured anew, as Clang's libraries may have come since.
demo: bootstrap
	@cmake --preset default -B $(BUILD) >/dev/null
	@scripts/demo $(BUILD)

test: bootstrap
	@scripts/test.py --build $(BUILD) $(TEST_FLAGS)

# The long matrices, and all mutants but most of those of counts (scripts/test.py, COUNTS_ONE_IN).
test-all: bootstrap
	@scripts/test.py --build $(BUILD) --all

# 10 minutes each; FUZZ_FLAGS="--seconds 60 reader" for less.
fuzz: bootstrap
	@scripts/fuzz $(FUZZ_FLAGS)

# The tool as a wheel in $(BUILD)/dist. Python's modules for it come into an environment of its own.
wheel: bootstrap
	@scripts/wheel $(BUILD)

generated: tool
	@$(TOOL) generate specs --out generated --prune

check: tool
	@$(TOOL) check specs --out generated

format: bootstrap
	@git ls-files 'generator/*.h' 'generator/*.cpp' 'tests/*.h' 'tests/*.cpp' | xargs clang-format-19 -i

tidy: bootstrap $(BUILD)/build.ninja
	@scripts/tidy $(BUILD)

clean:
	@rm -rf $(BUILD)
