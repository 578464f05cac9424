"""The own kernel: Debian's source of Linux with everything off that kernel.config does not name. It is built once and kept."""
import hashlib
import os
import re
import shutil
import subprocess

from report import Refusal, say

def built(lock, config, archive, work, epoch):
    """The kernel's image and release.

    - lock: names the one package with the source.
    """
    compiler = subprocess.run(["gcc", "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]
    key = hashlib.sha256(f"{lock.key} {compiler} {epoch}".encode() + config.read_bytes()).hexdigest()[:16]
    place = work / f"kernel-{key}"
    image, release = place / "bzImage", place / "release"
    if not release.exists():
        shutil.rmtree(place, ignore_errors=True)
        tree = place / "linux"
        tree.mkdir(parents=True)
        unpack(next(iter(archive.verified(lock).values())), tree)
        configure(tree, config, epoch)
        say("Compiling the kernel, which takes minutes, once")
        make(tree, epoch, f"-j{os.cpu_count()}", "bzImage")
        shutil.copy(tree / "arch/x86/boot/bzImage", image)
        shutil.copy(tree / ".config", place / "config")
        release.write_text(make(tree, epoch, "-s", "kernelrelease").strip())
        shutil.rmtree(tree)
    return image, release.read_text(), place / "config"


def unpack(package, tree):
    say("Unpacking the source of Linux")
    script = 'set -o pipefail; dpkg-deb --fsys-tarfile "$0" | tar -x -O --wildcards "./usr/src/linux-source-*.tar.xz" | tar -x -J -C "$1" --strip-components=1 --exclude="*/tools/testing/*"'
    if subprocess.run(["bash", "-c", script, package, tree]).returncode != 0:
        raise Refusal(f"{package} cannot be unpacked")


def make(tree, epoch, *arguments):
    # Who builds, where and when must not be seen in what is built.
    environment = {
        "PATH": os.environ["PATH"], "LC_ALL": "C", "KBUILD_BUILD_TIMESTAMP": f"@{epoch}", "KBUILD_BUILD_USER": "casemate",
        "KBUILD_BUILD_HOST": "stick", "KBUILD_BUILD_VERSION": "1", "SOURCE_DATE_EPOCH": str(epoch), "LOCALVERSION": "",
    }
    done = subprocess.run(["make", "-C", tree, *arguments], env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        raise Refusal(f"make {' '.join(arguments)} of the kernel failed:\n{(done.stdout + done.stderr)[-3000:]}")
    return done.stdout


def configure(tree, config, epoch):
    """Sets the options, and refuses where one did not come true."""
    make(tree, epoch, "allnoconfig", f"KCONFIG_ALLCONFIG={config}")
    found = set((tree / ".config").read_text().splitlines())
    names = {line.split("=")[0] for line in found if line.startswith("CONFIG_")}
    wrong = []
    for line in config.read_text().splitlines():
        off = re.fullmatch(r"# (CONFIG_\w+) is not set", line)
        if off and off[1] in names or line.startswith("CONFIG_") and line not in found:
            wrong.append(line)
    if wrong:
        raise Refusal("Of kernel.config these lines did not come true:\n" + "\n".join(wrong))
