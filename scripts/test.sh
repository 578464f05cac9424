#!/usr/bin/env bash
# Builds and runs all tests with the flags given. What failed is printed once more at the end, where one looks first: the tests run
# side by side, so that the lines of one that failed may be thousands of lines above.
set -uo pipefail

swift="${SWIFT:-swift}"
"$swift" build "$@" --build-tests || exit 1

log=$(mktemp)
trap 'rm -f "$log"' EXIT
"$swift" test "$@" --skip-build 2>&1 | tee "$log"
result=${PIPESTATUS[0]}
if [ "$result" -ne 0 ]; then
    printf '\nWhat failed:\n'
    grep -E -A 3 'recorded an issue|^✘|Fatal error|error: ' "$log" | tail -n 200
fi
exit "$result"
