"""Modules of Debian's kernel: those of a list, with what they depend on, and none that reaches out of the machine."""
import fnmatch
import lzma
import os
import pathlib
import re
import shutil

from report import Refusal

# By place or by name: networks, radios, and buses over which a device reads the machine's memory.
REFUSED = re.compile(r"(^|/)(net|bluetooth|nfc|wireless|wwan|firewire|thunderbolt|infiniband|vhost|can|rxrpc)(/|$)|(^|[-_/])(rfkill|tun|ppp|usbnet)[^/]*$")


def read_list(path):
    """Names by section."""
    sections, section = {}, None
    for line in path.read_text().splitlines():
        line = line.strip()
        if line.startswith("["):
            section = sections.setdefault(line.strip("[]"), [])
        elif line and not line.startswith("#"):
            section.append(line)
    return sections


class Modules:
    """- tree: where packages were unpacked; it holds one kernel."""

    def __init__(self, tree, tools, work):
        self.tree, self.tools = tree, tools
        self.release = os.listdir(tree / "usr/lib/modules")[0]
        self.base = work / "depmod"
        self.source = tree / "usr/lib/modules" / self.release
        if not self.base.exists():
            # Beside the tree, which stays as it was unpacked.
            place = self.base / "lib/modules" / self.release
            place.mkdir(parents=True)
            (place / "kernel").symlink_to(self.source / "kernel")
            for name in ("modules.builtin", "modules.builtin.modinfo", "modules.order"):
                shutil.copy(self.source / name, place)
            tools.run("depmod", "-b", self.base, self.release)
        self.all = sorted(str(path.relative_to(self.source)) for path in (self.source / "kernel").rglob("*.ko.xz"))
        self.names = {os.path.basename(place)[:-len(".ko.xz")].replace("_", "-"): place for place in self.all}

    def wanted(self, patterns):
        """Modules by name, in the order in which they can be loaded, with what they depend on."""
        names = []
        for pattern in patterns:
            found = sorted(fnmatch.filter(self.names, pattern.replace("_", "-")))
            if not found and not self._is_built_in(pattern):
                raise Refusal(f"the kernel {self.release} has no module {pattern}")
            names += found
        lines = self.tools.run("modprobe", "-d", self.base, "-S", self.release, "--show-depends", "-a", *names).splitlines()
        places = []
        for line in lines:
            word, _, path = line.strip().partition(" ")
            if word != "insmod":
                continue
            place = str(pathlib.Path(path.strip()).relative_to(self.base / "lib/modules" / self.release))
            if REFUSED.search(place[:-len(".ko.xz")].replace("kernel/drivers/", "").replace("kernel/", "")):
                raise Refusal(f"{place} is a module by which a machine is reached: it must not be in the image")
            if place not in places:
                places.append(place)
        return places

    def _is_built_in(self, name):
        built_in = (self.source / "modules.builtin").read_text().replace("_", "-")
        return f"/{name.replace('_', '-')}.ko\n" in built_in

    def copy(self, place, folder):
        """Puts a module below a folder, unpacked: its signature is kept, and the image is compressed as a whole."""
        target = folder / place[:-len(".xz")]
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(lzma.decompress((self.source / place).read_bytes()))
        return target
