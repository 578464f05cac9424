"""SQLCipher (sqlcipher3-binary) and plain SQLite in one harness: a row found by an indexed text. Prints JSON lines.

`lookup_protection_costs` is what SQLCipher adds to plain SQLite here, as bench-mainkey prints what sealing adds to GRDB.
"""
import json
import os
import random
import sqlite3
import tempfile
import time

from sqlcipher3 import dbapi2 as sqlcipher

import memory

ROWS, LOOKUPS = 100_000, 10_000


def open_filled(module, path, key):
    connection = module.connect(path)
    if key:
        connection.execute(f"PRAGMA key = \"x'{key}'\"")
    # SQLite's own default, which this build of SQLCipher multiplies.
    connection.execute("PRAGMA cache_size = -2000")
    connection.execute("CREATE TABLE user(id INTEGER PRIMARY KEY, email TEXT, name TEXT, note TEXT)")
    connection.execute("CREATE INDEX email ON user(email)")
    rows = ((i, f"user{i}@example.org", f"Anna Maria Nr. {i}", f"A note of some forty bytes about row {i}") for i in range(ROWS))
    with connection:
        connection.executemany("INSERT INTO user VALUES (?, ?, ?, ?)", rows)
    return connection


def look_up(connection, wanted):
    start = time.process_time()
    for i in wanted:
        found = connection.execute("SELECT note FROM user WHERE email = ?", (f"user{i}@example.org",)).fetchone()
        assert found[0].endswith(f" {i}")
    return (time.process_time() - start) * 1e6 / len(wanted)


with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
    wanted = [random.randrange(ROWS) for _ in range(LOOKUPS)]
    plain = open_filled(sqlite3, os.path.join(folder, "plain"), None)
    sealed = open_filled(sqlcipher, os.path.join(folder, "sealed"), "07" * 32)
    memory_of = [memory.peak(lambda: look_up(connection, wanted)) for connection in (plain, sealed)]
    best_plain = best_sealed = float("inf")
    for _ in range(7):
        best_plain = min(best_plain, look_up(plain, wanted))
        best_sealed = min(best_sealed, look_up(sealed, wanted))
    print(json.dumps({"op": "lookup_plain", "kB": memory_of[0], "us": best_plain}))
    print(json.dumps({"op": "lookup_protected", "kB": memory_of[1], "us": best_sealed}))
    print(json.dumps({"op": "lookup_protection_costs", "us": best_sealed - best_plain}))
