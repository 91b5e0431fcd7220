# Rules for GNU Make (4.3 or newer) that generate kernels from specs and compile them. Before this file is included:
#
#   PALLASGEN_SPECS := specs        # the folder of the specs; this is the default, as are the following
#   PALLASGEN_OUT   := generated    # where generated sources go
#   PALLASGEN_BUILD := build        # where objects go
#   PALLASGEN_FLAGS :=              # options of pallasgen, such as -D bm=64
#
# Where this folder has a project file, pallasgen.yaml, the defaults of the first two are what it says.
#
# It sets PALLASGEN_SOURCES and PALLASGEN_OBJECTS, a .cu and a .o for each spec, and has the targets pallasgen-update, which
# generates all outputs and removes those whose spec is gone, and pallasgen-check, which fails where an output is stale or
# edited. Make ends names at spaces: the folders and specs have none.

# The first target of the including file stays the one that `make` makes.
pallasgen_goal := $(.DEFAULT_GOAL)

# The tree that this file is installed in, share/pallasgen below it.
PALLASGEN_PREFIX := $(patsubst %/share/pallasgen/,%,$(dir $(lastword $(MAKEFILE_LIST))))
PALLASGEN ?= $(PALLASGEN_PREFIX)/bin/pallasgen
ifneq ($(wildcard pallasgen.yaml),)
pallasgen_target := $(patsubst sm_%,%,$(shell $(PALLASGEN) project target))
ifneq ($(.SHELLSTATUS),0)
$(error pallasgen.yaml cannot be read)
endif
PALLASGEN_SPECS := $(or $(PALLASGEN_SPECS),$(shell $(PALLASGEN) project specs))
PALLASGEN_OUT := $(or $(PALLASGEN_OUT),$(shell $(PALLASGEN) project out),generated)
pallasgen_args := $(shell $(PALLASGEN) project extern_args)
endif
ifneq ($(words $(PALLASGEN_SPECS)),1)
PALLASGEN_SPECS := $(if $(PALLASGEN_SPECS),$(error PALLASGEN_SPECS is one folder, not '$(PALLASGEN_SPECS)'),specs)
endif
PALLASGEN_OUT ?= generated
PALLASGEN_BUILD ?= build
PALLASGEN_FLAGS ?=
NVCC ?= nvcc
pallasgen_target := $(or $(pallasgen_target),90a)
PALLASGEN_NVCCFLAGS ?= -std=c++20 -gencode arch=compute_$(pallasgen_target),code=sm_$(pallasgen_target) -O3
PALLASGEN_CPPFLAGS := -I $(PALLASGEN_PREFIX)/include -I $(PALLASGEN_OUT) -I $(PALLASGEN_SPECS) $(pallasgen_args)

pallasgen_yaml := $(sort $(shell find $(PALLASGEN_SPECS) -name '*.yaml'))
PALLASGEN_SOURCES := $(pallasgen_yaml:$(PALLASGEN_SPECS)/%.yaml=$(PALLASGEN_OUT)/%.cu)
PALLASGEN_OBJECTS := $(pallasgen_yaml:$(PALLASGEN_SPECS)/%.yaml=$(PALLASGEN_BUILD)/%.o)

# Make would delete sources that it takes for intermediate files.
.SECONDARY: $(PALLASGEN_SOURCES) $(pallasgen_yaml:$(PALLASGEN_SPECS)/%.yaml=$(PALLASGEN_BUILD)/%.generated)

# A file x.generated says when the outputs of x.yaml were last made. Outputs that come out as they were keep their time stamps, so
# that nothing is compiled again; what the depfile lists are dependencies of x.generated.
$(PALLASGEN_BUILD)/%.generated: $(PALLASGEN_SPECS)/%.yaml
	@mkdir -p $(dir $@)
	$(PALLASGEN) generate $< --root $(PALLASGEN_SPECS) --out $(PALLASGEN_OUT) --depfile $(PALLASGEN_BUILD)/$*.specs.d $(PALLASGEN_FLAGS)
	@sed -i '1s|^.*:|$@:|' $(PALLASGEN_BUILD)/$*.specs.d
	@touch $@

# Writes an output that somebody has removed.
$(PALLASGEN_OUT)/%.cu $(PALLASGEN_OUT)/%.h &: $(PALLASGEN_BUILD)/%.generated
	@test -f $(PALLASGEN_OUT)/$*.cu -a -f $(PALLASGEN_OUT)/$*.h || \
	  $(PALLASGEN) generate $(PALLASGEN_SPECS)/$*.yaml --root $(PALLASGEN_SPECS) --out $(PALLASGEN_OUT) $(PALLASGEN_FLAGS)

$(PALLASGEN_BUILD)/%.o: $(PALLASGEN_OUT)/%.cu
	@mkdir -p $(dir $@)
	$(NVCC) $(PALLASGEN_NVCCFLAGS) $(PALLASGEN_CPPFLAGS) -c $< -o $@

.PHONY: pallasgen-update pallasgen-check
pallasgen-update:
	$(PALLASGEN) generate $(PALLASGEN_SPECS) --root $(PALLASGEN_SPECS) --out $(PALLASGEN_OUT) --prune $(PALLASGEN_FLAGS)
pallasgen-check:
	$(PALLASGEN) check $(PALLASGEN_SPECS) --root $(PALLASGEN_SPECS) --out $(PALLASGEN_OUT) $(PALLASGEN_FLAGS)

-include $(PALLASGEN_OBJECTS:.o=.specs.d)

.DEFAULT_GOAL := $(pallasgen_goal)
