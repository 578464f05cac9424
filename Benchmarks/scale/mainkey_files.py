"""Encrypted files of up to 100 GB, of which the disk holds next to nothing: encrypted, decrypted, and read at random places.

A size that would take more than a minute of processor time for one of them is left out, and that is said.

usage: mainkey_files.py BENCH_SCALE PICTURE
"""
import subprocess
import sys
import tempfile

from curves import Family, finish, measure, show_bytes

SIZES = [10**power for power in range(3, 12)]
MOST_SECONDS = 60

program, picture = sys.argv[1:]


def decrypt(folder, size):
    """From the pipe of another process, which encrypts: nothing holds a file of 100 GB."""
    best, memory = float("inf"), 0
    for _ in range(3 if size <= 10**8 else 1):
        source = subprocess.Popen([program, "file", "pipe", folder, str(size)], stdout=subprocess.PIPE)
        time_of_run, memory_of_run = measure(program, "file", "decrypt", folder, size, stdin=source.stdout)
        source.stdout.close()
        if source.wait() != 0:
            sys.exit(f"the source of {size} bytes ended with {source.returncode}")
        best, memory = min(best, time_of_run), max(memory, memory_of_run)
    return best, memory


operations = {
    "encrypted": lambda folder, size: measure(program, "file", "encrypt", folder, size),
    "decrypted": decrypt,
    "4 kB read at random": lambda folder, size: measure(program, "file", "read", folder, size),
}
family = Family("MainKey's files", "bytes of the file", show_bytes)
with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
    subprocess.run([program, "file", "make", f"{folder}/files", "0"], check=True)
    for name, operation in operations.items():
        for index, size in enumerate(SIZES):
            family.add(name, size, *operation(f"{folder}/files", size))
            # What is read at random is encrypted first.
            spent = family.curve("encrypted" if name.endswith("random") else name, "time").at(size)
            next_size = SIZES[min(index + 1, len(SIZES) - 1)]
            seconds = spent / 1e6 * next_size / size
            if next_size > size and seconds > MOST_SECONDS:
                print(f"{name}: {show_bytes(next_size)} would take {seconds:.0f} s, and is left out.\n")
                break
finish((family, picture))
