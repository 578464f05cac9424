#!/usr/bin/env python3
"""Writes the functions of casemate that a start and a look at a transaction run, in the order in which they first do.

usage: function-order.py PROGRAM     a build with symbols (make build); writes packaging/casemate.order

The linker puts them side by side (Package.swift), so that a process brings in their pages and not pages of all parts of the program
(docs/speed.md). Names that a build does not have are left out by the linker: a list that is old costs memory, and nothing else. Each
function has a breakpoint until it is first reached; x86-64 Linux alone.
"""
import ctypes
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

TRACEME, PEEKUSER, POKEUSER, CONTINUE, SETOPTIONS = 0, 3, 6, 7, 0x4200
TRACE_CLONE, EXIT_KILL = 8, 1 << 20
# Where user_regs_struct has rip.
INSTRUCTION_POINTER = 16 * 8
BREAKPOINT = b"\xcc"
WALL = 0x40000000

repository = pathlib.Path(__file__).resolve().parent.parent
libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.restype = ctypes.c_long
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]


def functions(program):
    """Names by the address that the file gives them."""
    found = {}
    lines = subprocess.run(["readelf", "--symbols", "--wide", program], check=True, capture_output=True, text=True).stdout
    for line in re.findall(r"^ *\d+: ([0-9a-f]+) +(\S+) FUNC +\S+ +\S+ +\d+ (\S+)", lines, re.M):
        if int(line[1], 0) > 0:
            found.setdefault(int(line[0], 16), []).append(line[2])
    return found


def reached(program, arguments, addresses):
    """Those of the addresses that a process comes by, in order."""
    process = os.fork()
    if process == 0:
        null = os.open("/dev/null", os.O_RDWR)
        for descriptor in (0, 1):
            os.dup2(null, descriptor)
        libc.ptrace(TRACEME, 0, None, None)
        os.execv(program, [program, *arguments])
    os.waitpid(process, WALL)
    libc.ptrace(SETOPTIONS, process, None, TRACE_CLONE | EXIT_KILL)
    with open(f"/proc/{process}/maps") as maps:
        base = next(int(line.split("-")[0], 16) for line in maps if line.rstrip().endswith(os.path.realpath(program)))
    memory = os.open(f"/proc/{process}/mem", os.O_RDWR)
    start, end = min(addresses), max(addresses) + 1
    original = os.pread(memory, end - start, base + start)
    changed = bytearray(original)
    for address in addresses:
        changed[address - start:address - start + 1] = BREAKPOINT
    os.pwrite(memory, bytes(changed), base + start)
    order = {}
    thread = process
    libc.ptrace(CONTINUE, thread, None, None)
    while True:
        thread, status = os.waitpid(-1, WALL)
        if not os.WIFSTOPPED(status):
            if thread == process:
                break
            continue
        sent = os.WSTOPSIG(status)
        address = libc.ptrace(PEEKUSER, thread, INSTRUCTION_POINTER, None) - base - 1
        if status >> 16 or sent == signal.SIGSTOP:
            sent = 0
        elif sent == signal.SIGTRAP and address in addresses:
            # Another thread may have been here a moment ago.
            os.pwrite(memory, original[address - start:address - start + 1], base + address)
            libc.ptrace(POKEUSER, thread, INSTRUCTION_POINTER, base + address)
            order[address] = True
            sent = 0
        libc.ptrace(CONTINUE, thread, None, sent)
    os.close(memory)
    if status != 0:
        sys.exit(f"{program} {' '.join(arguments)} ended with {status:#x}")
    return list(order)


program = os.path.realpath(sys.argv[1])
names = functions(program)
payload = str(repository / "Benchmarks/westend-batch.hex")
order = {}
with tempfile.TemporaryDirectory() as vault:
    looks = [["inspect", "--vault", vault, "--file", payload], ["inspect", "--json", "--vault", vault, "--file", payload], ["--version"]]
    for arguments in looks:
        for address in reached(program, arguments, set(names)):
            order.update(dict.fromkeys(names[address]))
path = repository / "packaging/casemate.order"
path.write_text("".join(f"{name}\n" for name in order))
print(f"{len(order)} functions of {len(names)}: {path}")
