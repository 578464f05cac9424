#!/usr/bin/env python3
"""Counts the files that a reader meets on the four trips through the house (docs/architecture.md).

usage: trips.py ROOT     a line for each trip: files, lines

A trip begins in a file and goes where its functions call: a name leads to all functions of that name in the trip's rooms, if at most two files
have one, and a type that is made leads to its file. So it is a measure of what may be met, alike for every version of the house, and not a
trace of one run.
"""
import collections
import pathlib
import re
import sys

TRIPS = [
    ("a picture to a signature, `casemate sign`",
     "Programs/casemate Programs/InstalledSigner Substrate/Airgap Substrate/AirgapLink Substrate/Substrate Substrate/PictureService"
     " Substrate/PictureWorker Substrate/LinkReading Signer/Signer Signer/SignerCore Signer/Navigator Signer/NetworkDetector"
     " Signer/SeedDraft Signer/SplitBackup Programs/AnimatedCodes Programs/Console", ["casemate/Commands/Sign.swift"]),
    ("one call of ForceField, both sides", "Trust/ForceField Trust/ForceFieldWire Trust/ForceFieldWorker",
     ["ForceField/Field/ForceField.swift:call", "Execution/RunLoop.swift"]),
    ("an upgrade with an assertion", "Gate/Gate Gate/GateRules Gate/GateServer Gate/GateStores Trust/AppAttest",
     ["HTTP/AppRequestHandler.swift", "HTTP/AppSite.swift"]),
    ("one validation of Vigil, both sides", "Trust/Vigil Trust/VigilValidator",
     ["Client/ValidationClient.swift:validate", "VigilValidator/ValidatorConnection.swift"]),
]
# What other systems and the fuzzer run.
LEFT_OUT = re.compile(r"/(?:Apple|SecureEnclave|Fuzzing)/")
FUNCTION = re.compile(r"\b(?:func\s+(\w+)|(init)[?!]?\s*(?:<[^>]*>)?\(|(?:var|let)\s+(\w+)[^\n=]*\{\s*$)")
TYPE = re.compile(r"\b(?:struct|class|enum|actor|protocol|extension)\s+([A-Z]\w*)[^\n]*\{")
OWN_TYPE = re.compile(r"^\s*(?:\w+ )*(?:struct|class|enum|actor)\s+([A-Z]\w*)", re.M)
Function = collections.namedtuple("Function", "file name maker text")


def code(text):
    """The text without comments, and of strings what is put into them."""
    text = re.sub(r'"""[\s\S]*?"""', '""', re.sub(r"//[^\n]*", "", text))
    return re.sub(r'"(?:\\.|[^"\\\n])*"', lambda string: " ".join(re.findall(r"\\\(([^)]*)\)", string.group())), text)


def functions(file):
    """The functions of a file, those within others with the outer one; `maker` is the type that an initialiser makes."""
    depth, types, open_, start = 0, [], None, 0
    for line in code(file.read_text()).split("\n"):
        if found := TYPE.search(line):
            types.append((depth, found.group(1)))
        if open_ is None and (found := FUNCTION.search(line)):
            open_, start = [found.group(1) or found.group(3), types[-1][1] if types and found.group(2) else None, []], depth
        if open_ is not None:
            open_[2].append(line)
        depth += line.count("{") - line.count("}")
        if open_ is not None and depth <= start and (not line.strip() or any("{" in each for each in open_[2])):
            yield Function(file, open_[0], open_[1], "\n".join(open_[2]))
            open_ = None
        while types and depth <= types[-1][0]:
            types.pop()


def reached(sources, rooms, starts):
    files = [file for room in rooms.split() for file in sorted((sources / room).rglob("*.swift")) if not LEFT_OUT.search(str(file))]
    every = [function for file in files for function in functions(file)]
    named, makers, owners = (collections.defaultdict(list) for _ in range(3))
    for function in every:
        (makers[function.maker] if function.maker else named[function.name]).append(function)
    for file in files:
        for name in set(OWN_TYPE.findall(file.read_text())):
            owners[name].append(file)
    waiting = [function for start in starts for function in every if str(function.file).endswith(start.split(":")[0])
               and (":" not in start or function.name == start.split(":")[1])]
    seen, met = set(), set()
    while waiting:
        function = waiting.pop()
        if function in seen:
            continue
        seen.add(function)
        met.add(function.file)
        for word in set(re.findall(r"\b[A-Za-z_]\w*", function.text)):
            if len({each.file for each in named.get(word, [])}) in (1, 2):
                waiting += named[word]
            if len(owners.get(word, [])) == 1 and re.search(rf"\b{word}\s*\(", function.text):
                met.add(owners[word][0])
                waiting += makers.get(word, [])
    return met


sources = pathlib.Path(sys.argv[1]) / "Sources"
for trip, rooms, starts in TRIPS:
    met = reached(sources, rooms, starts)
    print(f"{trip}: {len(met)} files, {sum(file.read_text().count(chr(10)) for file in met):,} lines")
