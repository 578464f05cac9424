#!/usr/bin/env python3
"""Writes Debian's changelog of a package from CHANGELOG.md: the newest part of it, as one entry.

    changelog.py CHANGELOG.md --version VERSION --date SECONDS --maintainer 'NAME <ADDRESS>'
"""

import argparse
import re
import textwrap
from email.utils import formatdate
from pathlib import Path

WIDTH = 78


def items(text):
    """The newest part as (title, items): a line that begins with '- ', and those indented below it."""
    newest = re.split(r"^## .*$", text, flags=re.MULTILINE)[1]
    for part in re.split(r"^### ", newest, flags=re.MULTILINE)[1:]:
        title, _, body = part.partition("\n")
        yield title.strip(), [" ".join(item.split()) for item in re.split(r"^- ", body, flags=re.MULTILINE)[1:]]


def entry(text, version, date, maintainer):
    lines = [f"casemate ({version}) unstable; urgency=medium", ""]
    for title, found in items(text):
        lines.append(f"  [ {title} ]")
        for item in found:
            # Emphasis and code are for Markdown; text is all that is wanted here.
            plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", item).replace("**", "").replace("`", "")
            lines += textwrap.wrap(plain, WIDTH, initial_indent="  * ", subsequent_indent="    ", break_on_hyphens=False)
        lines.append("")
    return "\n".join(lines + [f" -- {maintainer}  {formatdate(date)}", ""])


def main():
    parser = argparse.ArgumentParser(description="Writes Debian's changelog from CHANGELOG.md.")
    parser.add_argument("changelog", type=Path)
    parser.add_argument("--version", required=True)
    parser.add_argument("--date", required=True, type=int, help="seconds since 1970")
    parser.add_argument("--maintainer", required=True)
    arguments = parser.parse_args()
    text = arguments.changelog.read_text(encoding="utf-8")
    print(entry(text, arguments.version, arguments.date, arguments.maintainer))


if __name__ == "__main__":
    main()
