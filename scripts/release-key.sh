#!/usr/bin/env bash
# Prints the public half of a release key as programs take it: X9.63 in hex.
#   scripts/release-key.sh KEY.pem      a P-256 key in PEM; its public half is enough
set -euo pipefail

key="${1:?usage: scripts/release-key.sh KEY.pem}"
der() { openssl pkey -in "$key" -pubout -outform DER 2>/dev/null || openssl pkey -pubin -in "$key" -pubout -outform DER 2>/dev/null; }
# The last 65 bytes of its DER.
public="$(der | tail -c 65 | od -An -v -tx1 | tr -d ' \n' || true)"
case "$public" in 04*) [ ${#public} -eq 130 ] ;; *) false ;; esac || {
    echo "$key is no P-256 key in PEM; see: make install-signed" >&2
    exit 1
}
echo "$public"
