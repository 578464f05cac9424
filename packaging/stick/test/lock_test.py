#!/usr/bin/env python3
"""Tests of packaging/stick/builder/debian.py: a lock says of a package what Debian's lists say, whatever lies in the cache."""
import hashlib
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "builder"))
import debian  # noqa: E402
from report import Refusal  # noqa: E402

NAME, VERSION, GENUINE = "busybox-static", "1:1.35.0-4+b1", b"as Debian made it"
WANTED = [(NAME, VERSION)]
FILE = "busybox-static_1%3a1.35.0-4+b1_amd64.deb"


class Locked(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        place = pathlib.Path(self.folder.name)
        self.archive = debian.Archive(place / "work", place / "cache", "/nowhere/sources")
        self.archive.place.mkdir(parents=True)
        self.archive.apt = self.apt
        self.hash = "SHA256:" + hashlib.sha256(GENUINE).hexdigest()

    def apt(self, *arguments, inside=None):
        """What apt-get answers, of one package."""
        if "--print-uris" in arguments:
            return f"Reading package lists...\n'http://nowhere/{FILE}' {FILE} {len(GENUINE)} {self.hash}\n"
        if "download" in arguments:
            (inside / FILE).write_bytes(GENUINE)
        return ""

    def test_what_lies_in_the_cache_is_not_taken_for_the_package(self):
        (self.archive.cache / FILE).write_bytes(b"anything at all")
        with self.assertRaisesRegex(Refusal, "Remove it"):
            self.archive.locked(WANTED, 0)

    def test_the_lock_says_what_the_lists_say(self):
        for content in (None, GENUINE):
            if content:
                (self.archive.cache / FILE).write_bytes(content)
            package, = self.archive.locked(WANTED, 0).packages
            self.assertEqual((package.name, package.version, package.digest), (NAME, VERSION, hashlib.sha256(GENUINE).hexdigest()))

    def test_lists_without_a_sha256_make_no_lock(self):
        self.hash = "MD5Sum:f6f1b0b4181aead8e1a5b1258f63f501"
        with self.assertRaisesRegex(Refusal, NAME):
            self.archive.locked(WANTED, 0)


if __name__ == "__main__":
    unittest.main()
