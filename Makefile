# Thin: CMake builds, ctest tests; the targets here say in which order. `make help` lists them.

SETUP   ?= ./setup
JOBS    ?= $(shell nproc)
PREFIX  ?= /usr/local
HOURS   ?= 1
RELEASE := build/release

.DEFAULT_GOAL := help
.PHONY: run test check-all soak mutate build install install-sanitized package clean help

run: ## install what is missing, build, count an unbalanced tree of 4 million nodes on all cores
	@$(SETUP)
	@cmake --preset release
	@cmake --build --preset release --parallel $(JOBS) --target parley_cli
	$(RELEASE)/bin/parley run uts --tree T1

test: ## all tests in release but the simulated cluster's, then the library's under ASan + UBSan and under TSan
	@$(SETUP)
	@JOBS=$(JOBS) tests/run-all

check-all: ## all tests in every preset, with g++ and clang, the models, the large searches, Debian 13 (hours)
	@$(SETUP) --all
	@JOBS=$(JOBS) tests/run-all --every-preset
	lab/models/run
	$(RELEASE)/bin/explore --all
	tests/compile-alone g++
	tests/compile-alone clang++-19 -stdlib=libc++ -fexperimental-library
	tests/debian-13

soak: build ## looks for rare failures for HOURS (default 1)
	tests/soak $(HOURS)

mutate: ## how many broken statements of protocol and channels the tests notice (an hour)
	@$(SETUP) --all
	python3 lab/tools/mutate.py --jobs $(JOBS)

build: ## everything in release, without running it
	@$(SETUP)
	@cmake --preset release
	@cmake --build --preset release --parallel $(JOBS)

install: build ## library, headers and command into PREFIX (default /usr/local)
	cmake --install $(RELEASE) --prefix $(PREFIX)

install-sanitized: ## libraries for programs under -fsanitize=thread and =address, into PREFIX/lib/parley-thread, -address
	@$(SETUP)
	@for s in thread address; do \
	    cmake -S . -B build/install-$$s -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DPARLEY_SANITIZE=$$s \
	        -DPARLEY_BUILD_TESTS=OFF -DPARLEY_BUILD_CLI=OFF -DPARLEY_BUILD_EXAMPLES=OFF && \
	    cmake --build build/install-$$s --parallel $(JOBS) && \
	    cmake --install build/install-$$s --prefix $(PREFIX)/lib/parley-$$s || exit 1; \
	done

package: build ## a Debian package in build/release
	cd $(RELEASE) && cpack -G DEB

.PHONY: docs
docs: ## the pages and a reference of the library as a site: build/docs/html/index.html
	@$(SETUP) --docs
	docs/reference/build

clean: ## remove all builds
	rm -rf build

help: ## this list (default)
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-17s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
