#!/usr/bin/env bash
# Makes archives of the programs that are useful by themselves, in OUT (.build/archives): they run from any folder of a Debian that has no
# Swift. Each brings its workers, manual pages, completions, and a README that names what it needs of the system.
set -euo pipefail

usage() {
    cat >&2 <<'END'
usage: make archives [BUILD=folder]

  BUILD  a folder of programs that are built already; without it they are built now, with the libraries of which Debian has a static
         archive (libsodium, libsecp256k1, SQLite, zlib, zstd, libjpeg) linked into them
  OUT    where the archives go (.build/archives)
END
    exit 64
}

fail() {
    echo "archives: $1" >&2
    exit 1
}

[ $# -eq 0 ] || usage
repository="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)"
out="$(realpath --canonicalize-missing "${OUT:-$repository/.build/archives}")"
swift="${SWIFT:-swift}"
programs="${BUILD:+$(realpath "$BUILD")}"
cd "$repository"
umask 022
. packaging/parts.sh

# NAME of the archive and its program, and the workers that it starts.
archives=("airgap casemate-worker" "mainkey" "forcefield" "generate-message casemate-worker runtime-worker")

if [ -z "$programs" ]; then
    mapfile -t flags < <(scripts/release-flags.sh)
    flags+=(--scratch-path .build-archives)
    PKG_CONFIG_PATH="$(packaging/static-libraries.sh "$repository/.build/static-libraries")"
    export PKG_CONFIG_PATH
    for product in airgap mainkey forcefield generate-message casemate-worker runtime-worker; do
        "$swift" build "${flags[@]}" --product "$product"
    done
    programs="$("$swift" build "${flags[@]}" --show-bin-path)"
fi

export SOURCE_DATE_EPOCH
SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}"
architecture="$(dpkg --print-architecture 2>/dev/null || uname -m)"
mkdir -p "$out"
stage="$(mktemp -d "$out/.making.XXXXXX")"
trap 'rm -rf "$stage"' EXIT

# package_of FILE: the package of a library. Where /lib is a link to /usr/lib, packages may have it by either name.
package_of() {
    local real place
    real="$(realpath "$1")"
    for place in "$real" "${real#/usr}"; do
        if dpkg-query --search "$place" 2>/dev/null | sed -n '1s/:.*//p' | grep .; then return; fi
    done
    echo "the package of $1 is not known." >&2
    return 1
}

# named NAME PATHS: NAME PACKAGE, for the first of the lines of PATHS.
named() {
    local package
    package="$(package_of "${2%%$'\n'*}")" || return 1
    echo "$1 $package"
}

# needed FILE...: the libraries that the files themselves name, as NAME PACKAGE lines.
needed() {
    local name
    ldd "$@" | sed -n 's/^\t\(lib[^ ]*\) => \([^ ]*\) .*/\1 \2/p' | sort -u >"$stage/found"
    readelf --dynamic "$@" | sed -n 's/.*(NEEDED).*\[\(lib.*\)\]/\1/p' | sort -u | while read -r name; do
        named "$name" "$(sed -n "s|^${name//./\\.} ||p" "$stage/found")"
    done
    # What programs open when they first use it, as their notes say.
    { readelf --string-dump=.note.dlopen "$@" 2>/dev/null | grep --only-matching 'lib[a-z0-9-]*\.so\.[0-9]*' || true; } | sort -u | while read -r name; do
        named "$name" "$(ldconfig -p | sed -n "s|^[[:space:]]*${name//./\\.} .* => ||p")"
        # tpm2-tss loads by itself what talks to the TPM.
        if [ "$name" = libtss2-tctildr.so.0 ]; then echo "libtss2-tcti-device.so.0 libtss2-tcti-device0"; fi
    done
}

# starter PROGRAM: what a person calls. It says what is missing where the loader alone would name a file. A worker that cannot start does not
# keep the program from what it does without it.
starter() {
    cat <<END
#!/bin/sh
# Starts $1, and says what is missing where it, or a worker of it, cannot start.
here="\$(dirname "\$(readlink -f "\$0")")/.."
missing() { LC_ALL=C ldd "\$1" 2>&1 | sed -n 's/^[[:space:]]*\(.*\) => not found\$/ \1/p' | tr -d '\n'; }
install() { echo "On Debian 12: apt-get install \$(cat "\$here/share/debian-packages"). The README beside bin/ says more." >&2; }
libraries="\$(missing "\$here/libexec/$1")"
if [ -n "\$libraries" ]; then
    echo "$1 cannot start: this system has not\$libraries." >&2
    install
    exit 127
fi
for worker in "\$here"/libexec/*-worker; do
    [ -e "\$worker" ] || continue
    libraries="\$(missing "\$worker")"
    [ -n "\$libraries" ] || continue
    echo "$1: \$(basename "\$worker") cannot start: this system has not\$libraries. What it does is not done." >&2
    install
done
exec "\$here/libexec/$1" "\$@"
END
}

readme() {
    local name="$1" version="$2"
    shift 2
    cat <<END
$name $version

Start bin/$name; libexec/ has to stay beside bin/. Put bin/ on the PATH, or link bin/$name from a folder that is on it.

  bin/$name --help                     what there is to do
  man -l share/man/man1/$name.1        the manual
  share/completions                    for bash (source it), zsh (a folder of the fpath), fish (~/.config/fish/completions)

It runs on Debian 12 or later ($architecture). What it needs of the system, as Debian 12 names it:

END
    while read -r library package; do printf '  %-28s %s\n' "$library" "$package"; done
    cat <<END

What a bare Debian has not is installed by:

  apt-get install $(cat "$tree/share/debian-packages")

All else is linked into the programs, Swift's libraries included. Those parts get no updates from Debian: take a newer archive
when there is one.

SHA256SUMS beside the archive has its hash: sha256sum --check --ignore-missing SHA256SUMS

Apache License 2.0: see LICENSE and NOTICE.
END
}

made=()
for line in "${archives[@]}"; do
    read -r name workers <<<"$line"
    version="$("$programs/$name" --version)"
    tree="$stage/$name-$version"
    mkdir -p "$tree/bin" "$tree/share"
    read -r -a parts <<<"$name $workers"
    for part in "${parts[@]}"; do
        program "$part" "$tree/libexec"
        strip --strip-unneeded --remove-section=.comment "$tree/libexec/$part"
    done
    manual "$name" "$tree/share"
    completions "$name" "$tree/share/completions/bash" "$tree/share/completions/zsh" "$tree/share/completions/fish"
    cp LICENSE NOTICE "$tree/"
    needed "$tree"/libexec/* >"$stage/needed"
    cut -d' ' -f2 "$stage/needed" | sort -u | tr '\n' ' ' | sed 's/ $/\n/' >"$tree/share/debian-packages"
    starter "$name" >"$tree/bin/$name"
    chmod 755 "$tree/bin/$name"
    readme "$name" "$version" <"$stage/needed" >"$tree/README"
    # Of those that were made before none is left; whatever else is in OUT stays.
    rm -f "$out/$name"-*-linux-"$architecture.tar.xz"
    made+=("$name-$version-linux-$architecture.tar.xz")
    # The same bytes from whatever folder, umask and user.
    tar --sort=name --format=gnu --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --mode=u=rwX,go=rX \
        -C "$stage" -cf - "$name-$version" | xz --threads=2 --block-size=16MiB "-${XZ_LEVEL:-6}" >"$out/${made[-1]}"
    echo "made ${made[-1]}"
done
(cd "$out" && sha256sum "${made[@]}" >SHA256SUMS && cat SHA256SUMS)
