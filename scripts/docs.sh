#!/usr/bin/env bash
# Builds the DocC reference of every library into .build/docs/NAME, with the flags given. Fails where that of one library fails.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v docc >/dev/null || { echo "docc comes with the Swift toolchain and is not on the PATH." >&2; exit 1; }
swift="${SWIFT:-swift}"

"$swift" build "$@"
build="$("$swift" build "$@" --show-bin-path)"
libraries=$("$swift" package dump-package | python3 -c '
import json, sys
for product in json.load(sys.stdin)["products"]:
    if "library" in product["type"]: print(product["name"])')

# Modules of C that Swift modules import: those of targets, of the system and of packages.
maps=()
for map in "$build"/*.build/module.modulemap Sources/Bridges/*/{,include/}module.modulemap \
    "${build%/*/*}"/checkouts/*/Sources/*/{,include/}module.modulemap; do
    [ ! -f "$map" ] || maps+=(-Xcc "-fmodule-map-file=$map")
done
target=$("$swift" -print-target-info | python3 -c 'import json, sys; print(json.load(sys.stdin)["target"]["unversionedTriple"])')

graphs=$(mktemp -d)
trap 'rm -rf "$graphs"' EXIT
mkdir -p .build/docs
for library in $libraries; do
    mkdir "$graphs/$library"
    swift-symbolgraph-extract -module-name "$library" -target "$target" -I "$build/Modules" "${maps[@]}" \
        -minimum-access-level public -skip-synthesized-members -output-dir "$graphs/$library"
    docc convert --additional-symbol-graph-dir "$graphs/$library" --fallback-display-name "$library" \
        --fallback-bundle-identifier "casemate.$library" --output-path ".build/docs/$library"
done
echo "The reference of $(wc -w <<<"$libraries") libraries is in .build/docs; to read one:  docc preview, or any web server"
