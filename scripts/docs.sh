#!/usr/bin/env bash
# Builds the DocC reference of every library, or of those named in DOCS, with its catalogue (NAME/NAME.docc) into .build/docs/NAME, with
# the flags given. Fails, after all were tried, where one fails or a catalogue refers to what is not there.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v docc >/dev/null || { echo "docc comes with the Swift toolchain and is not on the PATH." >&2; exit 1; }
swift="${SWIFT:-swift}"

# NAME:FOLDER of each library.
libraries=$("$swift" package dump-package | python3 -c '
import json, sys
package = json.load(sys.stdin)
paths = {target["name"]: target["path"] for target in package["targets"]}
for product in package["products"]:
    if "library" in product["type"]: print(product["name"] + ":" + paths[product["name"]])')

# Nothing but libraries: the hosts of the window's tests need what only the flags of tests open to them.
ONLY="${DOCS:-$(printf '%s\n' "$libraries" | sed 's/:.*//' | tr '\n' ' ')}" "$swift" build "$@"
build="$("$swift" build "$@" --show-bin-path)"

mapfile -t clang < <(scripts/snippets.py flags "$build")
target=$("$swift" -print-target-info | python3 -c 'import json, sys; print(json.load(sys.stdin)["target"]["unversionedTriple"])')

graphs=$(mktemp -d)
trap 'rm -rf "$graphs"' EXIT
mkdir -p .build/docs

# document NAME FOLDER: what docc warns of in a catalogue is an error. Doc comments may name symbols of other libraries, which it cannot
# follow; what it says of them is in .build/docs/NAME.log.
document() {
    local library="$1" catalogue="$2/$1.docc"
    [ -f "$catalogue/$library.md" ] || { echo "$library: there is no $catalogue/$library.md" >&2; return 1; }
    mkdir "$graphs/$library"
    swift-symbolgraph-extract -module-name "$library" -target "$target" -I "$build/Modules" "${clang[@]}" \
        -minimum-access-level public -skip-synthesized-members -output-dir "$graphs/$library" || return 1
    docc convert "$catalogue" --additional-symbol-graph-dir "$graphs/$library" --fallback-display-name "$library" \
        --fallback-bundle-identifier "casemate.$library" --output-path ".build/docs/$library" \
        --diagnostics-file "$graphs/$library/diagnostics.json" >".build/docs/$library.log" 2>&1 || { cat ".build/docs/$library.log" >&2; return 1; }
    python3 -c '
import json, sys
found = [each for each in json.load(open(sys.argv[1]))["diagnostics"] if ".docc/" in (each.get("source") or "")]
for each in found:
    print(each["source"].split("/Sources/")[-1], "line", each["range"]["start"]["line"], each["summary"], file=sys.stderr)
sys.exit(1 if found else 0)' "$graphs/$library/diagnostics.json"
}

failed=()
count=0
for library in $libraries; do
    case " ${DOCS:-${library%%:*}} " in *" ${library%%:*} "*) ;; *) continue ;; esac
    count=$((count + 1))
    document "${library%%:*}" "${library#*:}" || failed+=("${library%%:*}")
done
[ ${#failed[@]} -eq 0 ] || { echo "The reference has errors: ${failed[*]}" >&2; exit 1; }
echo "The reference of $count libraries is in .build/docs; to read one:  docc preview, or any web server"
