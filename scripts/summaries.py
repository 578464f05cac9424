#!/usr/bin/env python3
"""Finds doc comments in Sources and Tests that begin with "Of" or "That" or say no more than the declaration, and comment
lines of more than 120 columns.

usage: summaries.py ROOT     (exit 1 and a line for each)

The first line of a doc comment is read alone, in lists and in completions: it names the thing or says what it does. What the
declaration says by itself, "The key." of a `key`, is left out, or says what nobody sees: a unit, a range, when it is nil.
"""
import pathlib
import re
import sys

FOLDERS = ("Sources", "Tests", "Conformance")
COLUMNS = 120

DOC = re.compile(r"\s*///(?!/)")
COMMENT = re.compile(r"\s*//|.*\s//\s")
FRAGMENT = re.compile(r"\s*///\s*(Of|That)\b")
# An article and one or two words; cases of enums need a comment each where their neighbours do.
BARE = re.compile(r"\s*/// (?:The|A|An|Its|Their) (\w+)(?: (\w+))?\.$")
CASE = re.compile(r"\s*(?:indirect )?case\b")

root = pathlib.Path(sys.argv[1])


def objections(path):
    """Gives (line, text) of each line that does not hold."""
    isInside = False
    lines = path.read_text().split("\n")
    for number, (line, below) in enumerate(zip(lines, lines[1:] + [""]), 1):
        isDoc = DOC.match(line) is not None
        fragment = FRAGMENT.match(line)
        if fragment and not isInside:
            yield number, f"a summary does not begin with \"{fragment[1]}\": name the thing or say what it does"
        bare = BARE.match(line)
        if bare and not isInside and not DOC.match(below) and not CASE.match(below):
            said = [word for word in bare.groups() if word and word.lower().rstrip("s") in below.lower()]
            if said:
                yield number, f"the declaration says \"{said[0]}\" itself: say what it does not"
        if len(line) > COLUMNS and COMMENT.match(line):
            yield number, f"a comment has {len(line)} columns, and {COLUMNS} are the most"
        isInside = isDoc


found = 0
for path in sorted(path for folder in FOLDERS for path in (root / folder).rglob("*.swift")):
    for number, text in objections(path):
        print(f"{path.relative_to(root).as_posix()}:{number}: {text}")
        found += 1
sys.exit(1 if found else 0)
