#!/bin/bash
# A small real flow of each program that is named, with public test keys alone. Runs inside a bare root, away from every network; what the
# programs are called by has to be on the PATH.
#
#   flows.sh PICTURE PROGRAM...     PICTURE: the code of a Westend transaction that asks for a signature
set -euo pipefail

picture="$1"
shift
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"
export HOME="$work/home" XDG_DATA_HOME="$work/home/data"
mkdir -p "$XDG_DATA_HOME"

ok() { echo "ok   $1"; }
broken() {
    echo "FAIL $1" >&2
    exit 1
}

# ends_with CODE COMMAND...: runs it; another exit code is a failure, and what it wrote is shown.
ends_with() {
    local wanted="$1" code=0
    shift
    "$@" >out 2>errors || code=$?
    [ "$code" -eq "$wanted" ] || {
        cat out errors >&2
        broken "$* ended with $code, not with $wanted"
    }
}

# The public development phrase: everybody knows its keys.
phrase="bottom drive obey lake curtain smoke basket hold race lonely fit walk"

flow_casemate() {
    ends_with 0 casemate demo
    grep -q "^Verified: " out errors || broken "casemate demo does not verify its signature"
    ok "casemate demo: the whole round trip with a public test key"
    echo "a passphrase" >pin
    echo "$phrase" >phrase
    ends_with 0 casemate init --none --vault vault --pin-fd 3 3<pin
    ends_with 0 casemate seed recover demo --phrase-fd 4 --vault vault --pin-fd 3 3<pin 4<phrase
    grep -q 5DVJWniDyUja5xnG4t5i3Rrd2Gguf1fzxPYfgZBbKcvFqk4N out || broken "the public phrase has another address in Westend"
    ok "casemate init, seed recover: the addresses of the public phrase"
    ends_with 0 casemate inspect --qr "$picture" --vault vault --pin-fd 3 3<pin
    grep -q "Balances.transfer_keep_alive" out || broken "casemate inspect does not show the transfers of the batch"
    ends_with 0 casemate sign --qr "$picture" --vault vault --pin-fd 3 --yes --json --out answer.png 3<pin
    [ -s answer.png ] && grep -q '"answer" : "01' out || broken "casemate sign gives no sr25519 signature"
    ends_with 0 casemate log verify --vault vault
    ok "casemate inspect, sign: a batch read from a picture, signed, answered with a picture"
    printf '\x89PNG no picture' >bad.png
    ends_with 17 casemate inspect --qr bad.png --vault vault --pin-fd 3 3<pin
    ok "casemate refuses a file that is no picture (17)"
}

flow_airgap() {
    head -c 20000 /dev/urandom >file
    ends_with 0 airgap send file --out film.apng
    ends_with 0 airgap recv film.apng -o back
    cmp file back || broken "airgap gives another file back"
    ends_with 0 airgap send file --out pictures/
    ends_with 0 airgap recv pictures -o back2
    cmp file back2 || broken "airgap gives another file back from a folder"
    ok "airgap send, recv: 20 kB by a film, and by a folder of pictures"
}

flow_mainkey() {
    echo "correct horse battery" >pin
    echo "another one of them" >wrong
    head -c 300000 /dev/urandom >file
    ends_with 0 mainkey init --pin --dir data --pin-fd 3 3<pin
    ends_with 0 mainkey encrypt file file.mkf --dir data --pin-fd 3 3<pin
    ends_with 0 mainkey decrypt file.mkf back --dir data --pin-fd 3 3<pin
    cmp file back || broken "mainkey gives another file back"
    ends_with 20 mainkey decrypt file.mkf stolen --dir data --pin-fd 3 3<wrong
    [ ! -e stolen ] || broken "mainkey decrypts with a wrong PIN"
    ok "mainkey init, encrypt, decrypt; a wrong PIN is refused (20)"
}

flow_forcefield() {
    ends_with 0 forcefield doctor
    ok "forcefield doctor: every layer is there, and a strict worker starts"
    ends_with 0 forcefield audit
    ok "forcefield audit: every attempt to get out ends as it has to"
}

flow_gate() {
    ends_with 0 gate mint-test-ca trial
    ends_with 0 gate check-config --config trial/gate.conf
    grep -q WS_PORT out || broken "gate check-config names no settings"
    ok "gate mint-test-ca, check-config"
    : >served
    gate serve --config trial/gate.conf >>served 2>&1 &
    local server=$! code=0 tries
    for ((tries = 0; tries < 100; tries++)); do
        ! grep -q . served || break
        sleep 0.1
    done
    gate mint connect wss://localhost:6200/ --authority trial >out 2>errors || code=$?
    kill "$server"
    wait "$server" || true
    [ "$code" -eq 0 ] && grep -q hello out || {
        cat served out errors >&2
        broken "a minted device does not get through the gate"
    }
    ok "gate serve, mint connect: a minted device registers, connects and is echoed"
    printf 'WS_PORT=no-port\n' >bad.conf
    ends_with 78 gate check-config --config bad.conf
    ok "gate check-config refuses a port that is none (78)"
}

flow_generate-message() {
    ends_with 0 generate-message show networks
    grep -q westend out || broken "generate-message knows no Westend"
    # A module that is read, and is no runtime: the worker answers, and nothing is taken.
    printf '\0asm\1\0\0\0' >empty.wasm
    ends_with 2 generate-message unwasm --filename empty.wasm
    grep -q RuntimeRefused errors || broken "runtime-worker does not answer"
    ok "generate-message show, unwasm: runtime-worker reads a module and refuses it"
    echo "//polkadot//savings" >paths
    ends_with 0 generate-message derivations --title westend-sr25519 --payload paths --out paths.png
    [ -s paths.png ] || broken "generate-message writes no picture"
    ok "generate-message derivations: a code for a vault"
}

for program in "$@"; do "flow_$program"; done
