#!/usr/bin/env python3
"""Compares NOTICE and packaging/debian/copyright with what programs are made of.

usage: notices.py ROOT                    with Package.swift; with Package.resolved and the licenses of the checkouts, where something was built
       notices.py --linked FOLDER ROOT    with what was linked into the programs that packages bring, in a folder of built programs

Exit 1 and a line for each difference.
"""
import json
import pathlib
import re
import sys

PROGRAMS = ("airgap", "casemate", "casemate-window", "casemate-worker", "forcefield", "gate", "generate-message", "mainkey", "runtime-worker",
            "vigil-hash-tool", "vigil-validator")
LINKED, NAMED, SYSTEM = "Swift packages that are linked", "Swift packages that those name", "Libraries of the system"
# What a package links by itself, where Package.swift does not say so.
OF_PACKAGES = {"sqlite3"}
# What is opened when it is first used, and so linked by nobody.
OPENED_LATE = {"tss2-esys"}
EXCEPTION = " with Runtime Library Exception"

linked_in = pathlib.Path(sys.argv[2]) if sys.argv[1] == "--linked" else None
root = pathlib.Path(sys.argv[-1])
notice = (root / "NOTICE").read_text()
differences = []


def listed(title):
    """The rows of a list in NOTICE: name and license."""
    rows = notice.partition(title)[2].partition("\n\n")[2].partition("\n\n")[0].splitlines()
    return {row.split()[0]: re.split(r" {2,}", row.strip())[-1] for row in rows}


def compare(what, found, expected):
    differences.extend(f"NOTICE names {name}, which is not {what}" for name in sorted(set(found) - set(expected)))
    differences.extend(f"NOTICE does not name {name}, which is {what}" for name in sorted(set(expected) - set(found)))


def license_of(text):
    if "Apache License" in text:
        return "Apache-2.0" + (EXCEPTION if "Runtime Library Exception" in text else "")
    return "MIT" if "Permission is hereby granted, free of charge" in text else "unknown"


def checkouts():
    places = [root / build / "checkouts" for build in (".build", ".build-test", ".build-release", ".build-signed")]
    return next((place for place in places if place.is_dir()), None)


def of_manifest():
    """What Package.swift names, and what was resolved of it."""
    manifest = (root / "Package.swift").read_text()
    packages = set(re.findall(r'\("[\w.-]+/([\w.-]+)", "\d', manifest))
    differences.extend(f"NOTICE does not name {name}, which Package.swift does" for name in sorted(packages - set(linked) - set(named)))
    libraries = set(re.findall(r'\("C\w+", "([\w.-]+)", "', manifest))
    libraries |= {f"lib{name}" for name in re.findall(r'\.linkedLibrary\("(\w{2,})"', manifest)}
    compare("a library in Package.swift", listed(SYSTEM), libraries | OF_PACKAGES | OPENED_LATE)
    debian = re.findall(r"([\w.-]+)/\*(?= |$)", "\n".join(re.findall(r"^Files: (.*)", copyright, re.M)), re.M)
    for name in sorted(set(linked) - set(debian)):
        differences.append(f"packaging/debian/copyright does not name {name}, which NOTICE does")
    if (root / "Package.resolved").exists():
        pins = json.loads((root / "Package.resolved").read_text())["pins"]
        compare("a package that was resolved", {**linked, **named}, {pin["location"].rpartition("/")[2].removesuffix(".git") for pin in pins})
    place = checkouts()
    for name, license in {**linked, **named}.items() if place else ():
        file = next((file for file in sorted((place / name).glob("LICENSE*"))), None)
        if file and license_of(file.read_text()) != license:
            differences.append(f"NOTICE says that {name} is {license}, and its {file.name} that it is {license_of(file.read_text())}")


def of_programs(folder):
    """The packages of which something was linked."""
    place = checkouts()
    if not place or not all((folder / f"{name}.product/Objects.LinkFileList").exists() for name in PROGRAMS):
        sys.exit(f"notices: {folder} does not tell what was linked.")
    # Folders of targets have their names, and two packages may have one each: it counts for both.
    owners = {}
    for package in place.iterdir():
        for target in (*package.glob("Sources/*/"), *package.glob("GRDB/")):
            owners.setdefault(target.name, set()).add(package.name)
    found = set()
    for name in PROGRAMS:
        objects = (folder / f"{name}.product/Objects.LinkFileList").read_text()
        found.update(*(owners.get(target, ()) for target in re.findall(r"/([^/\n]+)\.build/", objects)))
    compare("linked into a program", linked, found)


copyright = (root / "packaging/debian/copyright").read_text()
linked, named = listed(LINKED), listed(NAMED)
if linked_in:
    of_programs(linked_in)
else:
    of_manifest()
print(*differences, sep="\n", end="\n" if differences else "")
sys.exit(1 if differences else 0)
