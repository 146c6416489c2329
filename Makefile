# Thin: CMake builds, ctest tests; the targets here say in which order. `make help` lists them.

SETUP   ?= ./setup
JOBS    ?= $(shell nproc)
PREFIX  ?= /usr/local
HOURS   ?= 1
RELEASE := build/release

.DEFAULT_GOAL := help
.PHONY: run test test-lab check-all soak mutate weaken build install install-sanitized package clean help

# Everything off but the library and the examples.
LIBRARY := -D PARLEY_BROKER=OFF -D PARLEY_CLUSTER=OFF -D PARLEY_LAB=OFF -D PARLEY_BUILD_TESTS=OFF

run: ## install compiler and CMake if missing, build library and one program, count a tree of 4 million nodes on all cores
	@$(SETUP)
	@cmake -S . -B build/run -D CMAKE_BUILD_TYPE=Release -D PARLEY_UNITY=ON $(LIBRARY)
	@cmake --build build/run --parallel $(JOBS) --target example_uts
	build/run/examples/uts T1

test: ## tests of library, broker and cluster in release, then those of the library under ASan + UBSan and under TSan
	@$(SETUP) --tests
	@JOBS=$(JOBS) tests/run-all

test-lab: ## tests of the laboratory in release: simulator (test_sim), programs, and the verbs run, bench and sim (test_cli)
	@$(SETUP) --tests
	@JOBS=$(JOBS) tests/run-all --lab

check-all: ## all tests in every preset, with g++ and clang, the models, the large searches, Debian 13 (hours)
	@$(SETUP) --all
	@JOBS=$(JOBS) tests/run-all --every-preset
	lab/models/run
	$(RELEASE)/bin/explore --all
	$(RELEASE)/bin/explore-runtime --all --every-step
	lab/explore/find_broken.py --jobs $(JOBS)
	$(RELEASE)/bin/explore-memory --litmus --all
	lab/memory/weaken.py --check --jobs $(JOBS)
	tests/compile-alone g++
	tests/compile-alone clang++-19 -stdlib=libc++ -fexperimental-library
	tests/debian-13

soak: build ## looks for rare failures for HOURS (default 1)
	tests/soak $(HOURS)

mutate: ## how many broken statements of protocol and channels the tests notice (an hour)
	@$(SETUP) --all
	python3 lab/tools/mutate.py --jobs $(JOBS)

weaken: ## each memory order of the library one step weaker: what notices, into docs/internals/orders.md (half a minute)
	@$(SETUP) --tests
	@cmake --preset release
	@cmake --build --preset release --parallel $(JOBS) --target explore-memory
	lab/memory/weaken.py --jobs $(JOBS)

build: ## everything in release, without running it
	@$(SETUP) --tests
	@cmake --preset release
	@cmake --build --preset release --parallel $(JOBS)

install: build ## library, headers and command into PREFIX (default /usr/local)
	cmake --install $(RELEASE) --prefix $(PREFIX)

install-sanitized: ## libraries for programs under -fsanitize=thread and =address, into PREFIX/lib/parley-thread, -address
	@$(SETUP) --tests
	@for s in thread address; do \
	    cmake -S . -B build/install-$$s -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DPARLEY_SANITIZE=$$s \
	        -DPARLEY_LAB=OFF -DPARLEY_BUILD_TESTS=OFF -DPARLEY_BUILD_EXAMPLES=OFF && \
	    cmake --build build/install-$$s --parallel $(JOBS) && \
	    cmake --install build/install-$$s --prefix $(PREFIX)/lib/parley-$$s || exit 1; \
	done

.PHONY: bundle
bundle: ## a folder for measuring on machines without packages: build/bundle, whose script `measure` prints one page
	@$(SETUP) --tests
	@cmake --preset release
	@cmake --build --preset release --parallel $(JOBS) --target parley_lab_cli
	lab/bundle/make $(RELEASE) build/bundle

package: build ## Debian packages in build/release: libparley0, libparley-dev, parley, parley-broker, parley-cluster, parley-lab
	cd $(RELEASE) && cpack -G DEB

.PHONY: docs
docs: ## the pages and a reference of the library as a site: build/docs/html/index.html
	@$(SETUP) --docs
	docs/reference/build

clean: ## remove all builds
	rm -rf build

help: ## this list (default)
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-17s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
