#!/usr/bin/env python3
"""Compares what each target declares with what its files import: both must name the same targets and products.

usage: imports.py ROOT     (exit 1 and a line for each difference)

Tests are given their room, what that uses, and TestSupport, whether they import it or not.
"""
import json
import pathlib
import re
import subprocess
import sys

IMPORT = re.compile(
    r"^\s*(?:@\S+\s+)*(?:(?:public|package|internal|private) )?import"
    r" (?:(?:struct|class|enum|func|protocol|var|let|typealias) )?([A-Za-z0-9_]+)", re.M)
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([a-z0-9_]+)\.h[>"]', re.M)
# Linked for what they do to the heap and to the environment; they have nothing to import.
LINKED = {"CCleanStart", "CWindowStart", "CZeroingHeap", "CZeroingLibcrypto"}

root = pathlib.Path(sys.argv[1])
package = json.loads(subprocess.run(["swift", "package", "dump-package"], cwd=root, check=True, capture_output=True).stdout)
targets = {target["name"]: target for target in package["targets"]}


def declared(target):
    return {next(iter(use.values()))[0] for use in target["dependencies"]}


def headers(target):
    folder = root / target["path"]
    return {path.stem for path in folder.rglob("*.h")} if target["type"] != "system" else set()


modules = set(targets) | {name for target in targets.values() for name in declared(target)}
owner = {header: name for name, target in targets.items() for header in headers(target)}
differences = 0
for name, target in targets.items():
    folder = root / target["path"]
    excluded = [folder / path for path in target["exclude"]]
    files = [path for path in folder.rglob("*") if path.suffix in (".swift", ".c", ".h", ".cpp")]
    files = [path for path in files if not any(path.is_relative_to(each) for each in excluded)]
    used = set()
    for path in files:
        text = path.read_text()
        if path.suffix == ".swift":
            used |= {module for module in IMPORT.findall(text) if module in modules}
        else:
            used |= {owner[header] for header in INCLUDE.findall(text) if header in owner and owner[header] != name}
    for module in sorted(used - declared(target) - {name}):
        print(f"{name} imports {module}, which Package.swift does not give it")
        differences += 1
    spare = {"TestSupport", name.removesuffix("Tests")} if target["type"] == "test" else set()
    spare |= {use for room in spare & set(targets) for use in declared(targets[room])}
    for module in sorted(declared(target) - used - spare - LINKED):
        print(f"{name} does not import {module}, which Package.swift gives it")
        differences += 1
sys.exit(1 if differences else 0)
