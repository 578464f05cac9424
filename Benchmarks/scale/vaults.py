"""Vaults against how many keys they have, and how many entries their log: opened, listed, verified, and signed with.

usage: vaults.py BENCH_SCALE KEYS_PICTURE LOG_PICTURE
"""
import subprocess
import sys
import tempfile

from curves import Family, finish, measure, show_count

SIZES = [10, 100, 1_000, 10_000, 100_000]
FEW = 10
OPERATIONS = {
    "open": "opened", "verify-log": "log verified", "list-keys": "keys listed", "list-log": "log listed",
    "propose": "transaction read", "sign": "signed",
}

program, keys_picture, log_picture = sys.argv[1:]


def measured(family, without, counts):
    for size in SIZES:
        with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
            vault = f"{folder}/vault"
            subprocess.run([program, "vault", "make", vault, *map(str, counts(size))], check=True)
            for operation, name in OPERATIONS.items():
                if operation not in without:
                    family.add(name, size, *measure(program, "vault", operation, vault))
    return family


keys = measured(Family("Vaults by their keys", "keys", show_count), {"list-log", "verify-log"}, lambda size: (size, FEW))
log = measured(Family("Vaults by their log", "entries of the log", show_count), {"list-keys"}, lambda size: (FEW, size))
finish((keys, keys_picture), (log, log_picture))
