#!/usr/bin/env python3
"""Builds the images of a stick (see docs/stick.md).

usage: build.py build --programs FOLDER --out FOLDER [--kernel debian|own] [--keyboard LAYOUT]
       build.py lock --programs FOLDER       resolve the packages anew, and write packages.lock and root.manifest
       build.py manifest --programs FOLDER   write root.manifest alone: after Casemate's own files or the lists have changed
"""
import argparse
import difflib
import hashlib
import os
import pathlib
import re
import shutil
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True

import debian  # noqa: E402
import disk  # noqa: E402
import elf  # noqa: E402
import initrd  # noqa: E402
import uki  # noqa: E402
from archives import cpio  # noqa: E402
import own_kernel  # noqa: E402
from kernels import DebianKernel, OwnKernel  # noqa: E402
from report import START, Refusal, say  # noqa: E402
from root import Root, listed  # noqa: E402
from tools import LOADER, Tools  # noqa: E402

STICK = HERE.parent
STUB = "usr/lib/systemd/boot/efi/linuxx64.efi.stub"
BLOCK = 4096
# Pages are zeros when they are given and when they are given back, kernel memory cannot be read by the system's own user either, and nothing
# beside the window is written to the screen.
HARDENING = ("lockdown=confidentiality init_on_alloc=1 init_on_free=1 slab_nomerge page_alloc.shuffle=1 vsyscall=none debugfs=off "
             "ipv6.disable=1 quiet loglevel=1 vt.global_cursor_default=0 rd.systemd.show_status=0")


class Builder:
    def __init__(self, options):
        self.options = options
        self.work = pathlib.Path(options.work).resolve()
        self.work.mkdir(parents=True, exist_ok=True)
        self.programs = pathlib.Path(options.programs).resolve()
        self.archive = debian.Archive(self.work, pathlib.Path(options.cache).resolve(), sources(options.sources))
        self.lock_file, self.manifest_file = STICK / "packages.lock", STICK / "root.manifest"

    # Packages

    def named_packages(self):
        lines = (STICK / "packages").read_text().splitlines()
        return sorted({line.strip() for line in lines if line.strip() and line[0] not in "#["})

    def resolve(self):
        """A lock of what is named and all that it depends on."""
        return self.locked(self.archive.resolve(self.named_packages()))

    def locked(self, pairs):
        return self.archive.locked(pairs, int(time.time()))

    def open(self, lock):
        self.lock = lock
        self.epoch = lock.epoch
        self.tree, self.owners = debian.unpacked(lock, self.archive, self.work)
        self.tools = Tools(self.tree, self.epoch)
        if self.options.kernel == "own":
            self.kernel = OwnKernel(*own_kernel.built(
                debian.Lock.read(STICK / "kernel.lock"), STICK / "kernel.config", self.archive, self.work, self.epoch))
        else:
            self.kernel = DebianKernel(self.tree, self.tools, self.tree.parent, STICK / "modules")

    def used(self, root):
        """The packages of which a file is in the image, or builds it."""
        found, _ = elf.closure(self.tree, [*Tools.places(), LOADER, *initrd.PROGRAMS])
        owners = {self.owners[place] for place in found if place in self.owners} | set(root.origins.values())
        return owners | {self.owners[STUB]} | {name for name in self.named_packages() if name.startswith("linux-image-")}

    # The root

    def root(self):
        say("Making the root")
        root = Root(self.work / "root", self.tree, self.owners, self.tools)
        root.add_packages(listed(STICK / "root.paths", self.tree))
        root.add_folder(STICK / "root", "stick")
        root.add_casemate(self.programs)
        root.add_text("etc/casemate-stick", f"KEYBOARD={self.options.keyboard}\n")
        if self.kernel.modules:
            root.add_modules(self.kernel.modules, self.kernel.places)
        root.finish(self.epoch)
        return root

    def manifest(self, root):
        return "".join(line + "\n" for line in [
            "# Written by `make stick-lock`: each file of the root with Debian's kernel, the link that it is, and the package that it is from.",
            *root.manifest()])

    def compare(self, root):
        """Refuses a root that is not the one of the manifest."""
        found, expected = self.manifest(root).splitlines(), self.manifest_file.read_text().splitlines()
        if not self.kernel.modules:
            expected = [line for line in expected if not line.startswith("usr/lib/modules/")]
        if found != expected:
            difference = difflib.unified_diff(expected, found, "root.manifest", "this root", lineterm="", n=0)
            raise Refusal("The root is not what root.manifest lists:\n" + "\n".join(list(difference)[:60])
                          + "\nWhere that is meant: make stick-manifest, and read what it changes.")

    # Images

    def verified(self, root):
        """The root as squashfs with the tree of its hashes behind it; its hash, and what the init has to know."""
        image = self.work / "root.img"
        image.unlink(missing_ok=True)
        say("Packing the root")
        self.tools.run("mksquashfs", root.place, image, "-comp", "zstd", "-Xcompression-level", "15", "-b", "1M", "-all-root", "-no-xattrs",
                       "-noappend", "-no-progress", "-quiet", "-processors", str(os.cpu_count()))
        with open(image, "r+b") as file:
            size = file.seek(0, os.SEEK_END)
            file.truncate(size + -size % BLOCK)
        size = image.stat().st_size
        salt = hashlib.sha256(image.read_bytes()).hexdigest()
        printed = self.tools.run("veritysetup", "format", "--hash=sha256", f"--data-block-size={BLOCK}", f"--hash-block-size={BLOCK}",
                                 f"--salt={salt}", f"--uuid={disk.identity(salt, 'verity')}", f"--hash-offset={size}", image, image)
        found = re.search(r"^Root hash:\s*([0-9a-f]{64})$", printed, re.M)[1]
        blocks = size // BLOCK
        variables = {"PARTITION": f"casemate-{found[:16]}", "SECTORS": size // 512, "BLOCKS": blocks, "TREE": blocks + 1, "SALT": salt}
        return image, found, "".join(f"{name}={value}\n" for name, value in variables.items())

    def command_line(self, root_hash, state):
        return f"casemate.root={root_hash} casemate.state={state} {HARDENING}"

    def unified(self, name, first_files, command_line):
        path = self.out / name
        release = f'ID=casemate\nNAME=Casemate\nPRETTY_NAME="Casemate stick"\nVERSION_ID={self.lock.key}\n'
        path.write_bytes(uki.unified((self.tree / STUB).read_bytes(), [
            (".osrel", release.encode()), (".cmdline", command_line.encode() + b"\0"), (".initrd", first_files), (".linux", self.kernel.image)]))
        return path

    def build(self):
        self.out = pathlib.Path(self.options.out).resolve()
        self.out.mkdir(parents=True, exist_ok=True)
        self.open(debian.Lock.read(self.lock_file))
        root = self.root()
        self.compare(root)
        image, root_hash, verity = self.verified(root)
        say("Making the images")
        shutil.copy(image, self.out / "casemate-root.img")
        first = initrd.initrd(self.work / "initrd", STICK / "initrd/init", self.kernel, self.tree, self.tools, self.epoch, verity)
        in_memory = self.work / "memory"
        shutil.rmtree(in_memory, ignore_errors=True)
        in_memory.mkdir()
        os.link(image, in_memory / "root.img")
        whole = cpio(in_memory, self.epoch)
        kernels = {
            "stick": self.unified("casemate-stick.efi", first, self.command_line(root_hash, "partition")),
            "memory": self.unified("casemate-memory.efi", first + whole, self.command_line(root_hash, "memory")),
        }
        (self.work / "initrd.cpio").unlink()
        for name, kernel in kernels.items():
            esp = self.work / f"firmware-{name}.img"
            disk.firmware(esp, kernel, self.tools, self.epoch, root_hash)
            parts = [("casemate-firmware", esp, "firmware")]
            if name == "stick":
                disk.state(self.work / "state.img", self.tools, root_hash)
                parts += [(f"casemate-{root_hash[:16]}", image, "data"), ("casemate-state", self.work / "state.img", "data")]
            disk.disk(self.out / f"casemate-{name}.img", parts, self.tools, root_hash)
        self.tell(root_hash)

    def tell(self, root_hash):
        rows, names = [], ("casemate-stick.efi", "casemate-memory.efi", "casemate-root.img", "casemate-stick.img", "casemate-memory.img")
        for name in names:
            path = self.out / name
            rows.append((name, path.stat().st_size, hashlib.sha256(path.read_bytes()).hexdigest()))
        (self.out / "SHA256SUMS").write_text("".join(f"{digest}  {name}\n" for name, _, digest in rows))
        (self.out / "root-hash").write_text(root_hash + "\n")
        print(f"\nKernel: Linux {self.kernel.release} ({self.kernel.name}). Root hash, which the signer's self check shows:\n  {root_hash}\n")
        for name, size, digest in rows:
            print(f"  {name:22} {size / (1 << 20):7.1f} MiB  {digest}")
        seconds = time.monotonic() - START
        print(f"""
Built in {seconds:.0f} s, in {self.out}.
Write it to a stick, of which everything is lost:
  dd if={self.out}/casemate-stick.img of=/dev/sdX bs=4M conv=fsync status=progress
Check on another machine what was written: the two hashes above of
  sha256sum /media/…/EFI/BOOT/BOOTX64.EFI                     casemate-stick.efi
  head -c {(self.out / 'casemate-root.img').stat().st_size} /dev/sdX2 | sha256sum             casemate-root.img""")

    def write_lock(self):
        self.open(self.resolve())
        used = self.used(self.root())
        lock = debian.Lock([package for package in self.lock.packages if package.name in used], self.lock.epoch)
        lock.write(self.lock_file)
        say(f"{self.lock_file.name}: {len(lock.packages)} packages of {len(self.lock.packages)}")
        # The own kernel is made of the source of the same version.
        release = re.match(r"\d+\.\d+", self.kernel.release)[0]
        version = next(package.version for package in lock.packages if package.name.startswith("linux-image-"))
        self.locked([(f"linux-source-{release}", version)]).write(STICK / "kernel.lock")
        self.write_manifest()

    def write_manifest(self):
        self.open(debian.Lock.read(self.lock_file))
        self.manifest_file.write_text(self.manifest(self.root()))
        say(f"{self.manifest_file.name} is written")


def sources(named):
    """The file that names Debian's archive: as apt on this machine has it, or STICK_SOURCES."""
    for path in [named] if named else ["/etc/apt/sources.list.d/debian.sources", "/etc/apt/sources.list"]:
        if os.path.exists(path):
            return os.path.abspath(path)
    raise Refusal("No file names Debian's archive: give one of apt's sources for Debian 12 in STICK_SOURCES.")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("build", "lock", "manifest"))
    parser.add_argument("--programs", required=True)
    parser.add_argument("--out", default=".build-stick/images")
    parser.add_argument("--work", default=".build-stick/work")
    parser.add_argument("--cache", default=".build-stick/debs")
    parser.add_argument("--sources")
    parser.add_argument("--kernel", choices=("debian", "own"), default="debian")
    parser.add_argument("--keyboard", default="us")
    options = parser.parse_args()
    # Modes of what is made must not depend on who makes it.
    os.umask(0o022)
    try:
        builder = Builder(options)
        {"build": builder.build, "lock": builder.write_lock, "manifest": builder.write_manifest}[options.command]()
    except Refusal as refusal:
        sys.exit(f"stick: {refusal}")


if __name__ == "__main__":
    main()
