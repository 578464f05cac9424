"""Disks: a table of partitions (GPT) with a FAT for the firmware, the root, and the vault's partition. Nothing is mounted for it."""
import hashlib
import os
import uuid

MIB = 1 << 20
# The least that FAT32 may have, with clusters of one sector.
LEAST_FIRMWARE = 34 * MIB
STATE_SIZE = 64 * MIB
TABLE = MIB
KINDS = {"firmware": "C12A7328-F81F-11D2-BA4B-00A0C93EC93B", "data": "0FC63DAF-8483-4772-8E79-3D69D8477DE4"}


def whole(size):
    return -(-size // MIB) * MIB


def identity(*parts):
    """A UUID that depends on what is named alone."""
    return str(uuid.UUID(bytes=hashlib.sha256("/".join(parts).encode()).digest()[:16], version=4))


def firmware(path, kernel, tools, epoch, seed):
    """A FAT32 with one program where every firmware looks for it."""
    size = max(LEAST_FIRMWARE, whole(kernel.stat().st_size + 4 * MIB))
    path.unlink(missing_ok=True)
    with open(path, "wb") as file:
        file.truncate(size)
    os.utime(kernel, (epoch, epoch))
    tools.run("mkfs.fat", "--invariant", "-F", "32", "-i", identity(seed, "fat")[:8], "-n", "CASEMATE", path)
    tools.run("mmd", "-i", path, "::/EFI", "::/EFI/BOOT")
    tools.run("mcopy", "-m", "-i", path, kernel, "::/EFI/BOOT/BOOTX64.EFI")


def state(path, tools, seed):
    """An empty ext4 whose folder is the signer's. It has a journal, without which a power cut may leave what e2fsck does not mend by itself."""
    path.unlink(missing_ok=True)
    with open(path, "wb") as file:
        file.truncate(STATE_SIZE)
    tools.run("mke2fs", "-q", "-F", "-t", "ext4", "-b", "4096", "-I", "256", "-m", "0", "-L", "casemate-state", "-U", identity(seed, "state"),
              # All that it has: no file of settings is read, so ext4 adds nothing of its own.
              "-O", "none,has_journal,metadata_csum,64bit,extent,dir_index,filetype,sparse_super,large_file,huge_file,dir_nlink,extra_isize",
              "-J", "size=4",
              "-E", f"hash_seed={identity(seed, 'hash')},root_owner=1000:1000,lazy_itable_init=0,lazy_journal_init=0,nodiscard", path)


def disk(path, parts, tools, seed):
    """A disk of partitions in order.

    - parts: name, file and kind of each.
    """
    path.unlink(missing_ok=True)
    places, start = [], TABLE
    for name, file, kind in parts:
        places.append((name, file, kind, start))
        start += whole(file.stat().st_size)
    with open(path, "wb") as out:
        out.truncate(start + TABLE)
        for _, file, _, place in places:
            out.seek(place)
            with open(file, "rb") as content:
                copy_sparsely(content, out)
    commands = ["--clear", "--set-alignment=2048", f"--disk-guid={identity(seed, 'disk')}"]
    for number, (name, file, kind, place) in enumerate(places, 1):
        end = (place + whole(file.stat().st_size)) // 512 - 1
        commands += [f"--new={number}:{place // 512}:{end}", f"--change-name={number}:{name}", f"--typecode={number}:{KINDS[kind]}",
                     f"--partition-guid={number}:{identity(seed, name)}"]
        # Other systems do not mount it by themselves.
        if kind == "data":
            commands.append(f"--attributes={number}:set:63")
    tools.run("sgdisk", *commands, path)


def copy_sparsely(content, out):
    while piece := content.read(MIB):
        if piece.strip(b"\0"):
            out.write(piece)
        else:
            out.seek(len(piece), os.SEEK_CUR)

