"""bt-decode (Rust): milliseconds of processor time to decode V15 metadata and build its registry."""
import json
import sys
import time

import bt_decode

import memory
from scale_files import FILES, compact


def best(operation, rounds=9):
    least = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        operation()
        least = min(least, time.process_time() - start)
    return least * 1e3


folder = sys.argv[1]
for name, _, _ in FILES:
    with open(f"{folder}/{name}.scale", "rb") as file:
        raw = file.read()
    if raw[4] != 15:
        continue
    option = b"\1" + compact(len(raw)) + raw
    decode = lambda: bt_decode.PortableRegistry.from_metadata_v15(bt_decode.MetadataV15.decode_from_metadata_option(option))
    figures = {"kB": memory.peak(decode), "ms": best(decode)}
    for operation in ("metadata_full", "metadata_index"):
        print(json.dumps({"op": operation, "file": name, **figures}))
