"""cyscale (Cython): milliseconds of processor time to decode a call with metadata that is already loaded."""
import json
import sys
import time

from scalecodec.base import RuntimeConfigurationObject, ScaleBytes
from scalecodec.type_registry import load_type_registry_preset

import memory
from scale_files import FILES, calls


def best(operation, rounds=25):
    least = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        operation()
        least = min(least, time.process_time() - start)
    return least * 1e3


folder = sys.argv[1]
for name, transfer, batch in FILES:
    with open(f"{folder}/{name}.scale", "rb") as file:
        raw = file.read()
    runtime = RuntimeConfigurationObject(implements_scale_info=True)
    for preset in ("core", "legacy"):
        runtime.update_type_registry(load_type_registry_preset(preset))
    metadata = runtime.create_scale_object("MetadataVersioned", data=ScaleBytes(raw))
    metadata.decode()
    runtime.add_portable_registry(metadata)
    for operation, call in calls(transfer, batch).items():
        decode = lambda: runtime.create_scale_object("Call", data=ScaleBytes(call), metadata=metadata).decode()
        kilobytes = memory.peak(decode)
        print(json.dumps({"op": operation, "file": name, "kB": kilobytes, "ms": best(decode)}))
