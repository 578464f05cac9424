#!/usr/bin/env bash
# Has a build link the libraries statically of which Debian has a static archive: makes FOLDER with nothing but those, and descriptions for
# pkg-config that lead there. Prints the folder for PKG_CONFIG_PATH.
#
#   packaging/static-libraries.sh FOLDER
#
# The C++ library, OpenSSL and what stands on them stay the system's: libzxing, tpm2-tss and libsystemd come as shared libraries alone and
# bring them along, and two copies of one library in a process are one too many.
set -euo pipefail

folder="${1:?usage: packaging/static-libraries.sh FOLDER}"
rm -rf "$folder/lib" "$folder/pkgconfig"
mkdir -p "$folder/lib" "$folder/pkgconfig"
# Name for pkg-config, and for the linker.
while read -r name library; do
    archive=""
    for place in "$(pkg-config --variable=libdir "$name")" /usr/lib/*-linux-gnu; do
        if [ -s "$place/lib$library.a" ]; then archive="$place/lib$library.a"; fi
    done
    [ -n "$archive" ] || {
        echo "lib$library.a is missing: install the headers of $library (make deps)." >&2
        exit 1
    }
    ln -s "$archive" "$folder/lib/lib$library.a"
    cat >"$folder/pkgconfig/$name.pc" <<END
Name: $name
Description: $name, as a static archive
Version: $(pkg-config --modversion "$name")
Cflags: $(pkg-config --cflags "$name")
Libs: -L$folder/lib -l$library
END
done <<'END'
libsodium sodium
libsecp256k1 secp256k1
zlib z
libzstd zstd
sqlite3 sqlite3
libjpeg jpeg
END
echo "$folder/pkgconfig"
