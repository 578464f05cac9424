#!/usr/bin/env python3
"""Finds every citation of a specification, and compares it with the headings of docs/formats/NAME.md.

usage: citations.py ROOT     (exit 1 and a line for each citation that names no heading)
"""
import bisect
import functools
import pathlib
import re
import sys

FOLDERS = ("Sources", "Tests", "Fuzz", "Benchmarks", "Conformance", "docs")
NAMES = ("vigil", "forcefield", "mainkey", "appattest-gate", "signer-wire", "signer-product", "signer-face", "substrate-crypto", "raptorq-qr")

# A citation may go on in the next line of a comment.
GAP = r"[\s/#*]+"
NUMBER = r"(?:\d+(?:\.\d+)*|[Aa]ppendix [A-Z])(?![\w-])"
# After a number: a remark in parentheses, and what leads to the next number.
NEXT = rf"(?:{GAP}\([^()]*\))?(?:,?{GAP}(?:and|to|or){GAP}|,{GAP})"
NUMBERS = rf"({NUMBER}(?:{NEXT}{NUMBER})*)"
NAMED = "|".join(NAMES)
CITATION = re.compile(
    # `vigil` section 7.8; `raptorq-qr` sections 10.1 and appendix A; `substrate-crypto` 6.4
    rf"(?:`({NAMED})`|(?<![\w/-])({NAMED})(?={GAP}section))(?:{GAP}sections?)?{GAP}{NUMBERS}"
    # Vigil specification, 3.6; Vigil specification, section 3; Vigil specification, end of 3.3
    rf"|(?<![\w-])({NAMED}){GAP}specification,?{GAP}(?:sections?{GAP})?(?:end{GAP}of{GAP})?{NUMBERS}",
    re.IGNORECASE)
HEADING = re.compile(r"^#{2,} +(\d+(?:\.\d+)*|appendix [a-z])\b", re.IGNORECASE | re.MULTILINE)

root = pathlib.Path(sys.argv[1])


@functools.cache
def headings(name):
    path = root / "docs" / "formats" / f"{name}.md"
    return {heading.lower() for heading in HEADING.findall(path.read_text())} if path.exists() else set()


def texts():
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if ".build" in path.parts or not path.is_file():
                continue
            try:
                yield path, path.read_text()
            except UnicodeDecodeError:
                continue


def citations(text):
    """Gives (name, number, offset) of each section that the text cites."""
    for match in CITATION.finditer(text):
        name = match[1] or match[2] or match[4]
        group = 3 if match[3] else 5
        for number in re.finditer(NUMBER, re.sub(r"\([^()]*\)", lambda remark: " " * len(remark[0]), match[group])):
            yield name.lower(), number[0], match.start(group) + number.start()


unknown = 0
for path, text in texts():
    starts = [0] + [end.end() for end in re.finditer("\n", text)]
    for name, number, offset in citations(text):
        if number.lower() not in headings(name):
            line = bisect.bisect_right(starts, offset)
            print(f"{path.relative_to(root)}:{line}: docs/formats/{name}.md has no section {number}")
            unknown += 1
sys.exit(1 if unknown else 0)
