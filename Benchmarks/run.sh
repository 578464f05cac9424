#!/usr/bin/env bash
# Measures ours and the peers in one run: run.sh DATA_FOLDER [TITLE] (the known answers beside the checkout, ../shared/data; with
# TITLE only the comparisons that have it in their title).
# The peers are installed into virtual environments under .build; two of them claim the same module name and get one each.
set -euo pipefail
data="$(realpath -m "${1:-../shared/data}")"
cd "$(dirname "$0")"

swift build -c release
programs="$(swift build -c release --show-bin-path)"

environment() { # name packages...
    [ -x ".build/peers/$1/bin/python" ] || python3 -m venv ".build/peers/$1"
    ".build/peers/$1/bin/pip" install --quiet --disable-pip-version-check "${@:2}"
}
environment rust py-sr25519-bindings bt-decode raptorq
environment cython cyscale
environment mainkey pyrage sqlcipher3-binary
environment appattest pyattest
environment qr zxing-cpp pyzbar pillow numpy

python3 compare.py "$programs" "$data/signer-wire/metadata" "$data/raptorq-qr" "$PWD/.build/peers" "${2:-}"

for program in casemate mainkey vigil-demo vigil-validator vigil-hash-tool forcefield; do
    (cd .. && swift build -c release --static-swift-stdlib --product "$program" >/dev/null)
done
built="$(cd .. && swift build -c release --static-swift-stdlib --show-bin-path)"

echo
echo "### casemate inspect, from cold start to cards"
echo
python3 cold_start.py "$built/casemate"

echo
echo "### mainkey status, processor time of the whole process"
echo
python3 start_up.py "$built/mainkey"

echo
echo "### Vigil, two processes"
echo
python3 vigil_validation.py "$built"

echo
echo "### ForceField, beside bare processes and other sandboxes"
echo
python3 forcefield.py "$built"
