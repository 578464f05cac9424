# Everything a person runs by hand; `make` alone lists it.

SWIFT ?= swift
# What debuggers want takes a twentieth of a build's time. DEBUG_INFO=dwarf has it made.
DEBUG_INFO ?= none
# Tests run optimised: unoptimised curve arithmetic is hundreds of times slower.
TEST_FLAGS = -c release -Xswiftc -enable-testing --scratch-path .build-test -debug-info-format $(DEBUG_INFO)
# Programs carry Swift's libraries: they start in half the time, and run where Swift is not installed.
# Each function may lie by itself, or be left out.
PROGRAM_FLAGS = -c release --static-swift-stdlib -Xswiftc -Xfrontend -Xswiftc -function-sections -debug-info-format $(DEBUG_INFO)
# Each by itself: a build of everything would be one of the tests' hosts too, which need what only TEST_FLAGS open to them.
PROGRAMS = casemate casemate-window casemate-worker generate-message runtime-worker airgap mainkey forcefield gate vigil-validator vigil-validate \
    vigil-hash-tool vigil-demo conformance
FUZZ_SECONDS ?= 20
SCREENS ?= $(CURDIR)/.build/screens
BENCH ?=
DATA ?= ../shared/data
OUTSIDE ?=
# What makes packages and archives, and tries them.
PACKAGING_TOOLS = debhelper lintian mmdebstrap chrpath binutils xz-utils openssl python3 iproute2 man-db
# Of the stick: a folder of built programs (else they are built), the kernel (debian, own), the layout of the keyboard, where apt finds Debian 12.
STICK_PROGRAMS ?=
KERNEL ?= debian
KEYBOARD ?= us
STICK_SOURCES ?=
# The package manager puts the traits into each compiler call in an order of chance: without this, each build would begin anew.
export SWIFT_DETERMINISTIC_HASHING = 1
export SWIFT KERNEL KEYBOARD STICK_PROGRAMS STICK_SOURCES STICK_CASES

.DEFAULT_GOAL := help
.PHONY: help deps deps-window run window screens whole-flow build install-signed deb deb-test archives archives-test stick stick-lock \
    stick-manifest stick-test test test-cgroup2 snippets apple outside bench examples fuzz lint format docs conformance clean

help: ## List the targets
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z0-9-]+):.*## (.*)/  make \1\t\2/' | expand -t 22

deps: ## Install the system libraries that are missing
	@scripts/deps.sh

deps-window: ## Install those that the window needs, too
	@scripts/deps.sh --window

# What one program needs and nothing else: the packages of the rest are not fetched, and one call builds it with its worker.
run: export ONLY = casemate CasemateWorkerProgram
run: deps ## Build the signer and start its demonstration
	@$(SWIFT) build $(PROGRAM_FLAGS)
	@"$$($(SWIFT) build $(PROGRAM_FLAGS) --show-bin-path)/casemate" demo

window: export ONLY = CasemateWindowProgram CasemateWorkerProgram
window: deps-window ## Build the signer's window and show it with public test keys
	@$(SWIFT) build $(PROGRAM_FLAGS)
	@"$$($(SWIFT) build $(PROGRAM_FLAGS) --show-bin-path)/casemate-window" --demo

screens: ## Write pictures of all pages of the window, light and dark, narrow and wide, to SCREENS (.build/screens)
	@scripts/deps.sh --window xvfb
	$(SWIFT) build $(TEST_FLAGS) --product AdwaitaTestHost
	@scripts/screens.sh "$$($(SWIFT) build $(TEST_FLAGS) --show-bin-path)/AdwaitaTestHost" "$(SCREENS)"

whole-flow: ## Install, bind, sign a film on a TPM in software, verify; then cut each link, as a table (BUILD=: programs that are built)
	@scripts/deps.sh --tests
	@if [ -z "$(BUILD)" ]; then $(SWIFT) build $(PROGRAM_FLAGS); fi
	@BUILD="$${BUILD:-$$($(SWIFT) build $(PROGRAM_FLAGS) --show-bin-path)}" Examples/whole-flow.sh

build: deps-window ## Build all programs
	@for program in $(PROGRAMS); do $(SWIFT) build $(PROGRAM_FLAGS) --product $$program || exit 1; done

install-signed: deps-window ## Install casemate, its window and its validator, signed (PREFIX=, RELEASE_KEY=, EPOCH=, VIGIL_USERS=)
	@SWIFT="$(SWIFT)" PREFIX="$(PREFIX)" RELEASE_KEY="$(RELEASE_KEY)" EPOCH="$(EPOCH)" BUILD="$(BUILD)" VIGIL_USER="$(VIGIL_USER)" \
	    VIGIL_USERS="$(VIGIL_USERS)" VIGIL_HARDWARE="$(VIGIL_HARDWARE)" scripts/install-signed.sh

deb: deps-window ## Make Debian packages of all programs, in .build/deb (RELEASE_KEY=, EPOCH=, BUILD=; DEBUG=1: symbols too)
	@scripts/deps.sh $(PACKAGING_TOOLS)
	@SWIFT="$(SWIFT)" RELEASE_KEY="$(RELEASE_KEY)" EPOCH="$(EPOCH)" BUILD="$(BUILD)" MANIFEST="$(MANIFEST)" VERSION="$(VERSION)" \
	    DEBUG="$(DEBUG)" scripts/deb.sh

deb-test: ## Try those packages in a bare Debian: lintian, each alone, together, upgrade, removal, purge; as root
	@scripts/deps.sh $(PACKAGING_TOOLS)
	@scripts/deb-test.sh

archives: deps ## Make archives of airgap, mainkey, forcefield, generate-message that need no Swift, in .build/archives (BUILD=)
	@scripts/deps.sh $(PACKAGING_TOOLS)
	@SWIFT="$(SWIFT)" BUILD="$(BUILD)" scripts/archives.sh

archives-test: ## Try those archives in a bare Debian; as root
	@scripts/deps.sh $(PACKAGING_TOOLS)
	@scripts/archives-test.sh

stick: ## Build the image of a stick that boots the signer (KERNEL=own, KEYBOARD=de, STICK_PROGRAMS=folder of built programs)
	@packaging/stick/stick.sh build

stick-test: ## Boot the stick's images in virtual machines, try what docs/stick.md says of them, print a table
	@packaging/stick/stick.sh test

stick-lock: ## Take Debian's newest packages for the stick: writes its lock and the list of its files
	@packaging/stick/stick.sh lock

stick-manifest: ## Write the list of the stick's files anew, after what it is made of was changed
	@packaging/stick/stick.sh manifest

test: ## Build once, run all tests (end to end included)
	@scripts/deps.sh --tests
	@SWIFT="$(SWIFT)" scripts/test.sh $(TEST_FLAGS)

test-cgroup2: ## Run the tests of control groups in a virtual machine that has version 2 of them
	@scripts/deps.sh --tests
	$(SWIFT) build $(TEST_FLAGS) --build-tests
	@scripts/cgroup2-machine.sh "$$(echo "$$($(SWIFT) build $(TEST_FLAGS) --show-bin-path)"/*PackageTests.xctest)" --testing-library swift-testing \
	    --experimental-maximum-parallelization-width 2 --filter 'ControlGroupsTests|TerminationKindTests|BoundTests|LayersTests|AirgapLeftoverTests'

snippets: ## Type-check the programs of the libraries' articles against the modules that `make test` has built
	@scripts/deps.sh python3
	@SWIFT="$(SWIFT)" scripts/snippets.py check "$$($(SWIFT) build $(TEST_FLAGS) --show-bin-path)"

apple: ## Type-check what is for Apple's platforms alone, against the modules that `make test` has built (docs/apple.md)
	@scripts/deps.sh python3
	@scripts/check-apple.sh "$$($(SWIFT) build $(TEST_FLAGS) --show-bin-path)"

outside: ## Use libraries as a package outside does, by a tagged clone of what is committed (OUTSIDE=Sr25519: only that; OUTSIDE=all: every one)
	@scripts/deps.sh python3
	@SWIFT="$(SWIFT)" scripts/outside.sh $(OUTSIDE)

bench: ## Measure against the peers, side by side (BENCH=MainKey: only those)
	@scripts/deps.sh python3-venv libzbar0 age gocryptfs fuse3 aide bubblewrap firejail nginx-light haproxy postgresql gcc
	@Benchmarks/run.sh "$(DATA)" "$(BENCH)"

examples: ## Build the example of docs/forcefield.md and show that it works
	@scripts/deps.sh libpng-dev python3
	@Examples/sandboxed-png/test.sh

fuzz: deps ## Run each fuzz target for FUZZ_SECONDS (20)
	@Fuzz/run.sh $(FUZZ_SECONDS)

conformance: deps ## Run the known answers of DATA through the libraries
	$(SWIFT) build $(PROGRAM_FLAGS) --product conformance
	$(SWIFT) build $(PROGRAM_FLAGS) --product casemate-worker
	@for topic in crypto:substrate-crypto mainkey:mainkey vigil:vigil forcefield:forcefield appattest:appattest-gate wire:signer-wire product:signer-product qr:raptorq-qr/qr raptorq:raptorq-qr/rfc6330 \
	    frames:raptorq-qr/vault-frames frames:raptorq-qr/video frames:signer-wire/frames; do \
	    echo "== $$topic"; \
	    "$$($(SWIFT) build $(PROGRAM_FLAGS) --show-bin-path)/conformance" "$${topic%%:*}" "$(DATA)/$${topic#*:}" || exit 1; \
	done

lint: ## Check formatting, imports against Package.swift, what comments cite (docs/formats), how they begin, and NOTICE
	@scripts/deps.sh python3
	@scripts/imports.py .
	@scripts/citations.py .
	@scripts/summaries.py .
	@scripts/house.py --check .
	@scripts/notices.py .
	$(SWIFT) format lint --strict --recursive Package.swift Sources Conformance Tests Benchmarks/Package.swift Benchmarks/Sources Fuzz/Package.swift Fuzz/Sources Examples scripts/apple scripts/decompositions.swift

format: ## Format all Swift files
	$(SWIFT) format --in-place --recursive Package.swift Sources Conformance Tests Benchmarks/Package.swift Benchmarks/Sources Fuzz/Package.swift Fuzz/Sources Examples scripts/apple scripts/decompositions.swift

docs: deps-window ## Build the reference of every library, with its articles, into .build/docs (DOCS=Sr25519: only that)
	@SWIFT="$(SWIFT)" DOCS="$(DOCS)" scripts/docs.sh $(PROGRAM_FLAGS)

clean: ## Remove everything that was built
	rm -rf .build .build-test .build-signed .build-release .build-archives .build-machine .build-stick .build-apple Benchmarks/.build Fuzz/.build \
	    Examples/sandboxed-png/.build
