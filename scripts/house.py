#!/usr/bin/env python3
"""Counts what makes the house easy or hard to live in, and refuses what must not come back.

usage: house.py ROOT            a table: lines by family, targets, public declarations, unlabelled parameters, rooms that open files
       house.py --check ROOT    exit 1 and a line for each function that takes three or more parameters without a label, or two of one type,
                                for each file outside the room Files that opens, renames or locks files by itself, for each that
                                formats by a language, for each line with what was a defect before, and for each command without its name
"""
import pathlib
import re
import sys

check = sys.argv[1:2] == ["--check"]
root = pathlib.Path(sys.argv[-1])

FUNCTION = re.compile(r"(?:\bfunc\s+(?P<name>\w+|[^\s\w(]+)|\b(?P<init>init)[?!]?)\s*(?:<[^>{(]*>)?\s*\(")
PUBLIC = re.compile(r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:nonisolated\s+)?public\s+(?!import\b|extension\b)")
CASE = re.compile(r"^\s*(?:indirect\s+)?case\s+\w")
# Calls of the system by which a file is opened, renamed or locked, not methods of that name.
OPENS = re.compile(r"(?<![\w.`])(?:(?:Glibc|Darwin|Foundation)\.)?(?:open\([^:\n]*\bO_[A-Z]|openat\(|renameat2?\(|flock\(|rename\([^:()]+,[^:]+\))")
# What asks ICU for its data of languages: nothing here depends on the language of a machine.
FORMATS = re.compile(r"\.formatted\((?!\.iso8601\))|\b(?:\w*Formatter|\w*FormatStyle|localized(?:Standard|CaseInsensitive)?Compare)\b|\bTimeZone\(identifier:")
# A command whose name is not stated: deriving it from the type looks through all conformances of the program, at each start.
COMMAND = re.compile(r"\bCommandConfiguration\((?!\s*commandName:)")
# What compiles and was wrong where it stood, and what is to be done.
DEFECTS = [
    (re.compile(r'(?<!\|)\|(?!\|) [^][(){}|",:]*\^ |\^ [^][(){}|",:]*(?<!\|)\|(?!\|) '),
     "| binds as tightly as ^: say by brackets what comes first"),
    (re.compile(r"\bgetpw(?:uid|nam)\("), "other threads write over the answer: use UserAccount"),
    (re.compile(r"\bmakeReadSource\("), "it can end the process on Linux: use DescriptorWatch"),
    (re.compile(r"\b(?:(?:un)?setenv|putenv|clearenv)\("), "other threads read the environment: set it where the program starts"),
]
# Where it is right: the one watch, which is Dispatch's on Apple's systems; the start of a program.
RIGHT = {"Sources/System/Sockets/DescriptorWatch.swift", "Sources/Programs/casemate-window/WindowEnvironment.swift"}
# Targets in Package.swift: those before the colon of a line of its table, twice where it has tests, and system libraries.
ROW, LIBRARY = re.compile(r"^ {8}(\S[^:\n]*):(.*)", re.M), re.compile(r'[( ]\("C\w+", ')
FILES = "Sources/System/Files/"
# Asks whether Foundation itself could open the source of random numbers: what it must know is what open(2) says.
KEPT = {"Sources/Trust/ForceFieldWorker/ConstantUUID.swift"}
FAMILIES = {
    "System and primitives": ["Sources/System", "Sources/Primitives"], "MainKey": ["MainKey", "HardwareKeys", "mainkey"],
    "Vigil": ["Vigil", "vigil", "CodeMeasurement"], "ForceField": ["ForceField", "forcefield"],
    "App Attest and gate": ["AppAttest", "Gate", "gate", "CertificatePins"],
    "Window": ["Sources/Window", "casemate-window", "Signer/Screens"],
    "Connected side": ["HotSide", "generate-message", "Substrate/RuntimeReader", "Substrate/RuntimeService",
                       "Substrate/RuntimeWorker", "runtime-worker"],
    "Substrate and signer": ["Substrate", "Signer", "casemate", "airgap", "AnimatedCodes", "Console"],
}


def parameters(text, start):
    """The text between the parenthesis at `start` and its partner."""
    depth = 0
    for index in range(start, min(len(text), start + 4000)):
        if text[index] in "([{":
            depth += 1
        elif text[index] in ")]}":
            depth -= 1
            if depth == 0:
                return text[start + 1:index]
    return ""


def parts(text):
    """The text split at the commas that are in no bracket."""
    depth, part, found = 0, "", []
    for index, sign in enumerate(text):
        if sign in "([{<":
            depth += 1
        elif sign in ")]}" or sign == ">" and text[index - 1:index] != "-":
            depth -= 1
        if sign == "," and depth == 0:
            found.append(part)
            part = ""
        else:
            part += sign
    return found + [part] if part.strip() else found


def unlabelled(text):
    """Name, line and the types of unlabelled parameters of each function that has any."""
    for match in FUNCTION.finditer(text):
        line = text[text.rfind("\n", 0, match.start()) + 1:match.start()]
        if "//" in line or match.group("init") and not re.match(r"^\s*(?:@\w+\s+|[\w()]+\s+)*$", line):
            continue
        name = match.group("name") or "init"
        if not re.match(r"\w", name):
            continue
        types = []
        for part in parts(parameters(text, match.end() - 1)):
            parameter = re.match(r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*_\s+\w+\s*:\s*(.*)$", part.strip(), re.S)
            if parameter:
                types.append(re.sub(r"\s+", " ", parameter.group(1).split("=")[0]).strip())
        if types:
            yield name, text.count("\n", 0, match.start()) + 1, types


def swift_files(place):
    return sorted(path for path in (root / place).rglob("*.swift") if ".build" not in str(path))


many, twins, openers, formatters, defects, nameless = [], [], [], [], [], []
public, documented, lines = 0, 0, {}
for path in swift_files("Sources") + swift_files("Conformance"):
    name = str(path.relative_to(root))
    text = path.read_text()
    rows = text.split("\n")
    for function, line, types in unlabelled(text):
        if len(types) >= 3:
            many.append(f"{name}:{line}: {function} takes {len(types)} parameters without a label")
        elif len(types) == 2 and types[0] == types[1]:
            twins.append(f"{name}:{line}: {function} takes two parameters of type {types[0]} without a label")
    if not name.startswith(FILES) and name not in KEPT:
        openers += [f"{name}:{index}: {row.strip()}" for index, row in enumerate(rows, 1)
                    if OPENS.search(row) and not row.strip().startswith("//") and "func " not in row]
    formatters += [f"{name}:{index}: {row.strip()}" for index, row in enumerate(rows, 1)
                   if FORMATS.search(row) and not row.strip().startswith("//")]
    defects += [f"{name}:{index}: {why}" for index, row in enumerate(rows, 1) if not row.strip().startswith("//")
                for defect, why in DEFECTS if defect.search(row) and name not in RIGHT]
    nameless += [f"{name}:{text.count(chr(10), 0, match.start()) + 1}: a command without commandName"
                 for match in COMMAND.finditer(text)]
    inside = []
    for index, row in enumerate(rows):
        if PUBLIC.match(row):
            public += 1
            above = index - 1
            while above >= 0 and rows[above].strip().startswith("@"):
                above -= 1
            documented += rows[above].strip().startswith("///") if above >= 0 else False
    family = next((family for family, marks in FAMILIES.items() if any(mark in name for mark in marks)), "others")
    if name.startswith("Sources/"):
        lines[family] = lines.get(family, 0) + len(rows)

if check:
    problems = many + twins + openers + formatters + defects + nameless
    print(*problems, sep="\n", end="\n" if problems else "")
    sys.exit(1 if problems else 0)

tests = sum(path.read_text().count("\n") for path in swift_files("Tests"))
answers = sum(path.read_text().count("\n") for path in swift_files("Conformance"))
package = (root / "Package.swift").read_text()
table = re.sub(r"\n {9,}", " ", package.partition('let table = """')[2].partition('"""')[0])
libraries = package.partition("let systemLibraries")[2].partition("\n]\n")[0]
targets = sum(len(names.split()) * (2 if "|" in uses else 1) for names, uses in ROW.findall(table)) + len(LIBRARY.findall(libraries))
print("| | |\n|---|---|")
for family in list(FAMILIES) + ["others"]:
    print(f"| {family}: lines | {lines.get(family, 0):,} |")
print(f"| Sources: lines of Swift | {sum(lines.values()):,} |")
print(f"| Conformance, Tests: lines of Swift | {answers:,}, {tests:,} |")
print(f"| targets | {targets} |")
print(f"| public declarations, documented | {public:,}, {100 * documented // max(public, 1)} % |")
print(f"| functions with three or more unlabelled parameters | {len(many)} |")
print(f"| functions with two unlabelled parameters of one type | {len(twins)} |")
print(f"| files outside the room Files that open, rename or lock files | {len({row.split(':')[0] for row in openers})} |")
