#!/bin/bash
# The whole flow in one command: casemate and its validator are installed and signed as make install-signed does it, a vault is made on a
# TPM in software and bound to the validator, and a wallet's film becomes a signature that an independent library verifies. Then each
# link is cut, one after the other, and what is refused, by which name and exit code, is put into a table. At the end stands that the
# whole flow works again.
#
#     make whole-flow                                       builds the programs and runs this
#     BUILD=.build/release Examples/whole-flow.sh           with programs that are built
#
# As root it installs as root does: who signs and the validator are two users of their own, made for this run and removed after it, and
# casemate is set-group-ID. Else both run as you. It needs openssl, strip, swtpm, zbarimg and python3 with venv (scripts/deps.sh --tests),
# and takes the library that verifies, py-sr25519-bindings, once from the net into .build/independent unless python3 has it. The real TPM
# is not touched; the vault and its keys, which are public test keys, are gone at the end. Exit code 1: a row was not as it has to be.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
build=$(realpath "${BUILD:-$here/../.build/release}")
[ -x "$build/casemate" ] || { echo "whole-flow: there are no programs in $build: run 'make build', or name their folder in BUILD." >&2; exit 66; }
for tool in openssl strip swtpm zbarimg python3; do
    command -v $tool >/dev/null || { echo "whole-flow: $tool is missing: run 'scripts/deps.sh --tests'." >&2; exit 69; }
done
export SWIFT_BACKTRACE=enable=no

home=$(mktemp -d /tmp/whole-flow.XXXXXX)
prefix=$home/casemate pin='a passphrase for this run' failed=0
signer=$(id -un) validator_user=$(id -un) group=
validator= tpm= killer=

end() { [ -z "$1" ] || { kill -9 "$1"; wait "$1"; } 2>/dev/null || true; }
leave() {
    end "$killer"
    end "$validator"
    end "$tpm"
    rm -rf "$home"
    if [ -n "$group" ]; then
        for user in "$signer" "$validator_user"; do userdel "$user" 2>/dev/null || true; done
        groupdel "$group" 2>/dev/null || true
    fi
}
trap leave EXIT

say() { printf '\n== %s\n' "$*"; }

# --- Who is who -------------------------------------------------------------------------------------------------------------

if [ "$(id -u)" = 0 ]; then
    tag=$(od -An -N3 -tx1 /dev/urandom | tr -d ' ')
    signer=flow-s-$tag validator_user=flow-v-$tag group=flow-g-$tag
    useradd --no-create-home --user-group --home-dir "$home/signer" "$signer"
    rights=-all,+sys_ptrace,+dac_read_search
    as_signer=(setpriv --reuid="$signer" --regid="$signer" --init-groups)
    as_validator=(setpriv --reuid="$validator_user" --regid="$validator_user" --init-groups --inh-caps=$rights --ambient-caps=$rights
        --bounding-set=$rights --no-new-privs)
    etc=$prefix/etc/users/$(id -u "$signer")
    install -d -m 755 -o "$signer" -g "$signer" "$home/signer"
else
    as_signer=() as_validator=()
    etc=$prefix/etc
    mkdir "$home/signer"
fi
chmod 711 "$home"

# --- The independent side: what a wallet has, and nothing of casemate ----------------------------------------------------------

python=python3
if ! python3 -c 'import sr25519' 2>/dev/null; then
    library=$here/../.build/independent
    mkdir -p "$library" 2>/dev/null && [ -w "$library" ] || library=$home/independent
    python=$library/bin/python3
    if ! "$python" -c 'import sr25519' 2>/dev/null; then
        say "The library that verifies, once."
        python3 -m venv "$library"
        "$python" -m pip --quiet --disable-pip-version-check install py-sr25519-bindings ||
            { echo "whole-flow: without py-sr25519-bindings nothing independent verifies: install it for python3." >&2; exit 69; }
    fi
fi

# verify PAYLOAD ANSWER: whether the code in the picture is a signature of what the wallet asked for, by the account that it asked.
verify() {
    zbarimg --quiet --raw --oneshot -Sbinary "$2" 2>/dev/null >"$home/answer.txt" || { echo "no code in $2"; return 1; }
    "$python" - "$1" "$home/answer.txt" <<'PYTHON'
import sys, sr25519

payload, answer = (open(name, "rb").read() for name in sys.argv[1:])
# 53, kind of key, kind of payload, the account, the call behind its length, the rest, the chain.
account, rest = payload[3:35], payload[35:-32]
size = {0: 1, 1: 2, 2: 4}[rest[0] & 3]
message = rest[size:]
assert payload[:3] == b"\x53\x01\x02" and int.from_bytes(rest[:size], "little") >> 2 < len(message) <= 256
signature = bytes.fromhex(answer.decode().strip())
assert len(signature) == 65 and signature[0] == 1, "no signature of sr25519"
if not sr25519.verify(signature[1:], message, account):
    sys.exit("the signature is wrong")
print("verified by py-sr25519-bindings: the signature is of these bytes, by this account")
PYTHON
}

# --- The installation ------------------------------------------------------------------------------------------------------------

say "Installed and signed, as make install-signed does it"
openssl ecparam -name prime256v1 -genkey -noout -out "$home/release.pem"
chmod 600 "$home/release.pem"
settings=(PREFIX="$prefix" RELEASE_KEY="$home/release.pem" BUILD="$build" VIGIL_HARDWARE=no VIGIL_USER="$validator_user")
if [ -n "$group" ]; then settings+=(VIGIL_USERS="$signer" VIGIL_GROUP="$group"); fi
env "${settings[@]}" "$here/../scripts/install-signed.sh" >"$home/install.log" || { cat "$home/install.log" >&2; exit 1; }
sed -n 's/^Installed in .*epoch/   epoch/p' "$home/install.log"
# These programs have no release key compiled in: the configuration names it.
for side in app validator; do
    sed -i "s|\"product\"|\"trustedKeys\": [\"$prefix/share/release.pub.pem\"], \"product\"|" "$etc/vigil-$side.json"
done
casemate=$prefix/bin/casemate

validator_starts() {
    : >"$home/validator.log"
    "${as_validator[@]}" env VIGIL_TPM=none "$prefix/bin/vigil-validator" run --config "$etc/vigil-validator.json" 2>"$home/validator.log" &
    validator=$!
    for _ in {1..200}; do
        if grep -q 'answers at' "$home/validator.log"; then return; fi
        sleep 0.05
    done
    cat "$home/validator.log" >&2
    exit 1
}
validator_ends() { end "$validator"; validator=; }

say "Validator and casemate pin each other"
"${as_validator[@]}" env VIGIL_TPM=none "$prefix/bin/vigil-validator" provision --config "$etc/vigil-validator.json" --window 60 >"$home/window.log" 2>&1 &
window=$!
pinned=no
for _ in {1..200}; do
    if "${as_signer[@]}" env VIGIL_TPM=none "$casemate" vigil provision >"$home/pin.log" 2>&1; then pinned=yes; break; fi
    sleep 0.1
done
[ $pinned = yes ] || { cat "$home/pin.log" "$home/window.log" >&2; exit 1; }
wait $window
validator_starts

# --- The TPM, in software --------------------------------------------------------------------------------------------------------

mkdir "$home/tpm"
socket=$home/tpm/socket
chmod 755 "$home/tpm"
tpm_starts() {
    rm -f "$socket" "$socket.ctrl"
    swtpm socket --tpm2 --tpmstate dir="$home/tpm" --server type=unixio,path="$socket",mode=0666 \
        --ctrl type=unixio,path="$socket.ctrl",mode=0666 --flags not-need-init,startup-clear >/dev/null 2>&1 &
    tpm=$!
    until grep -q " 00010000 .*$socket.ctrl" /proc/net/unix; do sleep 0.05; done
}
tpm_ends() { end "$tpm"; tpm=; }
tpm_starts

# --- The vault -------------------------------------------------------------------------------------------------------------------

# cold PIN ARGUMENTS...: casemate, as who signs, with this vault, this TPM and this PIN.
cold() {
    local given=$1
    shift
    "${as_signer[@]}" env VIGIL_TPM=none CASEMATE_VAULT="$home/signer/vault" "$casemate" "$@" --tpm "swtpm:path=$socket" --software-tpm \
        --known-vaults "$home/signer/known" --pin-fd 3 3<<<"$given"
}

say "A vault by PIN and TPM, bound to the validator, with a public test key"
cold_with() { cold "$pin" "$@" 4<<<"bottom drive obey lake curtain smoke basket hold race lonely fit walk"; }
"${as_signer[@]}" env VIGIL_TPM=none CASEMATE_VAULT="$home/signer/vault" "$casemate" init --tpm-pin --software-tpm --tpm "swtpm:path=$socket" \
    --known-vaults "$home/signer/known" --network-allowed --no-recovery --pin-fd 3 3<<<"$pin" 2>&1 | sed 's/^/   /'
cold_with seed recover demo --phrase-fd 4 >"$home/seed.log" 2>&1 || { cat "$home/seed.log" "$home/validator.log" >&2; exit 1; }

# --- The wallet's film -------------------------------------------------------------------------------------------------------------

say "A wallet shows a batch of three calls as a film"
python3 -c 'import sys; sys.stdout.buffer.write(bytes.fromhex(sys.stdin.read()))' <"$here/../Benchmarks/westend-batch.hex" >"$home/payload.bin"
"$build/airgap" send "$home/payload.bin" --chunk 24 --dialect rfc6330 --repair 20 --out "$home/signer/film.apng" | sed 's/^/   /'
chmod 644 "$home/signer/film.apng"

# sign FILM ANSWER [PIN]: shows, asks nobody, signs.
sign() { cold "${3:-$pin}" sign --qr "$1" --out "$2" --yes; }

say "film → worker → cards → verdict of the validator → MainKey → signature"
whole() {
    rm -f "$home/signer/answer.png"
    sign "$home/signer/film.apng" "$home/signer/answer.png" >"$home/signed.log" 2>&1 || { cat "$home/signed.log"; return 1; }
    verify "$home/payload.bin" "$home/signer/answer.png"
}
whole >"$home/whole.log" || { cat "$home/whole.log"; exit 1; }
# What the person sees last, and who vouches for the program.
sed -n '/^At a glance/,$p' "$home/signed.log" | grep -v '[█▄▀]' | sed 's/^/   /'
"${as_signer[@]}" env VIGIL_TPM=none CASEMATE_VAULT="$home/signer/vault" "$casemate" vigil status | grep -E '^(verdict|its look|vault)' | sed 's/^/   /'
sed 's/^/   /' "$home/whole.log"

# --- Each link cut -----------------------------------------------------------------------------------------------------------------

rows=()
# What the exit codes are, as casemate itself says it.
"$casemate" --help | tr '\n' ' ' | tr -s ' ' | sed 's/ · /\n/g' | grep -oE '^[0-9]+ .*|[0-9]+ done' >"$home/codes"

# row LINK EXPECTED WORDS CODE FILE: what came of it. Another code or other words than expected, or an answer in spite of a refusal, is a
# failure. EXPECTED is a code, or two with | between.
row() {
    local mark= said name
    said=$(grep -E "$3" "$5" | tail -n 1 | sed 's/^casemate: //' || true)
    case "|$2|" in *"|$4|"*) ;; *) mark=" *** expected exit code ${2//|/ or }" ;; esac
    if [ -z "$said" ]; then
        said=$(tail -n 1 "$5" | sed 's/^casemate: //')
        mark="$mark *** expected: ${3//|/ or }"
    fi
    if [ "$2" != 0 ] && [ -e "$home/signer/answer.png" ]; then mark="$mark *** there is an answer"; fi
    if [ -n "$mark" ]; then
        failed=1
        sed 's/^/   > /' "$5"
    fi
    name=$(sed -n 's/.*\[\([A-Za-z]*\)\]$/\1/p' <<<"$said")
    # Up to the end of the sentence that has the words.
    said=$(sed "s| \[[A-Za-z]*\]\$||; s|^Warning: ||; s|$home/||g; s/|/ /g; s/\.\.$/./" <<<"$said" | { grep -oE "^.*($3)[^.]*\.?" || cat; })
    rows+=("$1|$4|${name:--}|$said$mark")
    printf '\n   %s\n      %s\n      exit code %s%s\n' "$1" "$said" "$4" "$mark" | fold -s -w 130
}

# cut LINK EXPECTED WORDS [FILM [PIN]]: signs with something missing.
cut_link() {
    local code=0
    rm -f "$home/signer/answer.png"
    sign "${4:-$home/signer/film.apng}" "$home/signer/answer.png" "${5:-$pin}" >"$home/cut.log" 2>&1 || code=$?
    row "$1" "$2" "$3" $code "$home/cut.log"
}

say "Each link cut, one after the other"

head -c $(($(stat -c %s "$home/signer/film.apng") / 4)) "$home/signer/film.apng" >"$home/signer/quarter.apng"
chmod 644 "$home/signer/quarter.apng"
cut_link "the film, cut after a quarter" 17 'ends inside' "$home/signer/quarter.apng"

# A film that is read for a while: the first picture again and again, then all of them.
"$build/airgap" send "$home/payload.bin" --chunk 24 --dialect rfc6330 --repair 20 --out "$home/film.y4m" >/dev/null
python3 - "$home/film.y4m" "$home/signer/long.y4m" <<'PYTHON'
import sys
head, *pictures = open(sys.argv[1], "rb").read().split(b"FRAME\n")
open(sys.argv[2], "wb").write(b"FRAME\n".join([head] + pictures[:1] * 2000 + pictures))
PYTHON
chmod 644 "$home/signer/long.y4m"
# Whether a process was started by this script, or by one that was.
is_ours() {
    local process=$1 line
    while [ "$process" -gt 1 ]; do
        [ "$process" != $$ ] || return 0
        { read -r line <"/proc/$process/stat"; } 2>/dev/null || return 1
        # Behind the name in brackets: the state, and the parent.
        read -r _ process _ <<<"${line##*) }"
    done
    return 1
}
# Kills the readers of pictures that are ours as soon as they are there, as often as they come.
(
    while :; do
        for reader in $(pgrep -x casemate-worker); do
            if is_ours "$reader"; then kill -9 "$reader" 2>/dev/null; fi || true
        done
    done
) &
killer=$!
# What it had seen of the film by then decides which of the two it is.
cut_link "the reader of pictures, killed" '2|17' 'picture reader was ended by the system' "$home/signer/long.y4m"
end $killer
killer=
rm "$home/signer/long.y4m"

# Puts a file in the place of another, with the mode and owner of that.
replace() {
    cp "$2" "$1.new"
    chown --reference="$1" "$1.new"
    chmod --reference="$1" "$1.new"
    mv "$1.new" "$1"
}
# One letter of a text that is among the constants of a program.
patched() {
    python3 - "$1" "$2" "$3" <<'PYTHON'
import sys
program = open(sys.argv[1], "rb").read()
place = program.index(sys.argv[3].encode())
open(sys.argv[2], "wb").write(program[:place] + bytes([program[place] ^ 0x20]) + program[place + 1:])
PYTHON
}
cp "$prefix/bin/casemate-worker" "$home/worker"
patched "$home/worker" "$home/worker.patched" "this program runs in a force field only"
replace "$prefix/bin/casemate-worker" "$home/worker.patched"
cut_link "the reader of pictures, one letter patched" 19 'not the program that the signed manifest names'
replace "$prefix/bin/casemate-worker" "$home/worker"

validator_ends
cut_link "the validator, killed" 18 'no validator is running'
validator_starts
kill -STOP "$validator"
cut_link "the validator, stopped" 18 'did not answer in time'
validator_ends
validator_starts

cp "$casemate" "$home/genuine"
patched "$home/genuine" "$home/patched" "Show a payload, ask, sign"
replace "$casemate" "$home/patched"
cut_link "casemate, one letter patched" 18 'hashMismatch'
replace "$casemate" "$home/genuine"

tpm_ends
cut_link "the TPM, gone" 1 'no TPM answers'
mv "$home/tpm" "$home/tpm.away"
mkdir -m 755 "$home/tpm"
tpm_starts
cut_link "the TPM, another one" 1 'belongs to another TPM'
tpm_ends
rm -rf "$home/tpm"
mv "$home/tpm.away" "$home/tpm"
tpm_starts

cut_link "the PIN, a wrong one" 10 'Wrong PIN' "" "another passphrase"

# The independent side: an answer to something else is no answer.
say "Nothing cut"
code=0
whole >"$home/whole.log" 2>&1 || code=$?
sed 's/^/   /' "$home/whole.log"
row "nothing" 0 'verified by' $code "$home/whole.log"
cp "$home/payload.bin" "$home/other.bin"
printf '\x01' | dd of="$home/other.bin" bs=1 seek=100 conv=notrunc status=none
code=0
verify "$home/other.bin" "$home/signer/answer.png" >"$home/cut.log" 2>&1 || code=$?
rm -f "$home/signer/answer.png"
row "the wallet's bytes, changed after signing" 1 'the signature is wrong' $code "$home/cut.log"

echo
{
    echo "CUT|EXIT CODE|NAME|WHAT IS SAID"
    printf '%s\n' "${rows[@]}"
} | column -t -s '|'
echo
echo "The exit codes, as casemate --help tells them:"
for number in $(printf '%s\n' "${rows[@]}" | cut -d'|' -f2 | sort -nu); do grep -E "^$number " "$home/codes" | sed 's/^/   /'; done
exit $failed
