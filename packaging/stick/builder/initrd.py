"""The kernel's first files: what finds the root, verifies it and goes on."""
import shutil

import elf
from archives import cpio

PROGRAMS = ("usr/bin/busybox", "usr/sbin/dmsetup")
FOLDERS = ("dev", "proc", "sys", "root", "tmp")


def initrd(place, init, kernel, tree, tools, epoch, verity):
    """The archive, compressed.

    - place: a folder for it, made anew.
    - init: the first program.
    - verity: variables of the init's, as text.
    """
    shutil.rmtree(place, ignore_errors=True)
    for folder in FOLDERS:
        (place / folder).mkdir(parents=True)
    for name in ("bin", "sbin", "lib", "lib64"):
        (place / "usr" / name).mkdir(parents=True)
        (place / name).symlink_to("usr/" + name)
    found, _ = elf.closure(tree, PROGRAMS)
    for one in sorted(found):
        (place / one).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(tree / one, place / one, follow_symlinks=False)
    shutil.copy(init, place / "init")
    (place / "verity").write_text(verity)
    order = [kernel.modules.copy(module, place / "modules") for module in kernel.start]
    (place / "modules.order").write_text("".join(f"/{module.relative_to(place)}\n" for module in order))
    return compressed(place, tools, epoch)


def compressed(place, tools, epoch):
    archive, packed = place.with_suffix(".cpio"), place.with_suffix(".cpio.zst")
    archive.write_bytes(cpio(place, epoch))
    tools.run("zstd", "-q", "-f", "-15", "-T1", archive, "-o", packed)
    content = packed.read_bytes()
    # The kernel takes several archives, each beginning at a multiple of four bytes.
    return content + bytes(-len(content) % 4)
