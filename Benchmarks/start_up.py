"""Processor time of whole processes of `mainkey status`: best and median of 60."""
import os
import resource
import statistics
import subprocess
import sys
import tempfile

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
print(f"| best | median | bound |\n|---|---|---|\n| {min(times):.1f} ms | {statistics.median(times):.1f} ms | 15 ms |")
