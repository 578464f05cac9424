"""Wall time of whole `casemate inspect` processes on a transaction of a built-in network: best and median of 15; and the memory of one."""
import os
import statistics
import subprocess
import sys
import tempfile
import time

from peers import memory

program = sys.argv[1]
payload = os.path.join(os.path.dirname(os.path.abspath(__file__)), "westend-batch.hex")
times = []
with tempfile.TemporaryDirectory() as vault:
    for _ in range(15):
        start = time.perf_counter()
        subprocess.run([program, "inspect", "--vault", vault, "--file", payload], capture_output=True, check=True)
        times.append((time.perf_counter() - start) * 1e3)
    kilobytes = memory.peak_of([program, "inspect", "--vault", vault, "--file", payload], stdout=subprocess.DEVNULL)
print("| best | median | bound | memory |\n|---|---|---|---|")
print(f"| {min(times):.1f} ms | {statistics.median(times):.1f} ms | 25 ms | {kilobytes / 1e3:.1f} MB |")
