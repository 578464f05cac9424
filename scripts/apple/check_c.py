#!/usr/bin/env python3
"""Checks the C targets as they are compiled on Apple's platforms: what they include, and what they call.

usage: check_c.py

Each file of Sources/Bridges that a library for Apple's platforms links is compiled with Apple's macros instead of Linux's. Headers that
it includes have to be in apple-headers.txt or its own, and what it leaves undefined in c-library.txt. Constants and structures are those
of the C library here: what those of Apple are, this cannot tell.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
BRIDGES = HERE.parent.parent / "Sources/Bridges"
# CForceField is empty there; CZXing and CJPEG wrap libraries whose headers this machine has for Linux; CWindowStart is for the window;
# CZeroingLibcrypto is linked on Linux alone.
TARGETS = ("CLinux", "CForceField", "CGaloisKernels", "CTexts", "CEdwards25519", "CReleaseKeys", "CCleanStart", "CZeroingHeap")
MACROS = ["-U__linux__", "-U__linux", "-Ulinux", "-U__gnu_linux__", "-D__APPLE__=1", "-D__MACH__=1",
          '-DCASEMATE_RELEASE_KEYS=""', '-DCASEMATE_RELEASE_THRESHOLD=""']
INCLUDE = re.compile(r'^#\s*include(?:_next)?\s*[<"]([^>"]+)[>"]')
MARKER = re.compile(r'^# \d+ "([^"]+)"')


def words(name):
    lines = (HERE / name).read_text().split("\n")
    return {word for line in lines if not line.startswith("#") for word in line.split()}


def included(command, file, own):
    """The headers that files of the target include, where the conditions let them."""
    text = subprocess.run([*command, "-E", "-dI", file], capture_output=True, text=True).stdout
    place = str(file)
    for line in text.split("\n"):
        if found := MARKER.match(line):
            place = found[1]
        elif (found := INCLUDE.match(line)) and pathlib.Path(place).resolve().is_relative_to(BRIDGES):
            if found[1] not in own:
                yield found[1]


def main():
    headers, names, failures, count = words("apple-headers.txt"), words("c-library.txt"), [], 0
    with tempfile.TemporaryDirectory() as folder:
        for target in TARGETS:
            root = BRIDGES / target
            own = {path.name for path in root.rglob("*.h")}
            own |= {str(path.relative_to(root / "include")) for path in root.glob("include/**/*.h")}
            # What one file of a target calls of another is its own, whose name is that of the target.
            defined, undefined = set(), {}
            for file in sorted(root.rglob("*.c")):
                count += 1
                place = file.relative_to(BRIDGES.parent.parent)
                command = ["clang", "-O1", "-w", "-Werror=implicit-function-declaration", *MACROS, "-I", str(HERE / "include"), "-I", str(root / "include"), "-I", str(root)]
                for header in included(command, file, own):
                    if header not in headers:
                        failures.append(f"{place}: error: <{header}> is not known to be a header of Apple's (scripts/apple/apple-headers.txt)")
                done = subprocess.run([*command, "-c", str(file), "-o", f"{folder}/o"], capture_output=True, text=True)
                if done.returncode:
                    failures += [line.replace(f"{BRIDGES.parent.parent}/", "") for line in done.stderr.split("\n") if " error: " in line]
                    continue
                for line in subprocess.run(["nm", f"{folder}/o"], capture_output=True, text=True).stdout.split("\n"):
                    parts = line.split()
                    if len(parts) == 2 and parts[0] == "U":
                        undefined.setdefault(parts[1], place)
                    elif len(parts) == 3:
                        defined.add(parts[2])
            for name, place in sorted(undefined.items()):
                # By their plain names: what glibc's headers and the compiler make of them.
                plain = re.sub(r"^__(\w+)_chk$", r"\1", re.sub(r"^__isoc\d+_", "", name)).replace("__errno_location", "errno")
                if name not in defined and plain not in names and not name.startswith(("_GLOBAL", "__stack_chk", "__cpu_")):
                    failures.append(f"{place}: error: '{plain}' is not known to be in Darwin's C library (scripts/apple/c-library.txt)")
    for failure in failures:
        print(failure, file=sys.stderr)
    if failures:
        sys.exit(f"C: {len(failures)} errors")
    print(f"C: {count} files compile with Apple's macros, and call what Darwin has")


main()
