"""Whole files by age (the program) or rage (pyrage), in memory, in processor time of the process that does it.

usage: age_peer.py age|rage
"""
import json
import os
import resource
import sys
import tempfile

import pyrage

import memory

BYTES = 256 << 20


def processor_time(who):
    usage = resource.getrusage(who)
    return (usage.ru_utime + usage.ru_stime) * 1e6


def measure(op, who, work):
    best, kilobytes = float("inf"), 0
    for _ in range(3):
        start = processor_time(who)
        kilobytes = max(kilobytes, work() if who == resource.RUSAGE_CHILDREN else memory.peak(work))
        best = min(best, processor_time(who) - start)
    print(json.dumps({"op": op, "kB": kilobytes, "us": best}))


with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
    clear, sealed, opened, key = (os.path.join(folder, name) for name in ("clear", "sealed", "opened", "key"))
    with open(clear, "wb") as file:
        for _ in range(BYTES >> 20):
            file.write(os.urandom(1 << 20))
    identity = pyrage.x25519.Identity.generate()
    recipient = identity.to_public()
    if sys.argv[1] == "age":
        with open(key, "w") as file:
            file.write(f"{identity}\n")
        run = lambda *words: memory.peak_of(words)
        measure("encrypt_256MiB", resource.RUSAGE_CHILDREN, lambda: run("age", "-r", str(recipient), "-o", sealed, clear))
        measure("decrypt_256MiB", resource.RUSAGE_CHILDREN, lambda: run("age", "-d", "-i", key, "-o", opened, sealed))
    else:
        measure("encrypt_256MiB", resource.RUSAGE_SELF, lambda: pyrage.encrypt_file(clear, sealed, [recipient]))
        measure("decrypt_256MiB", resource.RUSAGE_SELF, lambda: pyrage.decrypt_file(sealed, opened, [identity]))
