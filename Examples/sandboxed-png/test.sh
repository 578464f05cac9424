#!/bin/bash
# Builds the example and shows what it is for: a picture that crashes the C code is lost, and the next one is not.
#
#     Examples/sandboxed-png/test.sh
#     PROGRAMS=.build/release Examples/sandboxed-png/test.sh      with programs that are built already
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
if [ -z "${PROGRAMS:-}" ]; then
    swift build -c release --package-path "$here"
    PROGRAMS=$(swift build -c release --package-path "$here" --show-bin-path)
fi
programs=$(realpath "$PROGRAMS")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

python3 - "$scratch" <<'PICTURES'
import struct, sys, zlib

def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

def picture(width, height, caption, said=None):
    rows = b"".join(b"\0" + bytes((x * 7, y * 7, 128) [i] & 255 for x in range(width) for i in range(3)) for y in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", *(said or (width, height)), 8, 2, 0, 0, 0))
            + (chunk(b"tEXt", caption) if caption else b"") + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))

def write(name, content):
    with open(f"{sys.argv[1]}/{name}", "wb") as file:
        file.write(content)

write("1-good.png", picture(31, 17, b"Comment\0a harbour"))
write("2-crafted.png", picture(31, 17, b"Comment\0" + b"A" * (1 << 20)))
write("3-good.png", picture(64, 48, None))
write("4-damaged.png", picture(9, 9, None)[:60])
write("5-bomb.png", picture(1, 1, None, said=(100_000, 100_000)))
PICTURES

output=$("$programs/picture-info" "$scratch"/*.png) && code=0 || code=$?
echo "$output"
[ "$code" = 1 ]
expect() { grep -qE "$1" <<<"$output" || { echo "missing: $1"; exit 1; }; }
expect '^1-good.png: 31 x 17, .*a harbour'
expect '^2-crafted.png: lost\. The worker crashed: SIG(SEGV|ABRT|BUS)'
expect '^3-good.png: 64 x 48$'
expect '^4-damaged.png: lost\. The worker refused'
expect '^5-bomb.png: lost\. The worker refused .*pixels are more than'
echo "ok: the crafted picture was lost, and nothing else"
