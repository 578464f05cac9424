#!/usr/bin/env bash
# Writes the digests of the files that are installed beside the programs into the source that compiles them in. Run it after one of
# them was meant to change; a test compares.
set -euo pipefail
cd "$(dirname "$0")/.."

{
    echo "extension ShippedFile {"
    echo "    /// SHA-256 by name, written by scripts/shipped-files.sh."
    echo "    static let digests = ["
    for file in Sources/Signer/Signer/Resources/Metadata/* Sources/Programs/InstalledSigner/Resources/Demo/*; do
        printf '        "%s": "%s",\n' "$(basename "$file")" "$(sha256sum "$file" | cut -d ' ' -f 1)"
    done
    echo "    ]"
    echo "}"
} >Sources/Signer/Signer/Shipped/ShippedFile+Digests.swift
