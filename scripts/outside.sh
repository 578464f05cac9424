#!/usr/bin/env bash
# Uses libraries as somebody outside does: each in a package of its own, which depends by URL and version on a clone of what is
# committed here, with the program, the traits and the dependencies of its article "Use it alone in ten minutes" (NAME.docc).
# Prints how long resolving and building took, runs what needs nothing special, and compares what it prints with the article.
#
#     scripts/outside.sh [NAME...]       by default those that between them use every trait; minutes of processor time
#     scripts/outside.sh all             every library that has an article: half an hour on two cores
set -euo pipefail
cd "$(dirname "$0")/.."
swift="${SWIFT:-swift}"
libraries=("$@")
[ $# -gt 0 ] || libraries=(Sr25519 MainKey ForceField AppAttest RaptorQ CertificatePinsNIO)
[ "$*" != all ] || mapfile -t libraries < <(ls -d Sources/*/*/*.docc | xargs -n 1 basename -s .docc)

room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
# The folder's name is that of the package.
git clone --quiet --no-local --no-tags . "$room/casemate"
git -C "$room/casemate" -c advice.detachedHead=false tag 0.1.0
scripts="$room/casemate/scripts"

# timed WHAT COMMAND...: prints how many seconds it took; what it prints itself is shown where it fails.
timed() {
    local what="$1" before
    shift
    before=$EPOCHREALTIME
    "$@" >"$room/log" 2>&1 || { cat "$room/log"; echo "$library: $what failed." >&2; return 1; }
    awk -v library="$library" -v what="$what" -v before="$before" -v after="$EPOCHREALTIME" \
        'BEGIN { printf "%-20s %-12s %6.1f s\n", library, what, after - before }'
}

for library in "${libraries[@]}"; do
    folder="$room/$library"
    mkdir "$folder"
    "$scripts/snippets.py" write "$library" "$folder" "file://$room/casemate"
    # A cache that is empty, as a newcomer's is; the manifest of a dependency is read there.
    package=(--package-path "$folder" --cache-path "$room/cache")
    timed "resolving" "$swift" package "${package[@]}" resolve
    fetched=$(find "$folder/.build/checkouts" -mindepth 1 -maxdepth 1 | wc -l)
    timed "building" "$swift" build "${package[@]}"
    # No article's program needs more than the machine that it was built on. Some leave a file where they are.
    program="$("$swift" build "${package[@]}" --show-bin-path)/alone"
    (cd "$folder" && exec "$program") >"$room/printed" 2>"$room/errors" || {
        cat "$room/printed" "$room/errors"
        echo "$library: the program of its article failed." >&2
        exit 1
    }
    "$scripts/snippets.py" compare "$library" "$room/printed"
    echo "$library: $fetched packages fetched; its program prints what its article says."
done
