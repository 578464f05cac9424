"""Programs of the lock's packages, run from where they were unpacked: what is installed on this machine has no say in the image."""
import os
import subprocess

import elf
from report import Refusal

LOADER = "usr/lib64/ld-linux-x86-64.so.2"
PROGRAMS = {
    "debugfs": "usr/sbin/debugfs", "e2fsck": "usr/sbin/e2fsck",
    "glib-compile-schemas": "usr/lib/x86_64-linux-gnu/glib-2.0/glib-compile-schemas",
    "mcopy": "usr/bin/mtools", "mmd": "usr/bin/mtools",
    "mke2fs": "usr/sbin/mke2fs", "mkfs.fat": "usr/sbin/mkfs.fat", "mksquashfs": "usr/bin/mksquashfs",
    "modprobe": "usr/bin/kmod", "depmod": "usr/bin/kmod", "sgdisk": "usr/sbin/sgdisk", "strip": "usr/bin/x86_64-linux-gnu-strip",
    "veritysetup": "usr/sbin/veritysetup", "zstd": "usr/bin/zstd",
}


class Tools:
    """- tree: where packages were unpacked."""

    def __init__(self, tree, epoch):
        self.tree = tree
        self.environment = {
            "PATH": "/nonexistent", "LC_ALL": "C", "TZ": "UTC", "SOURCE_DATE_EPOCH": str(epoch), "E2FSPROGS_FAKE_TIME": str(epoch),
            "MTOOLSRC": "/dev/null", "MTOOLS_SKIP_CHECK": "1", "MKE2FS_CONFIG": "/dev/null",
        }

    def run(self, name, *arguments, statuses=(0,), **more):
        """Runs a program; what it prints is returned.

        - statuses: with which it may end.
        - more: variables for it.
        """
        libraries = ":".join(str(self.tree / folder) for folder in elf.LIBRARIES)
        # By its first name: programs of several names tell by it which they are.
        command = [self.tree / LOADER, "--argv0", name, "--library-path", libraries, self.tree / PROGRAMS[name], *arguments]
        done = subprocess.run(
            [str(part) for part in command], env={**self.environment, **more}, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if done.returncode not in statuses:
            raise Refusal(f"{name} {' '.join(str(part) for part in arguments)} failed ({done.returncode}):\n{(done.stdout + done.stderr)[-2000:]}")
        return done.stdout

    @staticmethod
    def places():
        return set(PROGRAMS.values())
