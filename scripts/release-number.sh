#!/usr/bin/env bash
# Prints the number of the commit that is checked out: how many there are up to it. In a clone without all of them it would be a lower one,
# and programs refuse a release with a lower number than they have seen.
#
#   scripts/release-number.sh SETTING     what one can say in its place
set -euo pipefail

[ "$(git rev-parse --is-shallow-repository)" = false ] || {
    echo "release-number: this clone has the last commits alone, by whose number releases are told apart. Say $1=…, or fetch the history: \
git fetch --unshallow" >&2
    exit 1
}
git rev-list --count HEAD
