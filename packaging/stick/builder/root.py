"""The root: files of Debian's packages by a list, Casemate's programs, and what is committed beside it. Nothing else."""
import os
import shutil
import stat

import elf
from modules import Modules, read_list
from report import Refusal

FOLDERS = ("dev", "proc", "run", "state", "sys", "tmp", "usr/bin", "usr/sbin", "usr/lib", "usr/lib64", "var")
LINKS = {
    "bin": "usr/bin", "sbin": "usr/sbin", "lib": "usr/lib", "lib64": "usr/lib64", "etc/mtab": "/proc/mounts", "usr/sbin/init": "../bin/busybox",
    "usr/bin/Xwayland": "false", "usr/sbin/modprobe": "../bin/busybox",
}
PROGRAMS = ("casemate-window", "casemate-worker")
CASEMATE = "usr/lib/casemate"


def listed(path, tree):
    """The places that a list names, folders taken apart."""
    places = []
    for line in path.read_text().splitlines():
        line = line.split("#")[0].strip()
        if not line:
            continue
        found = sorted(tree.glob(line))
        if not found:
            raise Refusal(f"{path.name}: {line} is in no package of the lock")
        for one in found:
            if one.is_dir() and not one.is_symlink():
                places += [str(inner.relative_to(tree)) for inner in sorted(one.rglob("*")) if inner.is_symlink() or not inner.is_dir()]
            else:
                places.append(str(one.relative_to(tree)))
    return places


class Root:
    """A root in a folder, and where each of its files is from.

    - place: the folder, made anew.
    """

    def __init__(self, place, tree, owners, tools):
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        self.place, self.tree, self.owners, self.tools, self.origins = place, tree, owners, tools, {}
        for folder in FOLDERS:
            (place / folder).mkdir(parents=True, exist_ok=True)
        for link, target in LINKS.items():
            (place / link).parent.mkdir(parents=True, exist_ok=True)
            (place / link).symlink_to(target)
            self.origins[link] = "stick"

    def add_packages(self, places):
        """Adds files of packages with the libraries that they need."""
        found, missing = elf.closure(self.tree, places)
        if missing:
            raise Refusal("\n".join(f"{place} needs {library}, which is in no package of the lock" for place, library in missing))
        for place in sorted(found):
            target = self.place / place
            if place in self.origins or (self.tree / place).is_dir():
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(self.tree / place, target, follow_symlinks=False)
            self.origins[place] = self.owners[place]

    def add_folder(self, folder, origin):
        """Adds files as they lie in a folder."""
        for path in sorted(folder.rglob("*")):
            place = str(path.relative_to(folder))
            if path.is_dir() and not path.is_symlink():
                (self.place / place).mkdir(parents=True, exist_ok=True)
            else:
                (self.place / place).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(path, self.place / place, follow_symlinks=False)
                self.origins[place] = origin

    def add_text(self, place, text):
        (self.place / place).write_text(text)
        self.origins[place] = "made"

    def add_casemate(self, programs):
        """Adds the signer's programs without what only a debugger reads, and the libraries that they need."""
        target = self.place / CASEMATE
        target.mkdir(parents=True)
        for name in PROGRAMS:
            if not (programs / name).exists():
                raise Refusal(f"{programs / name} is missing: make build, or name the folder of built programs in STICK_PROGRAMS")
            shutil.copy(programs / name, target / name)
            self.tools.run("strip", target / name)
            (target / name).chmod(0o755)
            self.origins[f"{CASEMATE}/{name}"] = "casemate"
            needs = elf.Needs(target / name)
            libraries = [self._library(library, name) for library in needs.libraries]
            self.add_packages(libraries + [elf.canonical_loader(needs.loader)] if needs.loader else libraries)

    def _library(self, name, program):
        for folder in elf.LIBRARIES:
            if elf.resolved(self.tree, f"{folder}/{name}")[0]:
                return f"{folder}/{name}"
        if name.startswith("libswift"):
            raise Refusal(f"{program} takes Swift's libraries from where Swift is installed: build with --static-swift-stdlib (make build)")
        raise Refusal(f"{program} needs {name}, which is in no package of the lock")

    def add_modules(self, modules, places):
        base = self.place / "usr/lib/modules" / modules.release
        for place in places:
            modules.copy(place, base)
            self.origins[f"usr/lib/modules/{modules.release}/{place[:-len('.xz')]}"] = modules_owner(self.owners, modules.release)
        for name in ("modules.builtin", "modules.builtin.modinfo", "modules.order"):
            shutil.copy(modules.source / name, base)
        self.tools.run("depmod", "-b", self.place, modules.release)
        for path in base.glob("modules.*"):
            self.origins[str(path.relative_to(self.place))] = "made"

    def finish(self, epoch):
        """Makes what is made of the files that are there, sets who may do what, and the time of all.

        - epoch: the time, in seconds since 1970. Files have that of a package or of a checkout before, which differs from one to the next.
        """
        schemas = self.place / "usr/share/glib-2.0/schemas"
        self.tools.run("glib-compile-schemas", schemas)
        self.origins["usr/share/glib-2.0/schemas/gschemas.compiled"] = "made"
        for path in self.place.rglob("*"):
            if path.is_symlink():
                continue
            if path.is_dir():
                path.chmod(0o755)
            else:
                path.chmod(0o755 if path.stat().st_mode & stat.S_IXUSR else 0o644)
        # Nobody but the system itself has a shell.
        (self.place / "usr/bin/busybox").chmod(0o700)
        for path in (self.place, *self.place.rglob("*")):
            os.utime(path, (epoch, epoch), follow_symlinks=False)

    def manifest(self):
        """A line for each file: mode, place, where it leads to, where it is from."""
        lines = []
        for path in sorted(self.place.rglob("*"), key=lambda path: str(path.relative_to(self.place))):
            place = str(path.relative_to(self.place))
            mode = stat.filemode(path.lstat().st_mode)
            if path.is_symlink():
                lines.append(f"{place} -> {os.readlink(path)}  {self.origins[place]}")
            elif path.is_dir():
                continue
            else:
                lines.append(f"{place}  {self.origins[place]}{'' if mode in ('-rw-r--r--', '-rwxr-xr-x') else '  ' + mode}"
                             f"{'  program' if mode == '-rwxr-xr-x' else ''}")
        return lines


def modules_owner(owners, release):
    return owners[f"usr/lib/modules/{release}/modules.builtin"]
