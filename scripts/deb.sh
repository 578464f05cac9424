#!/usr/bin/env bash
# Makes Debian packages of all programs in OUT (.build/deb): from a folder of built programs, or of what is built now.
set -euo pipefail

usage() {
    cat >&2 <<'END'
usage: make deb [RELEASE_KEY=key.pem] [EPOCH=n] [BUILD=folder]

  RELEASE_KEY  signs the manifest by which a validator vouches for casemate, see: make install-signed. Without it the packages have none
               and say so.
  EPOCH        the number of the release (the number of commits); programs refuse a lower one than they have seen
  BUILD        a folder of programs that are built already, with the key compiled in; without it they are built now
  MANIFEST     a manifest that was signed elsewhere, of the same programs; RELEASE_KEY may then be the public half. With it a release can be
               made again to the byte
  VERSION      of the packages; without it that of the program, with date, number and hash of the commit where no tag names it
  OUT          where the packages go (.build/deb)
  DEBUG=1      packages of debug symbols, too
END
    exit 64
}

fail() {
    echo "deb: $1" >&2
    exit 1
}

[ $# -eq 0 ] || usage
repository="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)"
out="$(realpath --canonicalize-missing "${OUT:-$repository/.build/deb}")"
swift="${SWIFT:-swift}"
key="${RELEASE_KEY:+$(realpath "$RELEASE_KEY")}"
manifest="${MANIFEST:+$(realpath "$MANIFEST")}"
programs="${BUILD:+$(realpath "$BUILD")}"
cd "$repository"
umask 022

epoch="${EPOCH:-}"
# A manifest that is there has its own.
if [ -z "$epoch" ] && [ -n "$key" ] && [ -z "$manifest" ]; then epoch="$(scripts/release-number.sh EPOCH)"; fi
# Before anything is built: packages that no tag names are numbered by their commit.
[ -n "${VERSION:-}" ] || git describe --tags --exact-match >/dev/null 2>&1 || scripts/release-number.sh VERSION >/dev/null

if [ -z "$programs" ]; then
    symbols=()
    if [ "${DEBUG:-}" = 1 ]; then symbols=(--with-symbols); fi
    mapfile -t flags < <(scripts/release-flags.sh "${symbols[@]}")
    scratch=.build-release
    if [ -n "$key" ]; then
        scratch=.build-signed
        CASEMATE_RELEASE_KEYS="$(scripts/release-key.sh "$key")"
        export CASEMATE_RELEASE_KEYS
    fi
    flags+=(--scratch-path "$scratch")
    for product in casemate casemate-window casemate-worker airgap mainkey forcefield gate generate-message runtime-worker vigil-validator \
        vigil-hash-tool; do
        "$swift" build "${flags[@]}" --product "$product"
    done
    programs="$("$swift" build "${flags[@]}" --show-bin-path)"
    scripts/notices.py --linked "$programs" .
fi
# Not by grep -q, which leaves at the first line it finds: ldd then dies of the broken pipe, and the answer is no.
case "$(ldd "$programs/casemate")" in
*libswiftCore*) fail "the programs in $programs take Swift's libraries from where Swift is installed: build them with --static-swift-stdlib." ;;
esac

# Everything has the date of the last commit.
export SOURCE_DATE_EPOCH
SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}"
version="${VERSION:-}"
if [ -z "$version" ]; then
    version="$("$programs/casemate" --version)"
    version="$(scripts/package-version.sh "$version")"
fi

# Debian's tools want their folder on top of a tree. It gets what the packages need, and nothing that is compiled.
mkdir -p "$out"
stage="$(mktemp -d "$out/.making.XXXXXX")"
trap 'rm -rf "$stage"' EXIT
tree="$stage/casemate-$version"
mkdir "$tree"
cp -R packaging README.md CHANGELOG.md NOTICE LICENSE "$tree/"
mkdir "$tree/docs"
cp docs/*.md "$tree/docs/"
cp -R packaging/debian "$tree/debian"
maintainer="$(sed -n 's/^Maintainer: //p' packaging/debian/control)"
packaging/debian/changelog.py CHANGELOG.md --version "$version" --date "$SOURCE_DATE_EPOCH" --maintainer "$maintainer" >"$tree/debian/changelog"

options="noautodbgsym"
if [ "${DEBUG:-}" = 1 ]; then options=""; fi
(
    cd "$tree"
    PROGRAMS="$programs" RELEASE_KEY="$key" EPOCH="$epoch" MANIFEST="$manifest" DEB_BUILD_OPTIONS="$options" \
        dpkg-buildpackage --build=binary --unsigned-changes --unsigned-buildinfo
)
# Of the packages that were made before none is left; whatever else is in OUT stays.
for package in $(sed -n 's/^Package: //p' packaging/debian/control); do rm -f "$out/$package"{,-dbgsym}_*.{deb,changes,buildinfo}; done
made=("$stage"/*.deb)
mv "${made[@]}" "$stage"/*.changes "$stage"/*.buildinfo "$out/"

echo
echo "Packages of version $version in $out:"
(cd "$out" && sha256sum "${made[@]##*/}")
if [ -n "$epoch" ] && [ -n "$key" ] && [ -z "$manifest" ]; then
    echo "Signed with epoch $epoch: validators that have seen a higher one refuse these programs."
fi
if [ -z "$key" ]; then
    echo "Built without a release key: no validator can vouch for this casemate, and an exchanged picture reader is not noticed (docs/install.md)."
fi
