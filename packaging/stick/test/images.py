"""Images for tests, made of the shipped ones: the root stays the same, with the same hash."""
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "builder"))

import uki  # noqa: E402
from archives import cpio  # noqa: E402

MIB = 1 << 20
FIRMWARE_PLACE = MIB
MODULES = ("usb-storage", "vivid")
VIVID = "n_devs=1 node_types=0x101 num_inputs=1 input_types=0x3 num_outputs=1 output_types=0x1 vid_cap_nr=0 vid_out_nr=1"
STUB = "usr/lib/systemd/boot/efi/linuxx64.efi.stub"


def with_agent(shipped, place, tree, modules, epoch, console=False):
    """A second kernel image: the shipped kernel and first files, and beside them an agent and a pretended camera.

    - modules: of the kernel, where it has some.
    - console: whether the kernel speaks on the serial line, instead of the agent.
    """
    folder = place / "agent"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copy(HERE.parent / "initrd/init", folder / "init.shipped")
    shutil.copy(HERE / "machine/init", folder / "init")
    shutil.copy(HERE / "machine/agent.sh", folder / "agent.sh")
    subprocess.run(["gcc", "-static", "-O2", "-Wall", "-o", folder / "film-camera", HERE / "machine/film-camera.c"], check=True)
    (folder / "init").chmod(0o755)
    lines = []
    for module in modules.wanted(MODULES) if modules else []:
        copied = modules.copy(module, folder / "test-modules")
        lines.append(f"/{copied.relative_to(folder)} {VIVID if copied.name == 'vivid.ko' else ''}\n")
    (folder / "test.modules").write_text("".join(lines))
    image = shipped.read_bytes()
    command_line = uki.section(image, ".cmdline").rstrip(b"\0")
    first = uki.section(image, ".initrd")
    if console:
        command_line += b" console=ttyS0 loglevel=7"
    else:
        first += cpio(folder, epoch)
    path = place / ("console.efi" if console else "agent.efi")
    path.write_bytes(uki.unified((tree / STUB).read_bytes(), [
        (".osrel", uki.section(image, ".osrel")), (".cmdline", command_line + b"\0"), (".initrd", first), (".linux", uki.section(image, ".linux"))]))
    return path


def copy(source, target):
    """A copy that has holes where the source is zeros."""
    subprocess.run(["cp", "--sparse=always", source, target], check=True)


def stick(shipped, place, tools, program=None):
    """A copy of a stick, with another program for the firmware."""
    copy(shipped, place)
    if program:
        tools.run("mcopy", "-o", "-i", f"{place}@@{FIRMWARE_PLACE}", program, "::/EFI/BOOT/BOOTX64.EFI")
    return place


def flip(path, place):
    """Changes one bit."""
    with open(path, "r+b") as file:
        file.seek(place)
        byte = file.read(1)[0]
        file.seek(place)
        file.write(bytes([byte ^ 1]))
