#!/usr/bin/env bash
# Prints the flags of a release, one a line: programs that carry Swift's libraries, and are the same to the byte from whatever folder they are
# built in (docs/install.md says what was compared).
#
#   scripts/release-flags.sh [--with-symbols]     symbols for debuggers stay; they name the build's cache, which differs
set -euo pipefail

repository="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)"
printf '%s\n' -c release --static-swift-stdlib -Xswiftc -Xfrontend -Xswiftc -function-sections
# Paths in messages of assertions and in debug information begin at this repository.
printf '%s\n' -Xcc "-ffile-prefix-map=$repository=." -Xcxx "-ffile-prefix-map=$repository=." -Xswiftc -file-prefix-map -Xswiftc "$repository=."
if [ "${1:-}" != --with-symbols ]; then printf '%s\n' -Xlinker --strip-debug; fi
