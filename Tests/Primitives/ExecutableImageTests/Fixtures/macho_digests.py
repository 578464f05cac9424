"""Digests of a thin 64-bit little-endian Mach-O file, written from the definitions alone (Vigil specification, 3.3, 3.4 and 3.6).

usage: macho_digests.py FILE...
Prints a JSON object of path to {"text1", "text2", "load2", "pageRoot", "file"}.
"""
import hashlib
import json
import struct
import sys

SEGMENT, SIGNATURE, ENCRYPTION = 0x19, 0x1D, 0x2C
EXECUTE = 4


def sha256(content):
    return hashlib.sha256(content)


def digests(data):
    magic, machine, submachine, _, count, size, _, _ = struct.unpack_from("<8I", data)
    assert magic == 0xFEEDFACF
    segments, kept, removed, signature, offset = [], b"", 0, None, 32
    for _ in range(count):
        command, length = struct.unpack_from("<2I", data, offset)
        body = bytearray(data[offset : offset + length])
        if command == SEGMENT:
            name = bytes(body[8:24]).rstrip(b"\0")
            address, _, start, amount, _, protection = struct.unpack_from("<4Q2I", body, 24)
            segments.append((name, address, start, amount, protection))
            if name == b"__LINKEDIT":
                body[32:40] = body[48:56] = bytes(8)
        if command == ENCRYPTION:
            body[16:20] = bytes(4)
        if command == SIGNATURE:
            signature = struct.unpack_from("<I", body, 8)[0]
            removed += 1
        else:
            kept += bytes(body)
        offset += length
    gone = offset - 32 - len(kept)
    text = next(segment for segment in segments if segment[0] == b"__TEXT")
    header = bytearray(data[:32])
    struct.pack_into("<2I", header, 16, count - removed, size - gone)
    canonical = bytes(header) + kept + bytes(gone) + data[offset : text[3]]

    def content(segment):
        return canonical if segment is text else data[segment[2] : segment[2] + segment[3]]

    def prefix(name, number):
        return name + b"\0" + bytes([1, 2, 1, 0]) + struct.pack(">3I", machine, submachine & 0xFFFFFF, number)

    def listed(some):
        return b"".join(struct.pack(">2QI", s[1], s[3], s[4]) + content(s) for s in some)

    covered = [s for s in segments if s[3] > 0 and (s is text or s[4] & EXECUTE)]
    loaded = [s for s in segments if s[3] > 0 and s[0] != b"__LINKEDIT"]
    edit = next((s for s in segments if s[0] == b"__LINKEDIT"), None)
    tail = b"" if edit is None else data[edit[2] : signature or edit[2] + edit[3]].rstrip(b"\0")
    pages = b"vigil/pages/v2\0" + struct.pack(">2I", 4096, len(covered))
    for segment in covered:
        parts = [content(segment)[i : i + 4096] for i in range(0, segment[3], 4096)]
        pages += struct.pack(">QI", segment[1], len(parts)) + b"".join(sha256(part).digest() for part in parts)
    whole = {
        "text1": data[text[2] : text[2] + text[3]],
        "text2": prefix(b"vigil/image/v2", len(covered)) + listed(covered),
        "load2": prefix(b"vigil/load/v2", len(loaded)) + listed(loaded) + struct.pack(">Q", len(tail)) + tail,
        "pageRoot": pages,
        "file": data,
    }
    return {name: sha256(content).hexdigest() for name, content in whole.items()}


if __name__ == "__main__":
    print(json.dumps({path: digests(open(path, "rb").read()) for path in sys.argv[1:]}))
