"""Films against the size of what they carry: a payload to all the codes of a usual film, and back with one of ten lost.

usage: films.py BENCH_SCALE PICTURE
"""
import subprocess
import sys
import tempfile

from curves import Family, finish, measure, show_bytes

# A reader takes 64 MiB if it is not told otherwise. Larger ones show what is left of a bend once all caches are full.
SIZES = [10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000, 30_000_000, 60_000_000, 120_000_000, 240_000_000]

program, picture = sys.argv[1:]
family = Family("Films", "bytes of the payload", show_bytes)
for size in SIZES:
    with tempfile.NamedTemporaryFile(dir="/dev/shm") as film:
        measure_of = lambda operation: measure(program, "film", operation, film.name, size)
        subprocess.run([program, "film", "make", film.name, str(size)], check=True)
        family.add("to codes", size, *measure_of("encode"))
        family.add("from codes, 10 % lost", size, *measure_of("decode"))
finish((family, picture))
