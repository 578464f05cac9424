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
dynamic_worker = worker("dynamic")
peers = [peer for peer in ["bwrap", "firejail"] if shutil.which(peer)]
command = [
    f"{built}/forcefield", "bench",
    "--static-worker", static_worker,
    "--dynamic-worker", dynamic_worker,
]
if peers:
    command += ["--peer", ",".join(peers)]
subprocess.run(command, check=True)
# What a start cannot be faster than, as the kernel has to do all this for any sandbox with these layers.
floor = f"{here}/.build/forcefield-floor"
subprocess.run(["cc", "-O2", "-o", floor, f"{here}/forcefield_floor.c"], check=True)
for kind, program in [("static", static_worker), ("dynamic", dynamic_worker)]:
    print(f"\nThe kernel's part alone, {kind} program:\n", flush=True)
    if os.geteuid() == 0 and os.path.isdir("/sys/fs/cgroup/pids"):
        subprocess.run([floor, program], check=True, timeout=120)
    else:
        print("Not measured: it takes root, and control groups of version 1.")
# A pair of processes that the kernel puts on one processor is three times as fast as one on two, and pairs are placed by chance.
print("\nEverything on one processor:\n", flush=True)
one = ["taskset", "--cpu-list", str(min(os.sched_getaffinity(0)))]
subprocess.run([*one, f"{built}/forcefield", "bench", "--static-worker", static_worker, "--calls"], check=True)
