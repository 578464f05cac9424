#!/usr/bin/env bash
# Measures ours and the peers in one run: run.sh DATA_FOLDER [TITLE] (the known answers beside the checkout, ../shared/data; with
# TITLE only the comparisons that have it in their title).
# The peers are installed into virtual environments under .build; two of them claim the same module name and get one each.
set -euo pipefail
data="$(realpath -m "${1:-../shared/data}")"
wanted="${2:-}"
cd "$(dirname "$0")"

environment() { # name packages...
    [ -x ".build/peers/$1/bin/python" ] || python3 -m venv ".build/peers/$1"
    ".build/peers/$1/bin/pip" install --quiet --disable-pip-version-check "${@:2}"
}

programs() { # products..., of the package itself; leaves their folder in $built
    local flags=(-c release --static-swift-stdlib -Xswiftc -Xfrontend -Xswiftc -function-sections -debug-info-format none) # those of the Makefile
    for program in "$@"; do
        (cd .. && swift build "${flags[@]}" --product "$program" >/dev/null)
    done
    built="$(cd .. && swift build "${flags[@]}" --show-bin-path)"
}

is_wanted() { [[ "$1" == *"$wanted"* ]]; }

title() { printf '\n### %s\n\n' "$1"; }

# Titles are the strings in it that begin with a capital.
if is_wanted "$(grep -oE '"[A-Z][^"]*"' compare.py)"; then
    # The cache does not see new files of the package next door.
    swift build -c release --disable-build-manifest-caching
    environment rust py-sr25519-bindings bt-decode raptorq
    environment cython cyscale
    environment mainkey pyrage sqlcipher3-binary
    environment appattest pyattest
    environment wasm pywasm3
    environment qr zxing-cpp pyzbar pillow numpy
    python3 compare.py "$(swift build -c release --show-bin-path)" "$data/signer-wire/metadata" "$data/raptorq-qr" \
        "$PWD/.build/peers" "$wanted"
fi

if is_wanted "casemate inspect, from cold start to cards"; then
    programs casemate
    title "casemate inspect, from cold start to cards"
    python3 -B cold_start.py "$built/casemate"
fi

if is_wanted "The published flow by the core"; then
    if [ -d "$data/signer-product" ]; then
        programs casemate
        title "The published flow by the core"
        python3 core_flow.py "$built/casemate" "$data/signer-product"
    else
        printf '\nThe published flow by the core: skipped, %s is not there.\n' "$data/signer-product"
    fi
fi

if is_wanted "Metadata as films, and a dapp's transactions"; then
    if [ -d "$data/signer-wire/hot" ]; then
        programs generate-message casemate casemate-worker
        environment wallet py-sr25519-bindings cryptography pycryptodome
        title "Metadata as films, and a dapp's transactions"
        python3 hot_side.py "$built" "$data/signer-wire" "$PWD/.build/peers/wallet/bin/python"
    else
        printf '\nMetadata as films: skipped, %s is not there.\n' "$data/signer-wire/hot"
    fi
fi

if is_wanted "The window, beside a page in a browser"; then
    programs casemate-window casemate-worker
    # It draws the program's pages by what only tests reach.
    tests=(-c release -Xswiftc -enable-testing --scratch-path .build-test -debug-info-format none) # those of the Makefile
    host="$(cd .. && swift build "${tests[@]}" --product AdwaitaTestHost >&2 && swift build "${tests[@]}" --show-bin-path)/AdwaitaTestHost"
    title "The window, beside a page in a browser"
    python3 window.py "$built" "$host"
fi

if is_wanted "mainkey status, processor time of the whole process"; then
    programs mainkey
    title "mainkey status, processor time of the whole process"
    python3 -B start_up.py "$built/mainkey"
fi

if is_wanted "Vigil, two processes"; then
    programs vigil-demo vigil-validator vigil-hash-tool
    title "Vigil, two processes"
    python3 vigil_validation.py "$built"
fi

if is_wanted "ForceField, beside bare processes and other sandboxes"; then
    programs forcefield
    title "ForceField, beside bare processes and other sandboxes"
    python3 forcefield.py "$built"
fi

if is_wanted "The gate, beside nginx and haproxy"; then
    programs gate
    swift build -c release --disable-build-manifest-caching --product bench-gate-devices
    title "The gate, beside nginx and haproxy"
    python3 gate.py "$built" "$(swift build -c release --show-bin-path)"
fi

# Cost against size: each draws its plots for docs/speed.md, and the run fails where something is worse than n log n.
scale() { # title program arguments...
    is_wanted "$1" || return 0
    title "$1"
    python3 -B "scale/$2" "${@:3}" || worse=1
}

if [[ "Scale: films, vaults, MainKey's files, connections of the gate" == *"${wanted%%:*}"* ]]; then
    swift build -c release --disable-build-manifest-caching --product bench-scale
    bench="$(swift build -c release --show-bin-path)/bench-scale"
    programs gate
    images="$PWD/../docs/images"
    scale "Scale: films" films.py "$bench" "$images/scale-films.svg"
    scale "Scale: vaults" vaults.py "$bench" "$images/scale-keys.svg" "$images/scale-log.svg"
    scale "Scale: MainKey's files" mainkey_files.py "$bench" "$images/scale-files.svg"
    scale "Scale: connections of the gate" gate_connections.py "$built" "$images/scale-connections.svg"
    exit "${worse:-0}"
fi
