"""Starts, calls and memory of ForceField beside bare processes, bubblewrap and firejail, all in one run: builds the worker, linked
statically and dynamically, and lets `forcefield bench` do the work.

usage: forcefield.py PROGRAMS_FOLDER   (forcefield, linked statically)
"""
import os
import shutil
import subprocess
import sys

built = sys.argv[1]
here = os.path.dirname(os.path.abspath(__file__))


def worker(name, *flags):
    """Builds bench-echo in a folder of its own, strips it, and gives its path."""
    # The cache does not see new files of the package next door.
    command = [
        "swift", "build", "-c", "release", "--package-path", here, "--scratch-path", f"{here}/.build/{name}",
        "--disable-build-manifest-caching", *flags,
    ]
    subprocess.run([*command, "--product", "bench-echo"], check=True, stdout=subprocess.DEVNULL)
    folder = subprocess.run([*command, "--show-bin-path"], check=True, capture_output=True, text=True).stdout.strip()
    stripped = f"{here}/.build/{name}/bench-echo"
    subprocess.run(["strip", "-o", stripped, f"{folder}/bench-echo"], check=True)
    return stripped


static_worker = worker("static", "-Xswiftc", "-static-executable")
peers = [peer for peer in ["bwrap", "firejail"] if shutil.which(peer)]
command = [
    f"{built}/forcefield", "bench",
    "--static-worker", static_worker,
    "--dynamic-worker", worker("dynamic"),
]
if peers:
    command += ["--peer", ",".join(peers)]
subprocess.run(command, check=True)
# A pair of processes that the kernel puts on one processor is three times as fast as one on two, and pairs are placed by chance.
print("\nEverything on one processor:\n", flush=True)
one = ["taskset", "--cpu-list", str(min(os.sched_getaffinity(0)))]
subprocess.run([*one, f"{built}/forcefield", "bench", "--static-worker", static_worker, "--calls"], check=True)
