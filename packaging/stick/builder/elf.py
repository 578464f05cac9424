"""What programs and libraries need of other libraries."""
import json
import pathlib
import struct

MAGIC = b"\x7fELF\x02\x01"
LIBRARIES = ("usr/lib/x86_64-linux-gnu", "usr/lib64", "usr/lib")
DYNAMIC, INTERPRETER, LOADED, NOTE = 2, 3, 1, 4
# <https://uapi-group.org/specifications/specs/elf_dlopen_metadata/>
OPENED_LATER = (b"FDO\0", 0x407c0c0a)
NEEDED, STRINGS, RUNPATHS = 1, 5, (15, 29)


class Needs:
    """The loader, the libraries by name (with those that the file says it opens later) and the folders in which it looks for them.

    Empty for what is no such file.
    """

    def __init__(self, path):
        self.loader, self.libraries, self.folders = None, [], []
        with open(path, "rb") as file:
            if file.read(len(MAGIC)) != MAGIC:
                return
            file.seek(0)
            self._read(file.read())

    def _read(self, data):
        table, = struct.unpack_from("<Q", data, 32)
        size, count = struct.unpack_from("<HH", data, 54)
        segments = [struct.unpack_from("<IIQQQQ", data, table + size * index) for index in range(count)]
        later = []

        def place(address):
            return next(offset + address - start for kind, _, offset, start, _, length in segments
                        if kind == LOADED and start <= address < start + length)

        for kind, _, offset, _, _, length in segments:
            if kind == INTERPRETER:
                self.loader = data[offset:offset + length].rstrip(b"\0").decode()
            if kind == NOTE:
                later += opened_later(data[offset:offset + length])
            if kind == DYNAMIC:
                tags = list(struct.iter_unpack("<QQ", data[offset:offset + length]))
                strings = next((place(value) for tag, value in tags if tag == STRINGS), None)

                def text(at):
                    return data[strings + at:data.index(b"\0", strings + at)].decode()

                self.libraries = [text(value) for tag, value in tags if tag == NEEDED]
                self.folders = [part for tag, value in tags if tag in RUNPATHS for part in text(value).split(":")]
        self.libraries += later


def opened_later(notes):
    """The names in notes, whose words have four bytes."""
    names, position = [], 0
    while position + 12 <= len(notes):
        owner, content, kind = struct.unpack_from("<III", notes, position)
        start = position + 12 + (owner + 3) // 4 * 4
        if (notes[position + 12:position + 12 + owner], kind) == OPENED_LATER:
            names += [name for each in json.loads(notes[start:start + content].rstrip(b"\0")) for name in each["soname"]]
        position = start + (content + 3) // 4 * 4
    return names


def resolved(tree, place):
    """The path in a tree that a path leads to, and the links on the way; None where there is nothing.

    - tree: where packages were unpacked.
    - place: relative to it, below usr.
    """
    links = []
    for _ in range(16):
        path = tree / place
        if not path.is_symlink():
            return (place if path.exists() else None), links
        links.append(place)
        target = path.readlink()
        joined = pathlib.PurePosixPath(str(target).lstrip("/")) if target.is_absolute() else pathlib.PurePosixPath(place).parent / target
        parts = []
        for part in joined.parts:
            if part == "..":
                parts = parts[:-1]
            elif part != ".":
                parts.append(part)
        place = "/".join(parts)
        if parts and parts[0] in ("lib", "lib64", "bin", "sbin"):
            place = "usr/" + place
    return None, links


def closure(tree, places):
    """All files that are needed to run some, themselves and the links among them included.

    - Returns: the places, and pairs of a place and a library that is nowhere.
    """
    found, missing, rest = set(), [], list(places)
    while rest:
        place, links = resolved(tree, rest.pop())
        found.update(links)
        if place is None or place in found:
            continue
        found.add(place)
        if not (tree / place).is_file():
            continue
        needs = Needs(tree / place)
        if needs.loader:
            rest.append(canonical_loader(needs.loader))
        own = [folder.replace("$ORIGIN", "/" + str(pathlib.PurePosixPath(place).parent)).lstrip("/") for folder in needs.folders]
        own = ["usr/" + folder if folder.startswith("lib") else folder for folder in own]
        for library in needs.libraries:
            at = next((f"{folder}/{library}" for folder in [*own, *LIBRARIES] if resolved(tree, f"{folder}/{library}")[0]), None)
            if at:
                rest.append(at)
            else:
                missing.append((place, library))
    return found, missing


def canonical_loader(path):
    path = path.lstrip("/")
    return path if path.startswith("usr/") else "usr/" + path
