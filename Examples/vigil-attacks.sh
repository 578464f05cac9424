#!/bin/bash
# Attacks on a program that is guarded by Vigil, told by doing them: a demo app and its validator are installed in a folder of
# their own, then patched, preloaded, traced, replaced, stopped and copied, and what the two say is put into a table.
#
#     make build && Examples/vigil-attacks.sh
#     PROGRAMS=.build/release Examples/vigil-attacks.sh
#
# As root it installs them as root does: app and validator run as two users of their own (12345 and 12346), the app set-group-ID to a group
# that nobody is in (12347), and what an ordinary user tries then is tried as one. Else both run as one user. It needs openssl, readelf and
# strip; gdb or strace for the debugger, and cc for code that wants in. Who meddles with the messages is tried by
# Tests/EndToEnd/VigilSocketTests.swift.
set -euo pipefail

programs=$(realpath "${PROGRAMS:-.build/release}")
here=$(cd "$(dirname "$0")" && pwd)
home=$(mktemp -d /tmp/vigil-attacks.XXXXXX)
validator= app= failed=0

end() { [ -z "$1" ] || { kill -CONT "$1"; kill -9 "$1"; wait "$1"; } 2>/dev/null || true; }
trap 'end "$app"; end "$validator"; rm -rf "$home"' EXIT

if [ "$(id -u)" = 0 ]; then
    app_user=12345 validator_user=12346 app_group=12347
    rights=-all,+sys_ptrace,+dac_read_search
    as_app() { setpriv --reuid $app_user --regid $app_user --clear-groups "$@"; }
    as_validator() {
        setpriv --reuid $validator_user --regid $app_user --clear-groups --inh-caps=$rights --ambient-caps=$rights \
            --bounding-set=$rights --no-new-privs "$@"
    }
else
    app_user=$(id -u) validator_user=$(id -u)
    as_app() { "$@"; }
    as_validator() { "$@"; }
fi
export SWIFT_BACKTRACE=enable=no VIGIL_TPM=none

# --- The installation -------------------------------------------------------------------------------------------------------

root=$home/root token=$home/token
chmod 711 "$home"
openssl ecparam -name prime256v1 -genkey -noout -out "$home/release.pem"
openssl ec -in "$home/release.pem" -pubout -out "$home/release.pub" 2>/dev/null
chmod 644 "$home/release.pub"

# Libraries of Swift that are no part of the programs have to lie where the configuration allows them.
swift=$(ldd "$programs/vigil-demo" | sed -n 's/.*libswiftCore.so => \(.*\)\/libswiftCore.so .*/\1/p')
externals=auto prefixes='"/usr/lib", "/lib", "/usr/lib64", "/lib64"'
if [ -n "$swift" ]; then externals=none prefixes="$prefixes, \"$swift\""; fi

# Signs what lies below the root as the release of this number.
release() {
    "$programs/vigil-hash-tool" manifest --app "$root/bin/vigil-demo" --validator "$root/bin/vigil-validator" \
        --bundle-root "$root" --epoch "$1" --product org.example.demo --pages --externals $externals --out "$home/m.json"
    "$programs/vigil-hash-tool" sign "$home/m.json" --key "$home/release.pem" --out "$root/vigil-manifest.json"
    chmod 644 "$root/vigil-manifest.json"
}

# configure FILE STATE USERS MORE
configure() {
    cat >"$1" <<JSON
{"product": "org.example.demo", "bundleRoot": "$root", "manifest": "$root/vigil-manifest.json",
 "socketPath": "$home/run/vigil.sock", "stateDirectory": "$2", "allowedUids": [$3], "trustedKeys": ["$home/release.pub"],
 "externalPrefixes": [$prefixes], "timeoutMs": 3000, "intervalMs": 200, "ttlMs": 5000 $4}
JSON
    chmod 644 "$1"
}

install_file() {
    mkdir -p "$root/bin"
    cp "$programs/$1" "$root/bin/$1.new"
    strip "$root/bin/$1.new" 2>/dev/null || true
    chmod 755 "$root/bin/$1.new"
    if [ "$(id -u)" = 0 ] && [ "$1" = vigil-demo ]; then
        chgrp $app_group "$root/bin/$1.new"
        chmod 2755 "$root/bin/$1.new"
    fi
    mv -f "$root/bin/$1.new" "$root/bin/$1"
}

install_all() {
    install_file vigil-demo
    install_file vigil-validator
    release 1
    head -c 32 /dev/urandom >"$token.app"
    cp "$token.app" "$token.validator"
    head -c 32 /dev/urandom >"$home/grant"
    mkdir -p "$home/run" "$home/state-app" "$home/state-validator"
    chmod 750 "$home/run"
    chmod 700 "$home"/state-*
    chmod 600 "$token".* "$home/grant"
    if [ "$(id -u)" = 0 ]; then
        chown $validator_user:$app_user "$home/run" "$token.validator" "$home/grant" "$home/state-validator"
        chown $app_user:$app_user "$token.app" "$home/state-app"
    fi
    local admitted=
    if [ "$(id -u)" = 0 ]; then admitted=", \"installedGroup\": $app_group"; fi
    configure "$home/validator.json" "$home/state-validator" "$app_user" \
        ", \"scanIntervalMs\": 200, \"grantFile\": \"$home/grant\"$admitted"
    configure "$home/app.json" "$home/state-app" "$validator_user" ', "sessionSeconds": 4'
}

# --- The two programs -------------------------------------------------------------------------------------------------------

# The program itself, below the shell that started it as another user.
process_of() { pgrep -P "$1" -x "$2" || echo "$1"; }

log=$home/validator.log out=$home/app.out
run_validator() { as_validator "$root/bin/vigil-validator" run --config "$home/validator.json"; }
validator_starts() {
    : >"$log"
    run_validator 2>>"$log" &
    validator=$!
    until grep -q 'answers at' "$log"; do
        kill -0 $validator 2>/dev/null || return 1
        sleep 0.02
    done
    validator=$(process_of $validator vigil-validator)
}
validator_ends() { end "$validator"; validator=; rm -f "$home/run/vigil.sock"; }
ask() { as_app "$root/bin/vigil-demo" --config "$home/app.json" --once "$@" >"$out" 2>"$home/app.err" || true; }
app_starts() {
    : >"$out"
    as_app "$root/bin/vigil-demo" --config "$home/app.json" >"$out" 2>"$home/app.err" &
    app=$!
    until [ -s "$out" ]; do sleep 0.02; done
    app=$(process_of $app vigil-demo)
}
app_ends() { end "$app"; app=; }

# --- The table --------------------------------------------------------------------------------------------------------------

# A member of a line of JSON: a number, or a text.
member() { sed -n "s/.*\"$1\":\([0-9.]\{1,\}\).*/\1/p; s/.*\"$1\":\"\([^\"]*\)\".*/\1/p" <<<"$2"; }
now() { date +%s%N; }
# The finding of a line: what and where.
found() {
    local line text path segment pages
    line=$(cat)
    text=$(member text "$line") path=$(member path "$line") segment=$(member segment "$line")
    pages=$(sed -n 's/.*"pages":\[\([0-9,]\{1,\}\)\].*/\1/p' <<<"$line")
    echo "$text${path:+ ($path${segment:+, segment $segment}${pages:+, page $pages})}"
}
rows=()

# expect ATTACK RESULT REASON MILLISECONDS LINE: what the app said, and where it was found by whoever found it.
expect() {
    local result reason place mark=
    result=$(member result "$5") reason=$(member reason "$5") place=$(found <<<"$5")
    case $place in
    "the validator says so" | "the validator takes its word back" | "the validator refuses to pin this app")
        place=$({ grep '"result":"invalid"' "$log" || true; } | tail -n 1 | found) ;;
    esac
    if [ "$result" != "$2" ] || [ "$reason" != "$3" ]; then
        mark=" *** expected $2, $3"
        failed=1
    fi
    rows+=("$1|$result|$reason|$place|${4%%.*} ms$mark")
}
asked() { expect "$1" "$2" "$3" "$(member latencyMs "$(tail -n 1 "$out")")" "$(tail -n 1 "$out")"; }

# Waits until the app that is being watched says something else than it did.
watched() {
    local began
    began=$(now)
    while [ "$(wc -l <"$out")" -lt 2 ] && [ $((($(now) - began) / 1000000)) -lt 30000 ]; do sleep 0.01; done
    expect "$1" "$2" "$3" $((($(now) - began) / 1000000)) "$(sed -n 2p "$out")"
}

# refused ATTACK WORDS CODE FILE: a program that does not even start.
refused() {
    local mark=
    if [ "$3" != 78 ] || ! grep -q "$2" "$4"; then
        mark=" *** expected exit code 78"
        failed=1
    fi
    rows+=("$1|does not start|exit code $3|$(grep -v WARN "$4" | tail -n 1 | cut -d: -f2- | cut -c2-)|-$mark")
}

# --- The attacks ------------------------------------------------------------------------------------------------------------

install_all
demo=$root/bin/vigil-demo

# One byte in the middle of the code of a file.
patch_file() {
    local offset size
    read -r offset size < <(readelf -lW "$1" | awk '$1 == "LOAD" && / R E / { print $2, $5 }')
    printf '\xcc' | dd of="$1" bs=1 seek=$((offset + size / 2)) conv=notrunc status=none
}

# code_address PID FILE: the last byte of its code in memory, which nobody executes: a program that runs into a changed byte ends
# before anybody looks.
code_address() {
    local range
    range=$(awk -v file="$2" '$2 == "r-xp" && $6 == file { print $1; exit }' "/proc/$1/maps")
    echo $((0x${range#*-} - 1))
}
peek() { dd if="/proc/$1/mem" bs=1 skip="$2" count=1 status=none; }
poke() { dd of="/proc/$1/mem" bs=1 seek="$2" conv=notrunc status=none; }

as_validator "$root/bin/vigil-validator" provision --config "$home/validator.json" --window 20 \
    --token-file "$token.validator" 2>"$log" >"$home/provision.out" &
provision=$!
until [ -S "$home/run/vigil.sock" ]; do sleep 0.02; done
ask
asked "somebody without the token, in the window" tampered notProvisioned
ask --token-file "$token.app"
wait $provision
sed 's/^/   /' "$home/provision.out"
log=$home/validator.log
validator_starts

ask
asked "nobody" valid ok

# Before the start, on disk
patch_file "$demo"
ask
asked "one byte of code patched on disk" tampered hashMismatch
install_file vigil-demo

# In memory, while it runs
app_starts
code=$(code_address "$app" "$demo")
before=$(peek "$app" "$code" | od -An -tx1 | tr -d ' ')
printf '\xcc' | poke "$app" "$code"
watched "one byte of code patched in memory" tampered codeModified
app_ends

app_starts
code=$(code_address "$app" "$demo")
printf '\xcc' | poke "$app" "$code"
printf "\\x$before" | poke "$app" "$code"
watched "patched in memory and put back at once" tampered codeModified
app_ends

# Code that wants in by the environment. As root's installation the loader takes none of it, and what the loader reads is refused where it
# stands in the environment; else the program starts anew without it.
if command -v cc >/dev/null; then
    doors=$home/doors mark=$home/doors/mark
    mkdir -m 755 "$doors"
    sources=$here/../Tests/EndToEnd/Fixtures/Doors
    cc -O1 -w -shared -fPIC -DINTRUDER_MARK="\"$mark\"" -o "$doors/intruder.so" "$sources/intruder.c"
    cc -O1 -w -shared -fPIC -DINTRUDER_LEAVES -DINTRUDER_MARK="\"$mark\"" -o "$doors/leaver.so" "$sources/intruder.c"
    cc -O1 -w -o "$doors/parent" "$sources/parent.c"
    printf '%s\n' 'openssl_conf = s' '[s]' 'providers = p' '[p]' 'default = d' 'intruder = i' '[d]' 'activate = 1' '[i]' \
        "module = $doors/intruder.so" 'activate = 1' >"$doors/openssl.cnf"
    echo 'module UTF-8// INTERNAL intruder 1' >"$doors/gconv-modules"
    if [ "$(id -u)" = 0 ]; then chown $app_user "$doors"; fi

    # by_environment ATTACK RESULT REASON NAME=VALUE...
    by_environment() {
        local attack=$1 result=$2 reason=$3
        shift 3
        rm -f "$mark"
        as_app env "$@" "$demo" --config "$home/app.json" --once >"$out" 2>"$home/app.err" || true
        # Whoever is in the program before it replaced itself has left a mark; with root's installation nobody is.
        if [ -e "$mark" ] && [ "$(id -u)" = 0 ]; then
            attack="$attack (*** it ran: $(sort -u "$mark" | tr '\n' ' '))"
            failed=1
        fi
        asked "$attack" "$result" "$reason"
    }
    read -r result reason < <([ "$(id -u)" = 0 ] && echo tampered behaviour || echo valid ok)
    by_environment "LD_PRELOAD, a library that stays" $result $reason LD_PRELOAD="$doors/intruder.so"
    by_environment "LD_PRELOAD, a library that leaves" $result $reason LD_PRELOAD="$doors/leaver.so"
    by_environment "LD_AUDIT" $result $reason LD_AUDIT="$doors/intruder.so"
    by_environment "LD_LIBRARY_PATH" valid ok LD_LIBRARY_PATH="$doors"
    by_environment "OPENSSL_CONF, a provider" valid ok OPENSSL_CONF="$doors/openssl.cnf"
    by_environment "OPENSSL_MODULES" valid ok OPENSSL_MODULES="$doors" OPENSSL_CONF="$doors/openssl.cnf"
    by_environment "GCONV_PATH" valid ok GCONV_PATH="$doors" LC_ALL=intruder.UTF-16
    by_environment "LOCPATH" valid ok LOCPATH="$doors" LC_ALL=intruder
    by_environment "a TCTI library, TPM2TOOLS_TCTI" valid ok TPM2TOOLS_TCTI="$doors/intruder.so"
    code=0
    as_app env VIGIL_TPM="$doors/intruder.so" "$demo" --config "$home/app.json" --once >"$out" 2>"$home/app.err" || code=$?
    row_code=$code
    if [ -e "$mark" ] || [ "$code" = 0 ]; then failed=1 row_code="$code *** expected a refusal"; fi
    rows+=("a TCTI library, VIGIL_TPM|does not start|exit code $row_code|$(grep -v WARN "$home/app.err" | tail -n 1 | cut -c1-60)|-")

    # Whoever starts it, from its first instruction on; and, while it waits, for its GOT, its constants and a thread of his own.
    if [ "$(id -u)" = 0 ]; then
        for arguments in "--config $home/app.json --once" "--config $home/app.json"; do
            # Words of the arguments.
            # shellcheck disable=SC2086
            found_open=$(as_app "$doors/parent" 1500 "$demo" $arguments 2>/dev/null | tail -n 1)
            note=
            case $found_open in
            *" mem 0 vm 0 ptrace 0") ;;
            *) note=" *** expected none" failed=1 ;;
            esac
            rows+=("its starter: /proc/PID/mem, process_vm_writev, ptrace|nothing opens|-|$found_open|1500 ms$note")
        done
        app_starts
        for what in "its GOT rw-p" "its constants (.rodata) r--p" "its code r-xp"; do
            address=$(awk -v file="$demo" -v kind="${what##* }" '$6 == file && $2 == kind { print $1; exit }' "/proc/$app/maps")
            what=${what% *}
            if as_app dd of="/proc/$app/mem" bs=1 seek=$((0x${address%-*})) conv=notrunc status=none <<<x 2>"$home/dd.err"; then
                failed=1
                rows+=("$what written while it waits|*** written|-|-|-")
            else
                rows+=("$what written while it waits|the kernel refuses|-|$(sed 's/.*: //' "$home/dd.err" | tail -n 1)|-")
            fi
        done
        app_ends
        mkdir -m 755 "$home/elsewhere"
        cp "$demo" "$home/elsewhere/vigil-demo"
        as_app "$home/elsewhere/vigil-demo" --config "$home/app.json" --once >"$out" 2>"$home/app.err" || true
        asked "a genuine copy in another place" tampered peerIdentity
        as_app setpriv --no-new-privs "$demo" --config "$home/app.json" --once >"$out" 2>"$home/app.err" || true
        asked "started where set-group-ID has no effect" tampered peerIdentity
    fi
fi

debugger=
if command -v strace >/dev/null; then debugger="strace -qq -o /dev/null -p"; fi
if command -v gdb >/dev/null; then debugger="gdb -nx -batch -ex continue -p"; fi
if [ -n "$debugger" ]; then
    app_starts
    $debugger "$app" >/dev/null 2>&1 </dev/null &
    tracer=$!
    watched "a debugger attached" tampered traced
    end $tracer
    app_ends
fi

# The file replaced under the running program
app_starts
install_file vigil-demo
# As root's installation only the installed file is admitted; else the content decides.
watched "the program's file replaced while it runs" tampered "$([ "$(id -u)" = 0 ] && echo peerIdentity || echo hashMismatch)"
app_ends

# The validator
app_starts
kill -9 "$validator"
watched "the validator killed" tampered malformed
app_ends
validator_ends
ask
asked "no validator there" timeout expired

validator_starts
app_starts
kill -STOP "$validator"
watched "the validator stopped" timeout expired
app_ends
ask
asked "asked while the validator is stopped" timeout expired
kill -CONT "$validator"

printf '\xcc' | poke "$validator" "$(code_address "$validator" "$root/bin/vigil-validator")"
ask
asked "the validator itself patched in memory" tampered codeModified
validator_ends

patch_file "$root/bin/vigil-validator"
code=0
run_validator 2>"$log" || code=$?
refused "the validator patched on disk" "is not the one of" $code "$log"
install_file vigil-validator

# State that is not one's own
cp -r "$home/state-app" "$home/stolen"
if [ "$(id -u)" = 0 ]; then chown -R 12399:12399 "$home/stolen"; fi
configure "$home/thief.json" "$home/stolen" "$validator_user" ""
thief() { if [ "$(id -u)" = 0 ]; then setpriv --reuid 12399 --regid 12399 --clear-groups "$@"; else "$@"; fi; }
if [ "$(id -u)" = 0 ]; then
    code=0
    thief "$demo" --config "$home/thief.json" --once >"$out" 2>"$home/app.err" || code=$?
    refused "the state folder copied by another user" "" $code "$home/app.err"
fi

# Releases
cp "$root/vigil-manifest.json" "$home/manifest-1"
release 2
validator_starts
ask
asked "nobody: release 2 is installed" valid ok
cp "$home/manifest-1" "$root/vigil-manifest.json"
code=0
as_app "$demo" --config "$home/app.json" --once >"$out" 2>"$home/app.err" || code=$?
refused "an older genuine release put back" "epoch" $code "$home/app.err"

{
    echo "ATTACK|VERDICT|REASON|FOUND AT|TIME"
    printf '%s\n' "${rows[@]}"
} | sed "s|$home|…|g" | column -t -s '|'
exit $failed
