"""Archives of the kernel's first files (cpio, form newc), the same bytes for the same content."""
import os
import stat


def cpio(folder, epoch):
    """An archive of all in a folder, as root's, in the order of names."""
    names = [""]
    for place, folders, files in os.walk(folder):
        names += [os.path.relpath(os.path.join(place, name), folder) for name in folders + files]
    records = []
    for number, name in enumerate(sorted(names), 1):
        path = os.path.join(folder, name) if name else str(folder)
        status = os.lstat(path)
        if stat.S_ISLNK(status.st_mode):
            content, mode = os.readlink(path).encode(), stat.S_IFLNK | 0o777
        elif stat.S_ISDIR(status.st_mode):
            content, mode = b"", stat.S_IFDIR | 0o755
        else:
            with open(path, "rb") as file:
                content = file.read()
            mode = stat.S_IFREG | status.st_mode & 0o777
        records.append(record(name or ".", content, number=number, mode=mode, epoch=epoch))
    records.append(record("TRAILER!!!", b"", number=0, mode=0, epoch=0))
    archive = b"".join(records)
    return archive + bytes(-len(archive) % 512)


def record(name, content, number, mode, epoch):
    fields = [number, mode, 0, 0, 2 if stat.S_ISDIR(mode) else 1, epoch, len(content), 0, 0, 0, 0, len(name) + 1, 0]
    head = b"070701" + b"".join(b"%08X" % field for field in fields) + name.encode() + b"\0"
    return head + bytes(-len(head) % 4) + content + bytes(-len(content) % 4)
