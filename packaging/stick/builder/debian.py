"""Debian's packages: resolved into a lock, fetched by it, and unpacked into one tree.

The lock names package, version and SHA-256. What is fetched is compared with it, so that neither mirror nor cache is trusted; and what the lock
says is what Debian's signed lists say, not what lies in the cache.
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import tarfile

from report import Refusal, say

ARCHITECTURE = "amd64"
# Never of use in an image that nobody logs into.
LEFT_OUT = ("usr/share/doc/", "usr/share/man/", "usr/share/locale/", "usr/share/info/", "usr/share/lintian/", "usr/share/bug/",
            "usr/include/", "var/", "usr/share/perl/", "usr/lib/debug/")
# Debian keeps these as links into usr.
MERGED = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")


class Package:
    """A package as a lock names it."""

    def __init__(self, name, version, digest):
        self.name, self.version, self.digest = name, version, digest

    @property
    def file(self):
        return f"{self.name}_{self.version.replace(':', '%3a')}_{ARCHITECTURE}.deb"


class Lock:
    """The packages of an image, in a file that is committed."""

    HEADING = "# Written by `make stick-lock`: package, version, SHA-256 of the package's file. An image is built of these files alone.\n"

    def __init__(self, packages, epoch):
        """- epoch: the time that files of the image have, in seconds since 1970."""
        self.packages, self.epoch = sorted(packages, key=lambda package: package.name), epoch

    @classmethod
    def read(cls, path):
        if not path.exists():
            raise Refusal(f"{path} is missing: run make stick-lock")
        rows = [line.split() for line in path.read_text().splitlines() if line.strip() and not line.startswith("#")]
        if not rows or rows[0][0] != "epoch" or not rows[0][1].isdigit():
            raise Refusal(f"{path}: the first line is not 'epoch' and a number")
        epoch = int(rows.pop(0)[1])
        for row in rows:
            if len(row) != 3 or not re.fullmatch(r"[0-9a-f]{64}", row[2]):
                raise Refusal(f"{path}: not 'package version SHA-256': {' '.join(row)}")
        return cls([Package(*row) for row in rows], epoch)

    def write(self, path):
        path.write_text(f"{self.HEADING}epoch {self.epoch}\n" + "".join(f"{p.name} {p.version} {p.digest}\n" for p in self.packages))

    @property
    def key(self):
        text = "".join(f"{p.name} {p.version} {p.digest}\n" for p in self.packages)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


class Archive:
    """Debian's archive as apt sees it, apart from this machine's own packages."""

    def __init__(self, work, cache, sources):
        self.place, self.cache, self.sources, self.is_fresh = work / "apt", cache, sources, False
        cache.mkdir(parents=True, exist_ok=True)

    def apt(self, *arguments, inside=None):
        for folder in ("state/lists/partial", "cache/archives/partial", "preferences"):
            (self.place / folder).mkdir(parents=True, exist_ok=True)
        (self.place / "status").touch()
        options = {
            "Dir::State": self.place / "state", "Dir::State::status": self.place / "status", "Dir::Cache": self.place / "cache",
            "Dir::Etc::sourcelist": self.sources, "Dir::Etc::sourceparts": "/dev/null", "Dir::Etc::preferences": "/dev/null",
            "Dir::Etc::preferencesparts": self.place / "preferences", "APT::Architecture": ARCHITECTURE,
            "APT::Architectures": ARCHITECTURE, "APT::Install-Recommends": "false", "APT::Sandbox::User": "",
            "Acquire::Languages": "none",
        }
        command = ["apt-get", "-q"] + [part for name, value in options.items() for part in ("-o", f"{name}={value}")]
        done = subprocess.run(command + list(arguments), cwd=inside, capture_output=True, text=True)
        if done.returncode != 0:
            raise Refusal(f"apt-get {' '.join(arguments[:4])} failed:\n{done.stderr.strip()[-2000:]}")
        return done.stdout

    def update(self):
        if not self.is_fresh:
            say(f"Reading the lists of {self.sources}")
            self.apt("update")
            self.is_fresh = True

    def resolve(self, names):
        """Names and versions of packages and of all that they depend on."""
        self.update()
        lines = self.apt("install", "--print-uris", "-y", *names).splitlines()
        # 'URI' name_version_architecture.deb size hash
        rows = [re.fullmatch(r"'[^']*' ([^_]+)_([^_]+)_\w+\.deb \d+ .*", line) for line in lines]
        return [(row[1], row[2].replace("%3a", ":")) for row in rows if row]

    def digests(self, wanted):
        """The SHA-256 of packages by name, as the lists say that Debian has signed.

        - wanted: as for fetch.
        """
        self.update()
        lines = self.apt("-o", "Acquire::ForceHash=SHA256", "download", "--print-uris", *[f"{name}={version}" for name, version in wanted])
        rows = [re.fullmatch(r"'[^']*' ([^_]+)_[^_]+_\w+\.deb \d+ SHA256:([0-9a-f]{64})", line) for line in lines.splitlines()]
        digests = {row[1]: row[2] for row in rows if row}
        unknown = [name for name, _ in wanted if name not in digests]
        if unknown:
            raise Refusal(f"The lists of {self.sources} give no SHA-256 of: {' '.join(unknown)}")
        return digests

    def locked(self, wanted, epoch):
        """A lock of packages, whose files are in the cache then.

        - wanted: as for fetch.
        """
        digests = self.digests(wanted)
        lock = Lock([Package(name, version, digests[name]) for name, version in wanted], epoch)
        self.verified(lock)
        return lock

    def fetch(self, wanted):
        """Puts packages into the cache.

        - wanted: pairs of name and version.
        """
        missing = [(name, version) for name, version in wanted if not (self.cache / Package(name, version, "").file).exists()]
        if not missing:
            return
        self.update()
        say(f"Fetching {len(missing)} packages")
        drafts = self.place / "fetched"
        shutil.rmtree(drafts, ignore_errors=True)
        drafts.mkdir()
        try:
            self.apt("download", *[f"{name}={version}" for name, version in missing], inside=drafts)
        except Refusal as refusal:
            raise Refusal(
                f"{refusal}\nWhere the archive has newer versions than the lock, put the files of the old ones into {self.cache}, or take "
                "the new ones: make stick-lock, and read what it changes.") from None
        for file in drafts.iterdir():
            name, version, _ = file.name.split("_")
            file.rename(self.cache / Package(name, version.replace("%3a", ":"), "").file)

    def verified(self, lock):
        """The files of a lock, each compared with its SHA-256."""
        self.fetch([(package.name, package.version) for package in lock.packages])
        files = {}
        for package in lock.packages:
            path = self.cache / package.file
            found = hashlib.sha256(path.read_bytes()).hexdigest()
            if found != package.digest:
                raise Refusal(f"{path} is not the package that is meant: its SHA-256 is {found}, and not {package.digest}. Remove it.")
            files[package.name] = path
        return files


def canonical(name):
    """The path of a member, without its leading dot and below usr."""
    path = os.path.normpath(name).lstrip("/")
    first = path.split("/")[0]
    return "usr/" + path if first in MERGED else path


def unpack(files, tree):
    """Unpacks packages into a tree, and tells which file is of which package.

    Scripts of packages are not run. No file may be of two packages.
    """
    owners = {}
    tree.mkdir(parents=True)
    (tree / "usr").mkdir()
    for name in MERGED[:4]:
        (tree / "usr" / name).mkdir()
        (tree / name).symlink_to("usr/" + name)

    def one(item):
        package, path = item
        mine = []
        with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", path], stdout=subprocess.PIPE) as process:
            with tarfile.open(fileobj=process.stdout, mode="r|") as members:
                for member in members:
                    place = canonical(member.name)
                    if place == "." or (place + "/").startswith(LEFT_OUT) or place.startswith(LEFT_OUT):
                        continue
                    target = tree / place
                    if member.isdir():
                        target.mkdir(parents=True, exist_ok=True)
                        continue
                    target.parent.mkdir(parents=True, exist_ok=True)
                    if member.issym():
                        target.symlink_to(member.linkname)
                    elif member.islnk():
                        os.link(tree / canonical(member.linkname), target)
                    elif member.isfile():
                        with open(target, "xb") as out:
                            shutil.copyfileobj(members.extractfile(member), out)
                        target.chmod(member.mode & 0o777)
                    else:
                        raise Refusal(f"{package} has {member.name}, which is no file, folder or link")
                    mine.append(place)
        if process.returncode != 0:
            raise Refusal(f"{path} cannot be unpacked")
        return package, mine

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for package, places in pool.map(one, files.items()):
            owners.update({place: package for place in places})
    return owners


def unpacked(lock, archive, work):
    """The tree of a lock's packages and the owners of its files; unpacked once."""
    place = work / f"packages-{lock.key}"
    index = place / "owners.json"
    if not index.exists():
        files = archive.verified(lock)
        say(f"Unpacking {len(files)} packages")
        shutil.rmtree(place, ignore_errors=True)
        owners = unpack(files, place / "tree")
        index.write_text(json.dumps(owners, sort_keys=True))
    return place / "tree", json.loads(index.read_text())
