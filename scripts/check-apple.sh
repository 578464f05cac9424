#!/usr/bin/env bash
# Type-checks what is compiled on Apple's platforms alone, for macOS and for iOS, against the stub modules in scripts/apple/stubs, and
# checks that planted mistakes are found. It uses the modules of other packages that `make test` has built. docs/apple.md says what this
# finds, and what it cannot find.
#
#     scripts/check-apple.sh BUILD [macOS|iOS [TARGET...]]     BUILD: the folder in which `make test` built
#     scripts/check-apple.sh BUILD iOS HardwareKeys            only that target and what it uses
set -euo pipefail

build=${1:-}
[ -n "$build" ] || { sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 64; }
[ -d "$build/Modules" ] || { echo "check-apple: $build holds no modules: run 'make test' first." >&2; exit 66; }
shift
here=$(dirname "$0")
if [ $# -gt 0 ]; then exec python3 "$here/apple/check.py" "$build" "$@"; fi

result=0
# C first: it takes a second.
python3 "$here/apple/check_c.py" || result=1
for platform in macOS iOS; do python3 "$here/apple/check.py" "$build" "$platform" || result=1; done
exit $result
