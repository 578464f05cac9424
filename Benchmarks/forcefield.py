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


peers = [peer for peer in ["bwrap", "firejail"] if shutil.which(peer)]
command = [
    f"{built}/forcefield", "bench",
    "--static-worker", worker("static", "-Xswiftc", "-static-executable"),
    "--dynamic-worker", worker("dynamic"),
]
if peers:
    command += ["--peer", ",".join(peers)]
sys.exit(subprocess.run(command).returncode)
