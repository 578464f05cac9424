"""The digest of a whole file by programs that everybody has.

usage: hash_peer.py openssl|sha256sum|aide FILE
Prints {"op": "hash_file", "ms"} of wall time, the program's start included: a few milliseconds of several hundred.
"""
import json
import os
import subprocess
import sys
import tempfile
import time

import memory

peer, path = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder:
    configuration = os.path.join(folder, "aide.conf")
    with open(configuration, "w") as text:
        text.write(
            f"database_out=file:{folder}/new.db\nreport_url=stdout\nDigest = sha256\n={path} Digest\n"
        )
    command = {
        "openssl": ["openssl", "dgst", "-sha256", path],
        "sha256sum": ["sha256sum", path],
        "aide": ["aide", "--init", f"--config={configuration}"],
    }[peer]
    for _ in range(2):
        began = time.perf_counter()
        kilobytes = memory.peak_of(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        elapsed = time.perf_counter() - began
print(json.dumps({"op": "hash_file", "kB": kilobytes, "ms": elapsed * 1e3}))
