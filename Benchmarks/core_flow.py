"""The published flow of 254 actions done by one `casemate core replay`, on a vault in memory: the whole process, and the time from
page to page; where metadata are taken in is a row of its own. Best and median of 9 runs.

usage: core_flow.py CASEMATE PRODUCT_DATA   (the folder of the known answers of the product)
"""
import json
import os
import pty
import statistics
import subprocess
import sys
import time

program, data = sys.argv[1:]
command = [program, "core", "replay", f"{data}/navigator/flow.json", "--shares", f"{data}/banana-split/vectors.json"]


def run():
    """Milliseconds of the process, and of each action; on a terminal each line comes when its action is done. Its memory in kB."""
    ours, its = pty.openpty()
    start = last = time.perf_counter()
    process = subprocess.Popen(command, stdout=its, stdin=subprocess.DEVNULL)
    os.close(its)
    actions = []
    while True:
        try:
            text = os.read(ours, 1 << 16)
        except OSError:
            break
        if lines := text.count(b"\n"):
            now = time.perf_counter()
            actions += [(now - last) * 1e3 / lines] * lines
            last = now
    os.close(ours)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit("the flow ends with a difference")
    # The first line has the start of the program in it.
    return (time.perf_counter() - start) * 1e3, actions[1:], usage.ru_maxrss * 1.024


def row(what, times, bound=""):
    print(f"| {what} | {min(times):.1f} ms | {statistics.median(times):.1f} ms | {bound} |")


with open(f"{data}/navigator/flow.json") as file:
    takes_metadata = ["load_metadata" in step.get("data", "") for step in json.load(file)][1:]
runs = [run() for _ in range(9)]
updates, others = ([
    [time for time, takes in zip(actions, takes_metadata, strict=True) if takes == wanted] for _, actions, _ in runs
] for wanted in (True, False))
print("| what | best | median | bound |\n|---|---|---|---|")
row(f"{len(takes_metadata) + 1} actions, the whole process", [whole for whole, _, _ in runs], "3,000 ms")
print(f"| its memory | {max(kilobytes for _, _, kilobytes in runs) / 1e3:.1f} MB | | |")
row("metadata of 300 kB looked at", [max(actions) for actions in updates], "150 ms")
row("the slowest other action of a run", [max(actions) for actions in others], "20 ms")
row("the median action of a run", [statistics.median(actions) for actions in others])
