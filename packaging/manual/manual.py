#!/usr/bin/env python3
"""Manual pages of a program, made from its own help.

    manual.py PROGRAM OUT [--date YYYY-MM-DD]

Asks PROGRAM for its help (--experimental-dump-help, which swift-argument-parser answers) and writes pages of section 1, or of the
section that facts.toml names, to the folder OUT. A program of many commands gets a page for each of its commands, so that
'man casemate sign' finds casemate-sign(1); one of few has all of them on one page. What the help does not show is on no page.

What help cannot know stands in facts.toml beside this script: files and further pages.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import time
import tomllib
from pathlib import Path

# More commands than this, and each gets a page of its own.
COMMANDS_ON_ONE_PAGE = 16
# More options than this are not written out in a synopsis.
OPTIONS_IN_SYNOPSIS = 8
# An option that as many commands of one page have is described once.
COMMANDS_THAT_SHARE = 3
# Every command has these, so that pages of commands and parts of a page leave them out.
EVERYWHERE = {"help", "version"}
NOBODYS_HOME = "/home/of-whoever-reads"
# What examples begin with beside the program's own name.
OTHER_BEGINNINGS = ("echo", "sudo", "systemctl")


# --- roff -------------------------------------------------------------------------------------------------------------------


def plain(text):
    """Text as roff takes it: no character of it is a command, and hyphens can be copied into a shell."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    escaped = escaped.replace("^", "\\(ha").replace("~", "\\(ti")
    return re.sub(r"^(?=\.)", r"\\&", escaped, flags=re.MULTILINE)


def bold(text):
    return f"\\fB{plain(text)}\\fR"


def italic(text):
    return f"\\fI{plain(text)}\\fR"


def code(lines):
    return [".PP", ".in +4n", ".EX", *[plain(line) or "\\&" for line in lines], ".EE", ".in"]


# --- what a discussion says -------------------------------------------------------------------------------------------------


def parts(text):
    """The parts of a discussion: (heading, lines). The first has no heading; 'EXIT CODES' begins another."""
    result = [(None, [])]
    previous = ""
    for line in text.split("\n"):
        is_heading = re.match(r"[A-Z]{4,}( |$)", line) and len(line) < 40 and not line.endswith((".", ":")) and not previous.strip()
        if is_heading:
            result.append((line, []))
        else:
            result[-1][1].append(line)
        previous = line
    return result


def groups(lines):
    """Paragraphs as (False, lines), and what is indented as (True, lines)."""
    result = []
    for line in lines:
        if not line.strip():
            result.append(None)
            continue
        # What follows a line that ends in a backslash belongs to it.
        indented = line.startswith("  ")
        if result and result[-1] and result[-1][0] == indented:
            result[-1][1].append(line)
        else:
            result.append((indented, [line]))
    return [group for group in result if group]


def entries(lines):
    """What is indented, as (lines of the term, description): two columns with two blanks between, or one."""
    base = min(len(line) - len(line.lstrip()) for line in lines)
    result = []
    goes_on = False
    for line in lines:
        indent = len(line) - len(line.lstrip())
        text = line.strip()
        if goes_on:
            result[-1][0].append("    " + text)
        elif indent > base and result:
            result[-1][1].append(text)
        else:
            term, *rest = re.split(r"\s{2,}", text, maxsplit=1)
            result.append(([term], rest))
        goes_on = text.endswith("\\")
    return [(term, " ".join(rest)) for term, rest in result]


def is_examples(program, found):
    return any(term[0].split()[0] in (program, *OTHER_BEGINNINGS) for term, _ in found)


def table(found):
    """Entries as paragraphs with a term each; as they are, where none is described."""
    if not any(description for _, description in found):
        return code([line for term, _ in found for line in term])
    result = []
    for term, description in found:
        result += [".TP", bold(term[0])]
        for line in term[1:]:
            result += [".br", bold(line.strip())]
        result.append(plain(description) or "\\&")
    return result


def prose(program, lines, examples=None):
    """Paragraphs and lists. Examples go to the list that is given for them, with the words before them, or stay in place."""
    result = []
    intro = None
    for indented, group in groups(lines):
        if not indented:
            text = " ".join(line.strip() for line in group)
            if intro:
                result += [".PP", plain(intro)]
            intro = text
            continue
        found = entries(group)
        if examples is not None and is_examples(program, found):
            # "First steps:" says nothing below the heading EXAMPLES.
            if intro and intro.startswith("First steps"):
                intro = intro.removeprefix("First steps").lstrip(", ")
                intro = intro[:1].upper() + intro[1:] if len(intro) > 1 else None
            if intro:
                examples += [".PP", plain(intro)]
            examples += table(found)
        else:
            if intro:
                result += [".PP", plain(intro)]
            result += table(found)
        intro = None
    if intro:
        result += [".PP", plain(intro)]
    return result


def exit_codes(lines):
    """The codes as (code, meaning), and what is said of them besides."""
    codes, rest = [], []
    for line in lines:
        for piece in re.split(r"·|\s{2,}(?=\d+\s)", line):
            piece = piece.strip()
            if match := re.match(r"(\d+)\s+(.+)", piece):
                codes.append(match.groups())
            elif piece:
                rest.append(piece)
    return codes, rest


def exit_status(lines):
    codes, rest = exit_codes(lines)
    result = []
    for number, meaning in codes:
        result += [".TP", bold(number), plain(meaning)]
    for line in rest:
        result += [".PP", plain(line)]
    return result


# --- commands ---------------------------------------------------------------------------------------------------------------


class Command:
    def __init__(self, dump, path):
        self.name = dump["commandName"]
        self.path = path + [self.name]
        self.abstract = dump.get("abstract", "").strip()
        self.discussion = dump.get("discussion", "")
        self.arguments = [a for a in dump.get("arguments", []) if a.get("shouldDisplay", True)]
        self.commands = [
            Command(sub, self.path) for sub in dump.get("subcommands", []) if sub.get("shouldDisplay", True) and sub["commandName"] != "help"
        ]

    def everything(self):
        return [self] + [command for child in self.commands for command in child.everything()]

    @property
    def words(self):
        return " ".join(self.path)

    def own_arguments(self, all_of_them):
        return [a for a in self.arguments if all_of_them or a.get("valueName") not in EVERYWHERE]


def names(argument):
    dashes = {"long": "--", "short": "-", "longWithSingleDash": "-"}
    found = [dashes[name["kind"]] + name["name"] for name in argument.get("names", [])]
    return sorted(found, key=lambda name: name.startswith("--"))


def usage(argument):
    """An argument in a synopsis."""
    value = italic(argument.get("valueName", "value"))
    if argument["kind"] == "positional":
        text = value
    else:
        long = argument["preferredName"]
        name = ("--" if long["kind"] == "long" else "-") + long["name"]
        text = bold(name) if argument["kind"] == "flag" else f"{bold(name)} {value}"
    if argument.get("isRepeating"):
        text += " ..."
    return f"[{text}]" if argument.get("isOptional") else text


def synopsis(command):
    words = [bold(command.words)]
    if command.commands:
        words.append(italic("command"))
    own = command.own_arguments(False)
    optional = [a for a in own if a["kind"] != "positional" and a.get("isOptional")]
    if len(optional) > OPTIONS_IN_SYNOPSIS:
        words.append(f"[{italic('options')}]")
        own = [a for a in own if a not in optional]
    words += [usage(a) for a in own]
    return [".PP", " ".join(words)]


def described(argument):
    if argument["kind"] == "positional":
        term = italic(argument.get("valueName", "value"))
    else:
        value = "" if argument["kind"] == "flag" else f" {italic(argument['valueName'])}"
        term = ", ".join(bold(name) + value for name in names(argument))
    text = argument.get("abstract", "").strip()
    if values := [value for value in argument.get("allValues", []) if value not in text]:
        text += f" One of: {', '.join(values)}."
    default = argument.get("defaultValue")
    if default and argument["kind"] != "flag" and default not in text:
        text += f" Without it: {default}."
    result = [".TP", term, plain(text.strip()) or "\\&"]
    for paragraph in argument.get("discussion", "").split("\n\n"):
        if paragraph.strip():
            result += [".IP", plain(" ".join(paragraph.split()))]
    return result


def shared_options(commands):
    """The options that several of the commands of a page have, alike to the letter."""
    seen = []
    for command in commands:
        for argument in command.own_arguments(False) if not command.commands else []:
            if argument["kind"] != "positional":
                seen.append(argument)
    return [argument for index, argument in enumerate(seen) if seen.count(argument) >= COMMANDS_THAT_SHARE and argument not in seen[:index]]


def options(arguments):
    """Arguments in their order; those of a section of the help below its title."""
    result = []
    title = None
    for argument in arguments:
        if argument.get("sectionTitle") != title:
            title = argument.get("sectionTitle")
            if title:
                result += [".PP", f"{bold(title)}:"]
        result += described(argument)
    return result


def section(title, lines):
    return [f".SH {title}", *lines] if lines else []


def nested(program, command, shared):
    """A command as a part of a page, on which the shared options stand by themselves."""
    result = [f".SS {plain(command.words)}", plain(command.abstract)]
    if not command.commands:
        result += synopsis(command)
    result += prose(program, command.discussion.split("\n"))
    own = command.own_arguments(False)
    result += options([a for a in own if a not in shared])
    if also := [bold(names(a)[-1]) for a in own if a in shared]:
        result += [".PP", f"Also {', '.join(also)}: see OPTIONS."]
    for child in command.commands:
        result += nested(program, child, shared)
    return result


# --- pages ------------------------------------------------------------------------------------------------------------------


class Manual:
    def __init__(self, dump, facts, version, date):
        self.root = Command(dump["command"], [])
        self.program = self.root.name
        self.facts = facts.get(self.program, {})
        self.number = self.facts.get("section", 1)
        self.version = version
        self.date = date
        self.is_split = len(self.root.everything()) > COMMANDS_ON_ONE_PAGE

    def reference(self, name):
        return f"{bold(name)}({self.number})"

    def head(self, name, abstract):
        short = abstract.rstrip(".")
        return [
            # As man-pages(7) has it: name, section, date, source, manual.
            f".TH {name.upper()} {self.number} {self.date} \"Casemate {self.version}\" \"Casemate's manual\"",
            ".nr HY 0",
            ".nh",
            ".ad l",
            ".SH NAME",
            f"{plain(name)} \\- {plain(short[:1].lower() + short[1:])}",
        ]

    def files(self):
        result = []
        for path, what in self.facts.get("files", []):
            result += [".TP", italic(path), plain(what)]
        return result

    def see_also(self, more):
        return [", ".join(more + [re.sub(r"(.*)\((\d)\)", r"\\fB\1\\fR(\2)", plain(page)) for page in self.facts.get("see", [])])]

    def whole(self):
        """The page of the program."""
        root = self.root
        examples, further, status = [], [], []
        description = []
        for heading, lines in parts(root.discussion):
            if heading is None:
                description = prose(self.program, lines, examples)
            elif heading == "EXIT CODES":
                status = exit_status(lines)
            else:
                further += section(plain(heading.upper()), prose(self.program, lines))
        shared = [] if self.is_split else shared_options(root.everything())
        commands = []
        for child in root.commands:
            if self.is_split:
                commands += [".TP", self.reference("-".join(child.path)), plain(child.abstract)]
            else:
                commands += nested(self.program, child, shared)
        page = self.head(self.program, root.abstract) + section("SYNOPSIS", synopsis(root))
        page += section("DESCRIPTION", [plain(root.abstract)] + description)
        page += section("COMMANDS", commands) + section("OPTIONS", options(shared + root.own_arguments(True))) + further
        page += section("EXIT STATUS", status) + section("EXAMPLES", examples) + section("FILES", self.files())
        return page + section("SEE ALSO", self.see_also([]))

    def of_command(self, command):
        """The page of one command, with the commands below it."""
        examples = []
        description = prose(self.program, command.discussion.split("\n"), examples)
        page = self.head("-".join(command.path), command.abstract) + section("SYNOPSIS", synopsis(command))
        page += section("DESCRIPTION", [plain(command.abstract)] + description)
        shared = shared_options(command.everything())
        page += section("COMMANDS", [line for child in command.commands for line in nested(self.program, child, shared)])
        page += section("OPTIONS", options(command.own_arguments(False) if not command.commands else shared))
        page += section("EXIT STATUS", [f"Zero if all went well; the other codes are in {self.reference(self.program)}."])
        return page + section("EXAMPLES", examples) + section("SEE ALSO", [self.reference(self.program)])

    def pages(self):
        yield f"{self.program}.{self.number}", self.whole()
        if self.is_split:
            for command in self.root.commands:
                yield f"{'-'.join(command.path)}.{self.number}", self.of_command(command)


def ask(program, *arguments):
    """What a program says of itself to a person of whom nothing is known: defaults in a home are in that of whoever reads."""
    environment = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "HOME": NOBODYS_HOME}
    done = subprocess.run([program, *arguments], check=True, capture_output=True, text=True, timeout=60, env=environment)
    return done.stdout.replace(NOBODYS_HOME.replace("/", "\\/"), "~").replace(NOBODYS_HOME, "~")


def main():
    parser = argparse.ArgumentParser(description="Writes the manual pages of a program from its own help.")
    parser.add_argument("program", help="the built program")
    parser.add_argument("out", type=Path, help="the folder to write to; made if it is missing")
    parser.add_argument("--date", default=time.strftime("%Y-%m-%d", time.gmtime()), help="the date of the pages")
    arguments = parser.parse_args()
    facts = tomllib.loads((Path(__file__).parent / "facts.toml").read_text(encoding="utf-8"))
    dump = json.loads(ask(arguments.program, "--experimental-dump-help"))
    if dump.get("serializationVersion") != 0:
        sys.exit(f"manual.py: {arguments.program} describes itself in a form that is not known here: {dump.get('serializationVersion')}")
    version = ask(arguments.program, "--version").strip()
    arguments.out.mkdir(parents=True, exist_ok=True)
    for name, lines in Manual(dump, facts, version, arguments.date).pages():
        (arguments.out / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
