#!/usr/bin/env bash
# Makes the packages twice of the same programs, the second time from another folder, with another umask, another language and another time
# zone, and compares them to the byte.
#
#   BUILD=folder [RELEASE_KEY=key.pem] scripts/deb-twice.sh
#
# Signatures differ each time by their nature: the second time takes the manifest that was signed the first time (MANIFEST), as whoever
# checks a release does.
set -euo pipefail

repository="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)"
[ -n "${BUILD:-}" ] || {
    echo "deb-twice: say where the built programs are: BUILD=folder" >&2
    exit 64
}
BUILD="$(realpath "$BUILD")"
export BUILD
work="$(mktemp -d --tmpdir casemate-twice.XXXXXX)"
trap 'rm -rf "$work"' EXIT

OUT="$work/first" "$repository/scripts/deb.sh" >"$work/log" 2>&1 || {
    cat "$work/log" >&2
    exit 1
}
unset MANIFEST
if [ -n "${RELEASE_KEY:-}" ]; then
    RELEASE_KEY="$(realpath "$RELEASE_KEY")"
    export RELEASE_KEY
    dpkg-deb --fsys-tarfile "$work"/first/casemate_*.deb |
        tar -xO ./usr/libexec/casemate/vigil-manifest.json >"$work/manifest.json"
    export MANIFEST="$work/manifest.json"
fi

mkdir -p "$work/another folder"
git clone --quiet --no-hardlinks "$repository" "$work/another folder/clone"
# What is not committed is a part of the packages too.
(cd "$repository" && git diff HEAD --binary) | (cd "$work/another folder/clone" && git apply --allow-empty --whitespace=nowarn)
(
    umask 077
    export LC_ALL=C LANG=C LANGUAGE=C TZ=Asia/Tokyo HOME="$work"
    OUT="$work/second" "$work/another folder/clone/scripts/deb.sh"
) >"$work/log" 2>&1 || {
    cat "$work/log" >&2
    exit 1
}

differ=0
for first in "$work"/first/*.deb; do
    name="$(basename "$first")"
    if cmp -s "$first" "$work/second/$name"; then
        echo "same    $(sha256sum <"$first" | cut -c1-64)  $name"
    else
        echo "differs $name" >&2
        differ=1
    fi
done
exit "$differ"
