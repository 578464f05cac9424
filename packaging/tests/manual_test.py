#!/usr/bin/env python3
"""Tests of packaging/manual/manual.py: what becomes of a program's description of itself."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "manual"))
import manual

DISCUSSION = """\
First steps:
  tool make it            makes it
  tool make it --twice
                          the same, twice
  tool make it \\
      --then other

It takes what is there.

One set flag says what a command does:
  -f   files; nobody is asked

ENVIRONMENT
  TOOL_DIR     the folder

EXIT CODES
0 done · 1 failed, or
  2 refused              64 usage
With --json one object is printed."""


def option(name, **more):
    names = [{"kind": "long", "name": name}]
    return {"kind": "option", "names": names, "preferredName": names[0], "valueName": name, "isOptional": True, "shouldDisplay": True} | more


def command(name, *subcommands, **more):
    return {"commandName": name, "subcommands": list(subcommands), "arguments": [], "shouldDisplay": True, "abstract": f"Does {name}."} | more


def pages(root, facts=None):
    made = manual.Manual({"command": root}, facts or {}, "1.0", "2026-01-01")
    return {name: "\n".join(lines) + "\n" for name, lines in made.pages()}


def shown(page):
    """The page as man shows it; what troff has to say about it is a failure."""
    with tempfile.NamedTemporaryFile("w", suffix=".1") as file:
        file.write(page)
        file.flush()
        done = subprocess.run(
            ["man", "--warnings", "--encoding=UTF-8", "--local-file", file.name], capture_output=True, text=True,
            env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "MANWIDTH": "100", "MANPAGER": "cat", "MAN_KEEP_FORMATTING": ""}, check=False)
    assert not done.stderr, done.stderr
    return done.stdout


def part(page, title):
    return page.split(f".SH {title}\n")[1].split("\n.SH ")[0]


class Pages(unittest.TestCase):
    def page(self):
        return pages(command("tool", command("make"), discussion=DISCUSSION))["tool.1"]

    def test_exit_codes_are_a_list_however_they_are_set(self):
        text = part(self.page(), "EXIT STATUS")
        self.assertEqual([line for line in text.split("\n") if line.startswith("\\fB")], ["\\fB0\\fR", "\\fB1\\fR", "\\fB2\\fR", "\\fB64\\fR"])
        self.assertIn("With \\-\\-json one object is printed.", text)

    def test_first_steps_are_examples_with_their_remarks_and_whole_lines(self):
        text = part(self.page(), "EXAMPLES")
        self.assertIn("\\fBtool make it\\fR\nmakes it", text)
        self.assertIn("\\fBtool make it \\-\\-twice\\fR\nthe same, twice", text)
        self.assertIn("\\fBtool make it \\e\\fR\n.br\n\\fB\\-\\-then other\\fR", text)
        self.assertNotIn("First steps", self.page())

    def test_what_is_no_example_stays_where_it_is_said(self):
        self.assertIn("\\fB\\-f\\fR\nfiles; nobody is asked", part(self.page(), "DESCRIPTION"))
        self.assertIn("\\fBTOOL_DIR\\fR\nthe folder", part(self.page(), "ENVIRONMENT"))

    def test_hidden_commands_and_options_are_on_no_page(self):
        root = command(
            "tool", command("secretcommand", shouldDisplay=False), command("make"), command("help"),
            arguments=[option("secretoption", shouldDisplay=False), option("out", abstract="Where to.")])
        text = "".join(pages(root).values())
        self.assertNotIn("secret", text)
        self.assertNotIn("tool help", text)
        self.assertIn("\\fB\\-\\-out\\fR \\fIout\\fR", text)

    def test_many_commands_get_a_page_each_and_few_have_none(self):
        many = command("tool", *[command(f"do{number}") for number in range(manual.COMMANDS_ON_ONE_PAGE + 1)])
        self.assertIn("tool-do3.1", pages(many))
        self.assertEqual(list(pages(command("tool", command("make")))), ["tool.1"])

    def test_an_option_of_many_commands_is_described_once(self):
        shared = option("vault", abstract="The folder.")
        page = pages(command("tool", *[command(f"do{number}", arguments=[shared]) for number in range(3)]))["tool.1"]
        self.assertEqual(page.count("The folder."), 1)
        self.assertEqual(page.count("Also \\fB\\-\\-vault\\fR"), 3)

    def test_no_text_is_a_command_of_roff(self):
        root = command("tool", abstract="Does it.", discussion=".so /etc/passwd\n\n'tis \\fBnot\\fR bold, and a-b ~ ^ `c`")
        text = shown(pages(root)["tool.1"])
        self.assertIn(".so /etc/passwd", text)
        self.assertIn("'tis \\fBnot\\fR bold, and a-b ~ ^ `c`", text)

    def test_a_default_in_a_home_is_in_the_readers(self):
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "tool"
            program.write_text('#!/bin/sh\nprintf \'"%s/.local" "%s"\' "$HOME" "$(printf %s "$HOME" | sed "s|/|\\\\\\\\/|g")"\n')
            program.chmod(0o755)
            self.assertEqual(manual.ask(str(program)), '"~/.local" "~"')

    def test_facts_add_files_and_the_section(self):
        facts = {"tool": {"section": 8, "files": [["/etc/tool", "The settings."]], "see": ["other(5)"]}}
        page = pages(command("tool"), facts)["tool.8"]
        self.assertIn("\\fI/etc/tool\\fR\nThe settings.", part(page, "FILES"))
        self.assertIn("\\fBother\\fR(5)", part(page, "SEE ALSO"))


if __name__ == "__main__":
    unittest.main()
