#!/bin/bash
# Puts the signed manifest into the package casemate: the one that is given (MANIFEST), or one that is signed now (RELEASE_KEY). Without
# either the package says that nobody vouches for it.
set -euo pipefail

fail() {
    echo "vouch: $1" >&2
    exit 1
}

installed=debian/casemate/usr/libexec/casemate
worker=debian/casemate-worker/usr/libexec/casemate/bin/casemate-worker

if [ -z "${RELEASE_KEY:-}${MANIFEST:-}" ]; then
    cat >>debian/casemate.substvars <<'END'
casemate:Release=These packages were built without a release key: there is no signed${Newline}manifest, so that no validator can vouch for the program, and a picture reader${Newline}that somebody has exchanged is not noticed. All else works.
END
    exit
fi

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
tool="$PROGRAMS/vigil-hash-tool"

# The key of the release: its public half, given by itself where the manifest was signed elsewhere.
[ -n "${RELEASE_KEY:-}" ] || fail "MANIFEST needs RELEASE_KEY too: the public half of the key that has signed it is enough."
openssl pkey -in "$RELEASE_KEY" -pubout -out "$work/release.pub.pem" 2>/dev/null ||
    openssl pkey -pubin -in "$RELEASE_KEY" -out "$work/release.pub.pem" 2>/dev/null || fail "$RELEASE_KEY is no key in PEM."

# Paths in the manifest begin where the programs are installed.
mkdir -p "$work/tree/bin"
cp "$installed/bin/casemate" "$installed/bin/vigil-validator" "$worker" "$work/tree/bin/"
if [ -n "${MANIFEST:-}" ]; then
    cp "$MANIFEST" "$work/signed.json"
else
    "$tool" manifest --app "$work/tree/bin/casemate" --validator "$work/tree/bin/vigil-validator" --starts "$work/tree/bin/casemate-worker" \
        --bundle-root "$work/tree" --epoch "${EPOCH:?the number of the release}" --product casemate --pages --externals auto \
        --out "$work/manifest.json"
    "$tool" sign "$work/manifest.json" --key "$RELEASE_KEY" --out "$work/signed.json"
fi
"$tool" verify "$work/signed.json" --trust "$work/release.pub.pem" --against "$work/tree" ||
    fail "the manifest is not that of these programs, or not signed by $RELEASE_KEY."
install -m 644 "$work/signed.json" "$installed/vigil-manifest.json"
install -D -m 644 "$work/release.pub.pem" "$installed/share/release.pub.pem"

fingerprint="$(openssl pkey -pubin -in "$work/release.pub.pem" -outform DER | sha256sum | cut -c1-32)"
echo "casemate:Release=The manifest of this release is signed by the key with the SHA-256\${Newline}$fingerprint (its first half)." >>debian/casemate.substvars
