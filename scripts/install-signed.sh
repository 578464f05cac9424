#!/usr/bin/env bash
# Installs casemate and the validator that vouches for it, signed with a release key, below a folder: build with the key compiled in,
# strip, manifest, sign, install, verify. Run it again to upgrade: state, secret and configuration stay, the epoch goes up.
set -euo pipefail

usage() {
    cat >&2 <<'END'
usage: make install-signed PREFIX=/opt/casemate RELEASE_KEY=key.pem [EPOCH=n]

RELEASE_KEY is a P-256 private key in PEM, not encrypted. Make one, once, and keep it off the machines that it signs for:

  openssl ecparam -name prime256v1 -genkey -noout -out key.pem && chmod 600 key.pem

EPOCH is the number of the release. Without it: one more than what is installed. Programs refuse a lower one than they have seen.
BUILD names a folder of programs that are built already with the key compiled in; without it they are built now.

Installed by root, the validator gets a user of its own, so that no program of those who sign reads what it keeps:

  VIGIL_USERS     who signs here, by name, separated by blanks; each gets a validator. Without it: those of before, or who called sudo
  VIGIL_USER      the validators' user, made if it is missing. Without it: that of before, unless it is root, else casemate-vigil. What is installed is not
                  given to another one. VIGIL_USER=root shares root's with the vault: do not
  VIGIL_GROUP     the group that casemate is set-group-ID to, made if it is missing; nobody may be in it. Without it: that of before, else
                  casemate-keys. By it the kernel hides casemate from its first instruction, and the loader takes nothing from the environment of whoever starts it
  VIGIL_HARDWARE  whether keys have to be in a TPM: auto (yes, where there is one), yes, no

Installed by somebody else, validator and vault run as that user: then whatever that user runs, a changed casemate too, reads the
validator's secret, and binding a vault keeps nobody out who knows the PIN.
END
    exit 64
}

fail() {
    echo "install-signed: $1" >&2
    exit 1
}

packaging="$(cd "$(dirname "${BASH_SOURCE[0]}")/../packaging" && pwd)"
# What the validators of those who sign need: folders, secrets, configurations.
. "$packaging/vigil/pairs.sh"

prefix="${PREFIX:-}"
key="${RELEASE_KEY:-}"
epoch="${EPOCH:-}"
swift="${SWIFT:-swift}"
if [ -z "$prefix" ] || [ -z "$key" ]; then usage; fi
[ -r "$key" ] || fail "$key cannot be read."
command -v openssl >/dev/null || fail "openssl is needed, to read the public half of the key."
command -v strip >/dev/null || fail "strip is needed (Debian: apt-get install binutils)."
case "$epoch" in *[!0-9]*) fail "EPOCH is a number, not $epoch." ;; esac

(umask 022 && mkdir -p "$prefix")
prefix="$(cd "$prefix" && pwd -P)"
# JSON, the unit of the service and the entry of the menu below hold paths as they are.
case "$prefix" in *[\"\\%\$\`]* | *[[:cntrl:]]*) fail "$prefix: choose a path without quotes, backslashes, %, \$ and control characters." ;; esac

# Who the validator is, and whom it vouches for.
me="$(id -un)"
# What root installs, root runs: whoever owns a folder on the way to it, or anything in it, could put another program there, or a link
# through which root writes elsewhere. What users and validators keep below it is theirs.
if [ "$(id -u)" -eq 0 ]; then
    above="$prefix"
    while above="$(dirname "$above")"; do
        [ -z "$(find "$above" -maxdepth 0 \( ! -uid 0 -o -perm /022 ! -perm -1000 \))" ] ||
            fail "$above is not root's alone: who else may change it could replace what root installs in $prefix. Choose another PREFIX."
        [ "$above" != / ] || break
    done
    foreign="$(cd "$prefix" && find . \( -path './state/*/*' -o -path './run/*/*' -o -path './etc/users/*/*' \) -prune -o \
        \( ! -uid 0 -o -type l -o -perm /022 \) ! -path './run/*' -print -quit)"
    [ -z "$foreign" ] ||
        fail "$(realpath --no-symlinks "$prefix/$foreign") is not root's alone, or a link: who else may change it could replace what root installs, or make \
root write elsewhere. Remove $prefix, or choose another PREFIX."
fi
# Whose the validators' secrets are that lie here: to another user they would be of no use, and a bound vault would not open.
owner=""
if [ "$(id -u)" -eq 0 ]; then owner="$(stat -c %U "$prefix"/etc/users/*/vigil-grant 2>/dev/null | head -n 1 || true)"; fi
validator_user="${VIGIL_USER:-$owner}"
if [ -z "$validator_user" ]; then
    if [ "$(id -u)" -eq 0 ]; then validator_user=casemate-vigil; else validator_user="$me"; fi
fi
[ "$owner" != UNKNOWN ] ||
    fail "the user is gone whose the validators' secrets in $prefix/etc/users are: make it again, with the same number."
[ -z "$owner" ] || [ "$owner" = "$validator_user" ] ||
    fail "the validators in $prefix run as $owner, and their secrets and keys are that user's: leave VIGIL_USER out."
users=()
group="${VIGIL_GROUP:-}"
# That of the casemate which is installed.
if [ -z "$group" ] && [ -g "$prefix/bin/casemate" ]; then
    group="$(stat -c %G "$prefix/bin/casemate")"
    [ "$group" != UNKNOWN ] || group=""
fi
group="${group:-casemate-keys}"
if [ "$validator_user" != "$me" ]; then
    case "$group" in *[!a-z0-9_-]* | -* | "") fail "VIGIL_GROUP is the name of a group, not $group." ;; esac
    [ "$(id -u)" -eq 0 ] || fail "only root installs for another user than itself; leave VIGIL_USER out."
    [ ! -e "$prefix/etc/vigil-validator.json" ] ||
        fail "$prefix was installed with one user for vault and validator. Say VIGIL_USER=$me to leave it so; else unbind the vaults \
(casemate vigil unbind), remove $prefix, and run this again."
    read -r -a users <<<"${VIGIL_USERS:-}"
    for folder in "$prefix"/etc/users/*/; do
        # The folders are named by numbers; a user that was removed meanwhile is left as it is.
        if name="$(id -un "$(basename "$folder")" 2>/dev/null)"; then users+=("$name"); fi
    done
    if [ ${#users[@]} -eq 0 ] && [ "${SUDO_USER:-root}" != root ]; then users=("$SUDO_USER"); fi
    mapfile -t users < <(printf '%s\n' "${users[@]}" | sort -u | sed '/^$/d')
    [ ${#users[@]} -gt 0 ] || fail "say who signs on this machine: VIGIL_USERS=name"
    for user in "${users[@]}"; do
        id -u "$user" >/dev/null 2>&1 || fail "there is no user $user."
        [ "$(id -u "$user")" -ne 0 ] || fail "root reads what the validator keeps: name the user who signs in VIGIL_USERS."
        [ "$user" != "$validator_user" ] || fail "$user cannot be both: the validator's user signs nothing."
    done
fi

# Whoever is in the group of casemate could look into it.
if [ "$validator_user" != "$me" ]; then
    if ! getent group "$group" >/dev/null; then
        groupadd --system "$group" || fail "the group $group cannot be made; make it, and run this again."
    fi
    group_id="$(getent group "$group" | cut -d: -f3)"
    [ "$group_id" -ne 0 ] || fail "$group is root's group: choose another in VIGIL_GROUP."
    members="$(members_of "$group")"
    [ -z "$members" ] || fail "the group $group has members, who could look into casemate: $members. Choose another in VIGIL_GROUP."
    case ",$(findmnt --noheadings --output OPTIONS --target "$prefix" 2>/dev/null)," in
    *,nosuid,*) fail "$prefix is on a file system with nosuid, where the kernel would not hide casemate: choose another PREFIX." ;;
    esac
fi

# Keys in a TPM, where there is one.
hardware="$(hardware_of "${VIGIL_HARDWARE:-auto}")" || fail "VIGIL_HARDWARE is auto, yes or no, not $VIGIL_HARDWARE."
if [ "$hardware" = yes ]; then
    why="$(tpm_refusal "${users[@]:-$me}")"
    [ -z "$why" ] || fail "$why. Or say VIGIL_HARDWARE=no."
fi
# The folders of the configurations.
places=("$prefix/etc")
if [ "$validator_user" != "$me" ]; then
    places=()
    for user in "${users[@]}"; do places+=("$prefix/etc/users/$(id -u "$user")"); done
fi
if [ "${VIGIL_HARDWARE:-auto}" = yes ]; then
    why="$(softness_refusal "${places[@]}")"
    [ -z "$why" ] || fail "$why."
fi

umask 077
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

# The public half, as PEM for the check at the end and in hex for the programs.
openssl pkey -in "$key" -pubout -out "$work/release.pub.pem" 2>/dev/null || fail "$key is no private key in PEM."
public="$("$(dirname "${BASH_SOURCE[0]}")/release-key.sh" "$key")" || exit 1

# The epoch that is installed, read from the payload of the manifest.
root="$prefix"
manifest="$prefix/vigil-manifest.json"
installed=""
if [ -f "$manifest" ]; then
    installed="$(sed -n 's/.*"payload" *: *"\([^"]*\)".*/\1/p' "$manifest" | base64 -d 2>/dev/null |
        grep -oE '"epoch" *: *[0-9]+' | grep -oE '[0-9]+$' | head -n 1 || true)"
    [ -n "$installed" ] || fail "$manifest cannot be read; give EPOCH, higher than before, and remove the file."
fi
[ -n "$epoch" ] || epoch=$((${installed:-0} + 1))
if [ -n "$installed" ] && [ "$epoch" -le "$installed" ]; then
    fail "epoch $installed is installed, and EPOCH=$epoch is not higher."
fi

build="${BUILD:-}"
if [ -z "$build" ]; then
    mapfile -t flags < <("$(dirname "${BASH_SOURCE[0]}")/release-flags.sh")
    flags+=(--scratch-path .build-signed)
    for product in casemate casemate-window casemate-worker vigil-validator vigil-hash-tool; do
        CASEMATE_RELEASE_KEYS="$public" "$swift" build "${flags[@]}" --product "$product"
    done
    build="$("$swift" build "${flags[@]}" --show-bin-path)"
fi
for program in casemate casemate-worker vigil-validator vigil-hash-tool; do
    [ -x "$build/$program" ] || fail "$build/$program is missing."
done

# Programs of BUILD may take Swift's libraries from where Swift is. The system's are then admitted by their folders alone: for tests.
runtime="$(ldd "$build/casemate" | sed -n 's/.*libswiftCore.so => \(.*\)\/libswiftCore.so .*/\1/p')"
externals=auto
prefixes=""
if [ -n "$runtime" ]; then
    externals=none
    prefixes=",
  \"externalPrefixes\": [\"/usr/lib\", \"/lib\", \"/usr/lib64\", \"/lib64\", \"$runtime\"]"
fi

# Everything is made beside the old and checked before anything takes its place.
stage="$prefix/.new"
rm -rf "$stage"
mkdir -p "$stage/bin"
install -m 755 "$build/casemate" "$build/casemate-worker" "$build/vigil-validator" "$build/vigil-hash-tool" "$stage/bin"
strip "$stage"/bin/*
"$build/vigil-hash-tool" manifest --app "$stage/bin/casemate" --validator "$stage/bin/vigil-validator" \
    --starts "$stage/bin/casemate-worker" --bundle-root "$stage" --epoch "$epoch" --product casemate --pages \
    --externals "$externals" --out "$work/manifest.json"
"$build/vigil-hash-tool" sign "$work/manifest.json" --key "$key" --out "$stage/vigil-manifest.json"
# The window is not vouched for: the manifest names one program as the one that signs.
if [ -x "$build/casemate-window" ]; then
    install -m 755 "$build/casemate-window" "$stage/bin"
    strip "$stage/bin/casemate-window"
fi
"$build/vigil-hash-tool" verify "$stage/vigil-manifest.json" --trust "$public" --against "$stage" >/dev/null
chmod 644 "$stage/vigil-manifest.json"

chmod -R u=rwX,go=rX "$stage/bin"
chmod 755 "$prefix" "$stage"

# The validators' user, made when it is needed first.
if [ "$validator_user" != "$me" ]; then
    if ! id -u "$validator_user" >/dev/null 2>&1; then
        useradd --system --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin "$validator_user" ||
            fail "the user $validator_user cannot be made; make it, and run this again."
    fi
    if [ "$hardware" = yes ]; then admit_to_tpm "$validator_user"; fi
fi

# in_sed TEXT: as what is put in the place of something by s|…|…|.
in_sed() { printf %s "$1" | sed 's/[&|\\]/\\&/g'; }

# Puts the window into the menu of applications of those whose XDG_DATA_DIRS names the share of this installation.
menu() {
    local source="$packaging/window" id=io.github.casemate.Window here
    here="$(in_sed "$prefix")"
    mkdir -p "$prefix/share/applications" "$prefix/share/metainfo" "$prefix/share/icons/hicolor/scalable/apps"
    # Exec is a line of words, and TryExec a path.
    sed -e "s|^Exec=casemate-window|Exec=\"$here/bin/casemate-window\"|" -e "s|^TryExec=casemate-window|TryExec=$here/bin/casemate-window|" \
        "$source/$id.desktop" >"$prefix/share/applications/$id.desktop"
    cp "$source/$id.metainfo.xml" "$prefix/share/metainfo/"
    cp "$source/$id.svg" "$prefix/share/icons/hicolor/scalable/apps/"
    chmod -R u=rwX,go=rX "$prefix/share/applications" "$prefix/share/metainfo" "$prefix/share/icons"
}

for name in etc share state run; do folder 755 "$me:" "$prefix/$name"; done
if [ "$validator_user" = "$me" ]; then
    chmod 700 "$prefix/state"
    pair "$prefix/etc" "$prefix/state" "$prefix/run" "$me" "$(id -gn)"
else
    folder 755 "$me:" "$prefix/etc/users"
    for user in "${users[@]}"; do
        id="$(id -u "$user")"
        folder 755 "$me:" "$prefix/etc/users/$id"
        folder 755 "$me:" "$prefix/state/$id"
        pair "$prefix/etc/users/$id" "$prefix/state/$id" "$prefix/run/$id" "$user" "$(id -gn "$user")"
    done
    # The unit of the package, for this place and this user; and with the TPM where keys are, or have to be, in it.
    here="$(in_sed "$prefix")"
    device=(-e '/^Device/d')
    if [ "$hardware" = yes ]; then device=(); fi
    for place in "${places[@]}"; do if requires_hardware "$place/vigil-validator.json"; then device=(); fi; done
    sed -e "s|/usr/libexec/casemate/bin/|$here/bin/|; s|/etc/casemate/users/|$here/etc/users/|" \
        -e "s|\"/run/casemate/|\"$here/run/|; s|\"/var/lib/casemate/|\"$here/state/|" \
        -e "s|^User=.*|User=$validator_user|; /^Documentation=/d" "${device[@]}" \
        "$packaging/vigil/casemate-vigil@.service" >"$prefix/share/casemate-vigil@.service"
    chmod 644 "$prefix/share/casemate-vigil@.service"
fi
install -m 644 "$work/release.pub.pem" "$prefix/share/release.pub.pem"

# Each file is replaced in one step. Programs that run keep their old files and are refused from now on: restart them.
mkdir -p "$prefix/bin"
chmod 755 "$prefix/bin"
# Before it has its name; and the mode last, as changing the group takes the bit away.
if [ "$validator_user" != "$me" ]; then
    chown "root:$group" "$stage/bin/casemate"
    chmod 2755 "$stage/bin/casemate"
fi
for program in casemate-worker casemate vigil-validator vigil-hash-tool; do mv "$stage/bin/$program" "$prefix/bin/$program"; done
has_window=no
if [ -x "$stage/bin/casemate-window" ]; then
    mv "$stage/bin/casemate-window" "$prefix/bin/casemate-window"
    has_window=yes
fi
mv "$stage/vigil-manifest.json" "$manifest"
if [ "$has_window" = yes ]; then menu; fi
rm -rf "$stage"

"$prefix/bin/vigil-hash-tool" verify "$manifest" --trust "$prefix/share/release.pub.pem" --against "$prefix"

echo
echo "Installed in $prefix, epoch $epoch."
say_keys "${places[@]}"
# As they are typed.
bin="$(printf %q "$prefix/bin")"
if [ "$validator_user" = "$me" ]; then
    cat <<END
Vault and validator both run as $me. Whatever $me runs, a changed casemate too, reads the validator's secret: binding the vault then
keeps nobody out who knows the PIN. Install it as root to give the validator a user of its own.
Next:
  $bin/vigil-validator run &            the validator; after an upgrade start it anew
  $bin/vigil-validator provision &      once: opens its window for a minute
  $bin/casemate vigil provision         once: pins both
  $bin/casemate vigil bind              once: the vault opens only with the validator's word
Keep a copy of $prefix/etc/vigil-grant where you keep the recovery code: without it a bound vault opens by that code alone.
END
    exit
fi
echo "The validators run as $validator_user, whose secrets nobody but root reads, and admit the installed casemate alone (group $group)."
for user in "${users[@]}"; do
    id="$(id -u "$user")"
    validator="runuser -u $validator_user -- $bin/vigil-validator"
    looking="setpriv --reuid=$validator_user --regid=$(id -g "$validator_user") --init-groups --inh-caps=-all,+sys_ptrace,+dac_read_search \
--ambient-caps=-all,+sys_ptrace,+dac_read_search --bounding-set=-all,+sys_ptrace,+dac_read_search --no-new-privs $bin/vigil-validator"
    config="--config $(printf %q "$prefix/etc/users/$id/vigil-validator.json")"
    cat <<END
Next for $user, as root:
  systemctl link $(printf %q "$prefix/share/casemate-vigil@.service") && systemctl enable --now casemate-vigil@$id
  without systemd: $looking run $config &
  $validator provision $config &      once: opens its window for a minute
As $user:
  $bin/casemate vigil provision         once: pins both
  $bin/casemate vigil bind              once: the vault opens only with the validator's word
After an upgrade: systemctl restart casemate-vigil@$id
Keep a copy of $prefix/etc/users/$id/vigil-grant where the recovery code is kept: without it a bound vault opens by that code alone.
END
done
