#!/bin/bash
# The life of a vault, told by doing it: made with a TPM that counts wrong PINs, guessed at by a thief, opened by its owner with
# the recovery code, and put back to yesterday's state by somebody who hoped that nobody would notice.
#
#     Examples/vault-life.sh             needs the programs mainkey and swtpm (a TPM in software; the real one is not touched)
#     MAINKEY=.build/release/mainkey Examples/vault-life.sh
#     COST=2:19456 Examples/vault-life.sh     with a PIN that costs a guesser the least that one may
set -euo pipefail

mainkey=${MAINKEY:-mainkey}
home=$(mktemp -d)
tpm=
switch_off() { if [ -n "$tpm" ]; then { kill -9 "$tpm" && wait "$tpm"; } 2>/dev/null || true; fi; }
trap 'switch_off; rm -rf "$home"' EXIT

tell() { printf '\n== %s\n' "$*"; }

# Runs a command that has to end with the exit code given first, and shows what it says.
expect() {
    local wanted=$1 found=0
    shift
    "$@" 2>&1 | sed 's/^/   /' || found=${PIPESTATUS[0]}
    if [ "$found" -ne "$wanted" ]; then
        echo "*** expected exit code $wanted, found $found: $*"
        exit 1
    fi
}

# PINs and codes go through a descriptor: arguments and the environment can be read by others.
with_pin() {
    local pin=$1
    shift
    "$mainkey" "$@" "${at[@]}" --pin-fd 3 3<<<"$pin"
}

# The TPM of this story. It is ready when it listens.
socket=$home/tpm.sock
mkdir "$home/tpm"
switch_on() {
    rm -f "$socket" "$socket.ctrl"
    swtpm socket --tpm2 --tpmstate dir="$home/tpm" --server type=unixio,path="$socket" \
        --ctrl type=unixio,path="$socket.ctrl" --flags not-need-init,startup-clear >/dev/null 2>&1 &
    tpm=$!
    until grep -q " 00010000 .*$socket.ctrl" /proc/net/unix; do sleep 0.05; done
}
switch_on
export MAINKEY_DIR=$home/vault

# Where this TPM is. That it is a program has to be said once, when a vault is made with it; the vault then says so too.
at=(--tcti "swtpm:path=$socket" --known-vaults "$home/known")

pin='blue teapot 77'
# Without a word the machine takes half a second for each PIN.
cost=(${COST:+--cost "$COST"})

tell "Anna makes a vault. The TPM takes three wrong PINs in a row, ever. The recovery code goes to paper."
with_recovery() {
    with_pin "$pin" init --tpm-pin "${cost[@]}" --software-tpm --hard-limit --max-attempts 3 --recovery --recovery-fd 4 4>"$home/paper"
}
expect 0 with_recovery
expect 0 "$mainkey" slots "${at[@]}"

tell "She keeps a token and a letter in it."
store() { with_pin "$pin" token set mail --token-fd 4 4<<<"tk-5521"; }
expect 0 store
echo "Dear Ben, the key is under the third stone." >"$home/letter"
expect 0 with_pin "$pin" encrypt "$home/letter" "$home/letter.mkf" --context letter

tell "In the evening somebody copies the folder."
cp -a "$home/vault" "$home/yesterday"

tell "The next day a thief sits at the machine and guesses."
expect 20 with_pin "anna1984!" verify
expect 20 with_pin "letmein-77" verify
expect 20 with_pin "bluekettle" verify

tell "That was the limit. The fourth guess is the right PIN, and it is refused: the vault does not even ask the TPM."
expect 22 with_pin "$pin" verify

tell "The thief puts back the file that counts the attempts, and tries the right PIN once more. The TPM itself refuses, for ever."
cp -a "$home/yesterday/attempts.mk" "$home/vault/attempts.mk"
expect 22 with_pin "$pin" verify

tell "Switching the machine off and on changes nothing."
switch_off
switch_on
cp -a "$home/yesterday/attempts.mk" "$home/vault/attempts.mk"
expect 22 with_pin "$pin" verify

tell "Anna takes the paper out of the drawer. The recovery code opens the vault, and everything is there."
code=$(cat "$home/paper")
expect 0 with_pin "$code" verify --recovery
expect 0 with_pin "$code" token get mail --recovery
echo
expect 0 with_pin "$code" cat "$home/letter.mkf" --context letter --recovery

tell "She sets a new PIN. The TPM's counter moves, and what it refused for ever is replaced by something new."
new_pin='green kettle 41'
expect 0 with_pin "$code"$'\n'"$new_pin" change-pin --recovery
expect 0 with_pin "$new_pin" verify

tell "The service gives her a new token. Whoever has a copy of the old one puts it back, it alone: the vault knows which was last."
store_new() { with_pin "$new_pin" token set mail --token-fd 4 4<<<"tk-9940"; }
expect 0 store_new
cp -a "$home/vault/items" "$home/items"
cp -a "$home"/yesterday/items/*.item "$home/vault/items/"
expect 31 with_pin "$new_pin" token get mail
expect 31 with_pin "$new_pin" verify

tell "With yesterday's list beside it, it is no better. What Anna restores herself she can accept; here she takes back the new one."
mv "$home/vault/items.mk" "$home/items.mk"
cp -a "$home/yesterday/items.mk" "$home/vault/items.mk"
expect 31 with_pin "$new_pin" token get mail
expect 0 with_pin "$new_pin" repair --accept-items
expect 0 with_pin "$new_pin" token get mail
echo
cp -a "$home"/items/*.item "$home/vault/items/"
expect 0 with_pin "$new_pin" repair --accept-items
expect 0 with_pin "$new_pin" verify

tell "Whoever copied the folder puts it back, with the old PIN. The hardware knows that it is old."
mv "$home/vault" "$home/today"
cp -a "$home/yesterday" "$home/vault"
expect 31 with_pin "$pin" verify
expect 31 with_pin "$code" verify --recovery

tell "Today's folder still opens."
rm -rf "$home/vault"
mv "$home/today" "$home/vault"
expect 0 with_pin "$new_pin" verify

tell "Anna gives the machine away, and wipes the vault. The copies are worth nothing from here on."
expect 0 with_pin "$new_pin" wipe --yes --unlock
cp -a "$home/yesterday" "$home/vault.copy"
MAINKEY_DIR=$home/vault.copy
expect 52 with_pin "$pin" verify

tell "That was the life of a vault."
