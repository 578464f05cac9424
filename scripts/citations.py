#!/usr/bin/env python3
"""Finds every citation of a specification, and compares it with the headings of docs/formats/NAME.md; every link of a
document to a file or a heading of this repository; and every code of an error, which docs/formats has to name.

usage: citations.py ROOT     (exit 1 and a line for each citation or link that names nothing, and each code that is
named in one place alone)
"""
import bisect
import functools
import pathlib
import re
import sys
import urllib.parse

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

LINK = re.compile(r"\]\((?!\w+:)<?([^)#>]*)(?:#([^)>]+))?>?\)")
FENCE = re.compile(r"^( *)```.*?^\1```", re.MULTILINE | re.DOTALL)
DOCUMENTS = ("*.md", "docs/**/*.md", "packaging/**/*.md", "Examples/**/*.md", "Sources/**/*.md")


@functools.cache
def anchors(path):
    """The names of a document's headings, as they stand behind the # of a link."""
    names = set()
    for heading in re.findall(r"^#{1,6} +(.+?) *#*$", FENCE.sub("", path.read_text()), re.MULTILINE):
        name = re.sub(r"[^\w\- ]", "", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()).replace(" ", "-")
        names.add(name if name not in names else f"{name}-1")
    return names


for path in sorted({path for pattern in DOCUMENTS for path in root.glob(pattern) if ".build" not in path.as_posix()}):
    text = path.read_text()
    for match in LINK.finditer(FENCE.sub(lambda block: re.sub(r"[^\n]", " ", block[0]), text)):
        target = path.parent / urllib.parse.unquote(match[1]) if match[1] else path
        if not target.exists() or (match[2] and target.suffix == ".md" and match[2] not in anchors(target)):
            print(f"{path.relative_to(root)}:{text.count(chr(10), 0, match.start()) + 1}: nothing is there: {match[0][2:-1]}")
            unknown += 1

# Codes of errors are an interface: what a `code` can be stands in docs/formats, and what the tables list can be one.
CODES = re.compile(r"^( *)(?:public |package )?var code: String \{\n(.*?)^\1\}", re.MULTILINE | re.DOTALL)
CODE_TABLES = {"signer-wire": ("### 8.8 ", "### 9.2 ", "## 11. ")}
formats = {path.stem: path.read_text() for path in (root / "docs" / "formats").glob("*.md")}
documented = set(re.findall(r"\w+(?:\.\w+)*", "\n".join(formats.values())))
sources = {path: path.read_text() for path in sorted((root / "Sources").rglob("*.swift"))}
strings = set(re.findall(r'"(\w+)["(.]', "\n".join(sources.values())))
for path, text in sources.items():
    for _, body in CODES.findall(text):
        for code in re.findall(r'"([A-Z]\w+(?:\.\w+)?)["(]', body):
            if code not in documented:
                print(f"{path.relative_to(root)}: docs/formats names no error {code}")
                unknown += 1
for name, tables in CODE_TABLES.items():
    for heading in tables:
        section = re.split(r"^##", formats[name].split("\n" + heading, 1)[1], maxsplit=1, flags=re.MULTILINE)[0]
        for row in re.findall(r"^\|(.*)\|$", section, re.MULTILINE)[2:]:
            cells = row.split("|")
            codes = re.sub(r"\([^)]*\)", "", cells[-1] if heading.startswith("### 8.8") else cells[0])
            for code in re.findall(r"\b[A-Z]\w+", codes):
                if code not in strings:
                    print(f"docs/formats/{name}.md: no source has the error {code}")
                    unknown += 1
sys.exit(1 if unknown else 0)
