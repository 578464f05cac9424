#!/usr/bin/env python3
"""Boots the images of a stick in virtual machines and holds them to what docs/stick.md says of them. A table comes at the end.

usage: test_stick.py --images FOLDER --programs FOLDER [--kernel debian|own] [--only CASE,CASE] [--cuts 20]
"""
import argparse
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "builder")]
sys.dont_write_bytecode = True

import debian  # noqa: E402
import images  # noqa: E402
import prepare  # noqa: E402
from build import sources  # noqa: E402
from cases import Cases  # noqa: E402
from machine import Failure  # noqa: E402
from modules import Modules  # noqa: E402
from report import Refusal, say  # noqa: E402
from tools import Tools  # noqa: E402

ALL = ("window", "memory", "inside", "signing", "closing", "changed_root", "changed_kernel", "damaged_state", "power_cuts")
# The own kernel has neither a pretended camera nor a serial line, and a picture only where the firmware has made one.
OF_OWN = ("window", "memory", "inside", "changed_kernel", "damaged_state")
KEY, CERTIFICATE = "/usr/share/ovmf/PkKek-1-snakeoil.key", "/usr/share/ovmf/PkKek-1-snakeoil.pem"


class Context:
    """Where everything is that the cases need."""

    verifier = "py-sr25519-bindings"

    def __init__(self, options):
        self.place = pathlib.Path(options.work).resolve() / "test"
        self.place.mkdir(parents=True, exist_ok=True)
        self.images, self.cuts = pathlib.Path(options.images).resolve(), options.cuts
        programs = self.programs = pathlib.Path(options.programs).resolve()
        work = pathlib.Path(options.work).resolve() / "work"
        lock = debian.Lock.read(HERE.parent / "packages.lock")
        archive = debian.Archive(work, pathlib.Path(options.work).resolve() / "debs", sources(options.sources))
        tree, _ = debian.unpacked(lock, archive, work)
        self.tools = Tools(tree, lock.epoch)
        self.stick, self.shipped = self.images / "casemate-stick.img", self.images / "casemate-stick.efi"
        self.memory = self.images / "casemate-memory.img"
        self.root_place = (1 + self._firmware_size()) << 20
        # Where every start reads: the table of the root's files is at its end.
        self.flipped = 4096 * 3
        self.has_modules = options.kernel == "debian"
        modules = Modules(tree, self.tools, tree.parent) if self.has_modules else None
        self.agent = images.with_agent(self.shipped, self.place, tree, modules, lock.epoch)
        self.console = images.with_agent(self.shipped, self.place, tree, modules, lock.epoch, console=True)
        self.along = prepare.disk(self.place, programs, self.tools)
        self.signed = self._signed()
        self.python = self._python()

    def _firmware_size(self):
        size = max(34 << 20, -(-(self.shipped.stat().st_size + (4 << 20)) // (1 << 20)) << 20)
        return size >> 20

    def folder(self, name):
        return str(self.place / name)

    def _signed(self):
        """The kernel image, signed with the key that Debian's firmware for tests trusts."""
        key, signed = self.place / "key.pem", self.place / "signed.efi"
        subprocess.run(["openssl", "rsa", "-in", KEY, "-passin", "pass:snakeoil", "-out", key], check=True, capture_output=True)
        subprocess.run(["sbsign", "--key", key, "--cert", CERTIFICATE, "--output", signed, self.shipped], check=True, capture_output=True)
        return signed

    def _python(self):
        """An interpreter with an implementation of sr25519 that is not ours."""
        place = self.place / "venv"
        if not (place / "bin/python").exists():
            subprocess.run([sys.executable, "-m", "venv", place], check=True)
        subprocess.run([place / "bin/pip", "install", "--quiet", "--disable-pip-version-check", "py-sr25519-bindings"], check=True)
        return place / "bin/python"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--images", default=".build-stick/images")
    parser.add_argument("--programs", required=True)
    parser.add_argument("--work", default=".build-stick")
    parser.add_argument("--sources")
    parser.add_argument("--kernel", choices=("debian", "own"), default="debian", help="what the images were built with")
    parser.add_argument("--only")
    parser.add_argument("--cuts", type=int, default=20)
    options = parser.parse_args()
    os.umask(0o022)
    try:
        context = Context(options)
    except (Refusal, Failure) as error:
        sys.exit(f"stick-test: {error}")
    cases, rows = Cases(context), []
    for name in options.only.split(",") if options.only else ALL if options.kernel == "debian" else OF_OWN:
        case = getattr(cases, name)
        say(f"{name}: {case.__doc__}")
        begin = time.monotonic()
        try:
            result, text = "ok", case()
        except (Failure, Refusal, AssertionError, AttributeError, subprocess.CalledProcessError) as error:
            result, text = "FAILED", f"{error}"
        rows.append((result, case.__doc__, text, time.monotonic() - begin))
        say(f"{name}: {result}: {text}")
    if cases.machine:
        cases.machine.cut()
    print()
    for result, title, text, seconds in rows:
        print(f"{result:6}  {seconds:4.0f} s  {title}\n                {text}")
    print(f"\nRoot hash {(context.images / 'root-hash').read_text().strip()}; {time.strftime('%Y-%m-%d', time.gmtime())}")
    sys.exit(any(result != "ok" for result, *_ in rows))


if __name__ == "__main__":
    main()
