#!/usr/bin/env bash
# Tries the packages in a bare Debian: lintian, each package alone, all together, the upgrade from an older version, removal and purge.
#
#   scripts/deb-test.sh [FOLDER]     the folder of the packages (.build/deb)
#
# Needs root. Nothing outside of .build and a folder of its own in /tmp is touched.
set -euo pipefail

repository="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)"
debs="$(realpath "${1:-$repository/.build/deb}")"
# shellcheck source=scripts/bare-root.sh
. "$repository/scripts/bare-root.sh"

picture=/usr/local/share/westend-batch.png
everything=(casemate casemate-window casemate-worker casemate-hot airgap mainkey forcefield gate)
old_version="0.0.1~old"

version="$(dpkg-deb -f "$(echo "$debs"/casemate_*.deb)" Version)"

# older NAME: the package once more, of a version before.
older() {
    local tree="$roots/older"
    rm -rf "$tree"
    dpkg-deb --raw-extract "$debs/$1_${version}_"*.deb "$tree"
    sed -i -e "s/^Version: .*/Version: $old_version/; s/(= ${version//./\\.})/(= $old_version)/" "$tree/DEBIAN/control"
    dpkg-deb --root-owner-group -Znone --build "$tree" "$roots/bare/debs/old/" >/dev/null
    rm -rf "$tree"
}

# The packages as a repository of apt in every root, and a person who uses them.
prepare() {
    mkdir -p "$roots/bare/debs/old"
    cp "$debs"/*_"$version"_*.deb "$roots/bare/debs/"
    (cd "$roots/bare/debs" && dpkg-scanpackages --multiversion . >Packages 2>/dev/null)
    echo "deb [trusted=yes] file:/debs ./" >"$roots/bare/etc/apt/sources.list.d/debs.list"
    cp "$repository/packaging/tests/flows.sh" "$roots/bare/usr/local/bin/flows.sh"
    cp "$repository/Sources/Bridges/CShippedFiles/Files/westend-batch.png" "$roots/bare$picture"
    in_root bare bash -c 'useradd --create-home alice && apt-get update -qq'
}

# install NAME OPTION...: by apt, as a person does.
install() {
    local name="$1"
    shift
    in_root "$name" apt-get install -qq -y --no-install-recommends "$@" >"$roots/apt.log" 2>&1 || {
        cat "$roots/apt.log" >&2
        broken "apt-get install $*"
    }
}

# as_alice NAME COMMAND...: without a network.
as_alice() {
    local name="$1"
    shift
    in_root "$name" --offline runuser -u alice -- env --chdir=/home/alice HOME=/home/alice "$@"
}

# says PATTERN NAME COMMAND...: what it writes has a line like this.
says() {
    local pattern="$1"
    shift
    as_alice "$@" >"$roots/out" 2>&1 && grep -q -e "$pattern" "$roots/out" || {
        cat "$roots/out" >&2
        return 1
    }
}

# called PACKAGE: what is called by its name.
called() {
    case "$1" in
    casemate) echo casemate vigil-hash-tool /usr/sbin/vigil-validator ;;
    casemate-hot) echo generate-message ;;
    *) echo "$1" ;;
    esac
}

# window_opens NAME: on a virtual screen, with nothing but what the package depends on.
window_opens() {
    install "$1" xvfb xdotool
    as_alice "$1" bash -c '
        Xvfb :9 -screen 0 900x900x24 >/dev/null 2>&1 &
        for try in $(seq 100); do [ ! -S /tmp/.X11-unix/X9 ] || break; sleep 0.1; done
        export DISPLAY=:9
        casemate-window --demo >window.log 2>&1 &
        shown=0
        timeout 120 xdotool search --sync --onlyvisible --class casemate >/dev/null || shown=$?
        kill %2 || shown=1
        # It closes its vault, and then ends by the signal: 128 + 15.
        ended=0
        wait %2 || ended=$?
        [ $shown -eq 0 ] && [ $ended -eq 143 ] || { cat window.log >&2; exit 1; }
    ' || broken "casemate-window --demo shows no window"
    ok "casemate-window --demo shows its window on a virtual screen, and ends when it is told to"
}

# alone PACKAGE: in a root of its own with what it depends on, and nothing else.
alone() {
    local package="$1" program flows
    fresh_root "$package"
    install "$package" "$package"
    if [ "$package" = casemate-worker ]; then
        as_alice "$package" /usr/libexec/casemate/bin/casemate-worker >"$roots/out" 2>&1 && broken "casemate-worker serves by itself"
        grep -q "force field only" "$roots/out" || broken "casemate-worker does not say why it serves nobody"
        ok "casemate-worker, alone in a bare Debian: installs, and serves nobody by itself"
        return
    fi
    for program in $(called "$package"); do
        says '^[0-9]' "$package" "$program" --version || broken "$program --version"
        says '^USAGE: ' "$package" "$program" --help || broken "$program --help"
    done
    ok "$package, alone in a bare Debian: installs, and $(called "$package") answer"
    case "$package" in
    casemate-window)
        window_opens "$package"
        return
        ;;
    casemate-hot) flows=generate-message ;;
    *) flows="$package" ;;
    esac
    as_alice "$package" /usr/local/bin/flows.sh "$picture" "$flows" || broken "the flow of $flows"
}

# --- All together -----------------------------------------------------------------------------------------------------------

manuals() {
    local program
    for program in casemate casemate-sign casemate-window airgap mainkey forcefield gate generate-message vigil-hash-tool casemate-vigil-user; do
        says "^SYNOPSIS" all env MANWIDTH=100 man "$program" || broken "man $program"
    done
    says "^ *casemate-sign - " all env MANWIDTH=100 man casemate sign || broken "man casemate sign"
    ok "man shows the pages, those of commands too (man casemate sign)"
}

shells() {
    local program
    as_alice all bash -c '
        . /usr/share/bash-completion/bash_completion
        complete_words() {
            COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE}
            _completion_loader "$1" || [ $? -eq 124 ]
            "$(complete -p "$1" | sed "s/.*-F \([^ ]*\) .*/\1/")" "$1" "${@: -1}" "${@: -2:1}"
            printf "%s\n" "${COMPREPLY[@]}"
        }
        complete_words airgap se | grep -qx "send *" && complete_words casemate insp | grep -qx "inspect *"
    ' || broken "bash completes nothing"
    ok "bash: airgap se -> send, casemate insp -> inspect"
    as_alice all zsh -f -c '
        zmodload zsh/zpty
        zpty inner zsh -f -i
        zpty -w inner "PS1=ready: ; autoload -U compinit; compinit -u -d ~/.dump; print beg""un"
        zpty -r inner text "*begun*"
        zpty -w -n inner $'"'casemate insp\t'"'
        zpty -r inner text "*casemate inspect*"
    ' || broken "zsh completes nothing"
    ok "zsh: casemate insp -> inspect"
    says '^inspect' all fish -c 'complete -C "casemate insp"' || broken "fish completes nothing"
    ok "fish: casemate insp -> inspect"
    for program in casemate casemate-window airgap mainkey forcefield gate generate-message vigil-hash-tool vigil-validator; do
        in_root all zsh -n "/usr/share/zsh/vendor-completions/_$program" || broken "zsh cannot read the completion of $program"
        in_root all bash -O extglob -n "/usr/share/bash-completion/completions/$program" || broken "bash cannot read the completion of $program"
        in_root all fish --no-execute "/usr/share/fish/vendor_completions.d/$program.fish" || broken "fish cannot read the completion of $program"
    done
    ok "completions of all programs can be read by bash, zsh and fish"
}

units() {
    in_root all systemd-analyze verify --man=no gate.service casemate-vigil@1000.service 2>"$roots/verify.log" || true
    # What it says of other units of the root is not about these.
    if grep -E 'gate\.service|casemate-vigil' "$roots/verify.log"; then broken "systemd-analyze verify"; fi
    in_root all bash -c '[ ! -e /etc/systemd/system/multi-user.target.wants/gate.service ]' || broken "the gate is enabled without a configuration"
    ok "systemd-analyze verify: gate.service, casemate-vigil@.service"
}

installed_signer() {
    in_root all bash -c '[ "$(stat -c "%U:%G %a" /usr/libexec/casemate/bin/casemate)" = "root:casemate-keys 2755" ]' ||
        broken "casemate is not set-group-ID to casemate-keys"
    ok "casemate belongs to root:casemate-keys, mode 2755"
}

# The validator of a signed package, from nothing to a program that is vouched for.
vouched_for() {
    if ! in_root all test -s /usr/libexec/casemate/vigil-manifest.json; then
        in_root all casemate-vigil-user add alice >"$roots/out" 2>&1 && broken "a validator is set up without a manifest"
        grep -q "without a release key" "$roots/out" || broken "casemate-vigil-user does not say why it refuses"
        ok "built without a release key: casemate-vigil-user refuses and says why"
        return
    fi
    in_root all vigil-hash-tool verify /usr/libexec/casemate/vigil-manifest.json --trust /usr/libexec/casemate/share/release.pub.pem \
        --against /usr/libexec/casemate >/dev/null || broken "the installed programs are not those of the manifest"
    ok "the installed programs are those of the signed manifest"
    in_root all --offline bash -c '
        set -e
        systemd-tmpfiles --create casemate.conf
        casemate-vigil-user add alice >said
        id=$(id -u alice) config=/etc/casemate/users/$(id -u alice)
        # Programs that were built without the key take it from their configuration.
        for file in vigil-app vigil-validator; do
            sed -i "s|\"product\"|\"trustedKeys\": [\"/usr/libexec/casemate/share/release.pub.pem\"], \"product\"|" $config/$file.json
        done
        # As it says where systemd does not run.
        eval "$(sed -n "s/^  \(setpriv .*\)/\1/p" said)" 2>validator.log
        for try in $(seq 100); do [ ! -S /run/casemate/$id/vigil.sock ] || break; sleep 0.1; done
        runuser -u casemate-vigil -- vigil-validator provision --config $config/vigil-validator.json >provision.log 2>&1 &
        for try in $(seq 100); do
            runuser -u alice -- casemate vigil provision >pinned 2>&1 && break
            sleep 0.1
        done
        runuser -u alice -- casemate vigil status --json >status || { cat said validator.log provision.log pinned status >&2; exit 1; }
        cat status
        casemate-vigil-user list
    ' >"$roots/status" || broken "no validator vouches for the installed casemate"
    grep -q '"vouches" : true' "$roots/status" && grep -q '"firsthand" : true' "$roots/status" && grep -q ' alice$' "$roots/status" || {
        cat "$roots/status" >&2
        broken "the validator does not vouch for casemate first-hand"
    }
    ok "casemate-vigil-user add, provision: the validator vouches for casemate, first-hand"
}

# validators_again: with what stands for a running systemd and writes down what it is asked, casemate is removed and installed.
validators_again() {
    cat >"$roots/life/root/again.sh" <<'END'
set -e
id="$(id -u alice)"
mkdir -p /run/systemd/system /etc/systemd/system/multi-user.target.wants
ln -s /lib/systemd/system/casemate-vigil@.service "/etc/systemd/system/multi-user.target.wants/casemate-vigil@$id.service"
echo "d /run/casemate/$id 2750 casemate-vigil alice -" >"/etc/tmpfiles.d/casemate-vigil-$id.conf"
for tool in systemctl deb-systemd-invoke; do
    mv "/usr/bin/$tool" "/usr/bin/$tool.away"
    printf '#!/bin/sh\necho "%s $*" >>/root/asked\n' "$tool" >"/usr/bin/$tool"
    chmod 755 "/usr/bin/$tool"
done
apt-get remove -qq -y casemate
mv /root/asked /root/asked.removing
rm -rf /run/casemate
apt-get install -qq -y --no-install-recommends casemate
for tool in systemctl deb-systemd-invoke; do mv "/usr/bin/$tool.away" "/usr/bin/$tool"; done
grep -q '^deb-systemd-invoke stop casemate-vigil@' /root/asked.removing
grep -qx "deb-systemd-invoke start casemate-vigil@$id.service" /root/asked
[ "$(stat -c '%a %U' "/run/casemate/$id")" = "2750 casemate-vigil" ]
rm /root/asked /root/asked.removing /root/again.sh
END
    in_root life bash /root/again.sh >"$roots/again" 2>&1 || {
        cat "$roots/again" >&2
        broken "validators do not come back with the package"
    }
    ok "remove and install: the validators that were enabled are started again, with the folder of their socket"
}

# --- Upgrade, removal, purge ------------------------------------------------------------------------------------------------

# files NAME: all files of a root, sorted.
files() { in_root "$1" find / -xdev \( -path /tmp -o -path /var/cache -o -path /var/log -o -path /var/lib/apt -o -path /var/lib/dpkg -o -path /home/alice/.cache \) -prune -o -print | sort; }

life() {
    local kept
    for package in casemate casemate-worker gate; do older "$package"; done
    fresh_root life
    # What systemd and udev themselves make is not about these packages.
    install life systemd tpm-udev
    files life >"$roots/before"
    install life $(cd "$roots/bare" && printf '/%s ' debs/old/*.deb)
    [ "$(in_root life bash -c "dpkg -s casemate gate | grep -c '^Version: $old_version'")" = 2 ] || broken "the older version is not installed"
    in_root life bash -c 'echo WS_PORT=6200 >/etc/gate/gate.conf && mkdir -p /etc/casemate/users/1000 && echo secret >/etc/casemate/users/1000/vigil-grant'
    as_alice life bash -c 'echo "a passphrase" >pin && casemate init --none --pin-fd 3 3<pin >/dev/null 2>&1' || broken "casemate init"
    install life casemate gate
    [ "$(in_root life bash -c "dpkg -s casemate casemate-worker gate | grep -c '^Version: ${version//+/.}'")" = 3 ] || broken "the upgrade did not take"
    in_root life bash -c '[ "$(stat -c %a /usr/libexec/casemate/bin/casemate)" = 2755 ] && grep -q secret /etc/casemate/users/1000/vigil-grant' ||
        broken "the upgrade lost the group of casemate or a secret"
    as_alice life casemate status >/dev/null || broken "the vault of the older version is not read"
    ok "upgrade from $old_version: group, secrets and vault stay"
    validators_again
    in_root life apt-get remove -qq -y casemate casemate-worker gate >"$roots/remove" 2>&1 || broken "apt-get remove"
    in_root life bash -c '! command -v casemate gate && [ ! -e /usr/libexec/casemate ] && grep -q WS_PORT /etc/gate/gate.conf' ||
        broken "remove leaves programs, or takes a configuration"
    in_root life apt-get purge -qq -y casemate casemate-worker gate >"$roots/purge" 2>&1 || broken "apt-get purge"
    grep -q "vigil-grant" "$roots/purge" && grep -q "/etc/gate stays" "$roots/purge" || {
        cat "$roots/purge" >&2
        broken "purge does not say what stays"
    }
    # What is there that was not, and belongs to no package that is left.
    in_root life bash -c 'cat /var/lib/dpkg/info/*.list' | sed -E 's|^/(bin\|sbin\|lib[0-9]*)/|/usr/\1/|' | sort -u >"$roots/owned"
    kept="$(files life | comm -13 "$roots/before" - | comm -23 - "$roots/owned" |
        grep -v -E '^/(etc/casemate|var/lib/casemate|etc/gate|home/alice)(/|$)|^/etc/(passwd|group|g?shadow)-$|^/(etc|var/lib)/systemd(/|$)|/ld.so.cache$|^/var/lib/private$|^/usr/lib/.*\.cache$' || true)"
    [ -z "$kept" ] || {
        echo "$kept" >&2
        broken "purge leaves these"
    }
    as_alice life test -d /home/alice/.local/share/casemate || broken "purge took a vault"
    ok "remove and purge leave what users own (vault, secrets of validators, the gate's configuration), say so, and nothing else"
}

"$repository/packaging/tests/manual_test.py" --quiet || broken "the maker of manual pages"
ok "manual pages are made of a program's help as its tests say"

bare_root_begin
prepare
for package in "${everything[@]}"; do alone "$package"; done

mkdir "$roots/all"
cp -a "$roots/bare/." "$roots/all/"
install all "${everything[@]}" man-db groff-base bash-completion zsh fish systemd
installed_signer
manuals
shells
units
vouched_for
life
(cd "$debs" && lintian --fail-on error,warning --allow-root --tag-display-limit 0 ./*_"$version"_*.deb) || broken "lintian"
ok "lintian finds nothing but what is overridden with a reason"

echo
echo "$checks checks of the packages $version in a bare Debian ($suite) are well."
