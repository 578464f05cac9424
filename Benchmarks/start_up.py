"""Processor time of whole processes of `mainkey status`: best and median of 60; and what memory one takes."""
import os
import resource
import statistics
import subprocess
import sys
import tempfile

from peers import memory

program = sys.argv[1]


def children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (usage.ru_utime + usage.ru_stime) * 1e3


with tempfile.TemporaryDirectory() as folder:
    vault = os.path.join(folder, "vault")
    subprocess.run([program, "init", "--none", "--dir", vault], capture_output=True, check=True)
    times = []
    for _ in range(60):
        start = children()
        subprocess.run([program, "status", "--dir", vault], capture_output=True, check=True)
        times.append(children() - start)
    kilobytes = memory.peak_of([program, "status", "--dir", vault], stdout=subprocess.DEVNULL)
print("| best | median | bound | memory |\n|---|---|---|---|")
print(f"| {min(times):.1f} ms | {statistics.median(times):.1f} ms | 15 ms | {kilobytes / 1e3:.1f} MB |")
