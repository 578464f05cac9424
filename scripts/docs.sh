#!/usr/bin/env bash
# Builds the DocC reference of every library into .build/docs/NAME, and the articles of docs/ beside it.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v docc >/dev/null || { echo "docc comes with the Swift toolchain and is not on the PATH." >&2; exit 1; }

# Its status also counts programs and tests, which have no public interface; the copies below fail if a library is missing.
swift package dump-symbol-graph --minimum-access-level public --skip-synthesized-members >/dev/null || true
graphs="$(swift build --show-bin-path)/../symbolgraph"
mkdir -p .build/docs
for library in SecretMemory SCALE Sr25519 RaptorQ QRCode QRFilms Pictures ZXingReader Substrate Airgap AirgapLink Signer; do
    one="$(mktemp -d)"
    cp "$graphs/$library.symbols.json" "$one/"
    cp "$graphs/$library@"*.symbols.json "$one/" 2>/dev/null || true
    docc convert --additional-symbol-graph-dir "$one" --fallback-display-name "$library" \
        --fallback-bundle-identifier "casemate.$library" --output-path ".build/docs/$library"
    rm -rf "$one"
done
echo "Reference written to .build/docs; serve one with:  docc preview, or any web server"
