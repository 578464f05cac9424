#!/usr/bin/env bash
# Tries the archives in a bare Debian that has no Swift: what they say where something is missing, and a small flow of each program with
# what their README names.
#
#   scripts/archives-test.sh [FOLDER]     the folder of the archives (.build/archives)
#
# Needs root. Nothing outside of .build and a folder of its own in /tmp is touched.
set -euo pipefail

repository="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)"
archives="$(realpath "${1:-$repository/.build/archives}")"
# shellcheck source=scripts/bare-root.sh
. "$repository/scripts/bare-root.sh"

# What signs nothing needs no picture of a transaction.
no_picture=/dev/null

(cd "$archives" && sha256sum --check --quiet SHA256SUMS) || broken "SHA256SUMS"
ok "SHA256SUMS has the hashes of all archives"

bare_root_begin
in_root bare bash -c 'useradd --create-home alice && apt-get update -qq'
cp "$repository/packaging/tests/flows.sh" "$roots/bare/usr/local/bin/flows.sh"

for archive in "$archives"/*.tar.xz; do
    file="$(basename "$archive")"
    name="${file%-[0-9]*-linux-*}"
    fresh_root "$name"
    # The bare root has no xz: who unpacks it has.
    tar -xJf "$archive" -C "$roots/$name/home/alice"
    place="$(basename "$(echo "$roots/$name/home/alice/$name"-*)")"
    run() { in_root "$name" --offline runuser -u alice -- env "PATH=/home/alice/$place/bin:/usr/bin:/bin" "$@"; }
    packages="$(cat "$roots/$name/home/alice/$place/share/debian-packages")"

    code=0
    run "$name" --version >"$roots/out" 2>&1 || code=$?
    case "$code" in
    0 | 127)
        if grep -q "cannot start: this system has not lib" "$roots/out"; then
            grep -q "apt-get install $packages" "$roots/out" || broken "$name does not say what to install"
            ok "$name, in a bare Debian: $(head -n 1 "$roots/out")"
        else
            [ "$code" -eq 0 ] || {
                cat "$roots/out" >&2
                broken "$name does not say what is missing"
            }
            ok "$name, in a bare Debian: all is there"
        fi
        ;;
    *)
        cat "$roots/out" >&2
        broken "$name ends with $code"
        ;;
    esac

    read -r -a list <<<"$packages"
    in_root "$name" apt-get install -qq -y --no-install-recommends "${list[@]}" >"$roots/out" 2>&1 || {
        cat "$roots/out" >&2
        broken "apt-get install $packages"
    }
    run "$name" --version >"$roots/out" || broken "$name --version, with the packages that its README names"
    grep -q '^[0-9]' "$roots/out" || broken "$name --version says no version"
    run /usr/local/bin/flows.sh "$no_picture" "$name" || broken "the flow of $name"
    for part in "bin/$name" "share/man/man1/$name.1" "share/completions/bash/$name" "share/completions/zsh/_$name" \
        "share/completions/fish/$name.fish" README LICENSE NOTICE; do
        in_root "$name" test -s "/home/alice/$place/$part" || broken "$file has no $part"
    done
    ok "$name: manual page, completions, README and licenses are in the archive"
done

echo
echo "$checks checks of the archives in a bare Debian ($suite) are well."
