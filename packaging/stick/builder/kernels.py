"""The kernels that an image can have."""
from modules import Modules, read_list


class DebianKernel:
    """Debian's build of Linux: without the modules of networks, which are not in the image. What it has built in of networks stays."""

    name = "debian"

    def __init__(self, tree, tools, work, lists):
        release = next(iter((tree / "usr/lib/modules").iterdir())).name
        self.image = (tree / f"boot/vmlinuz-{release}").read_bytes()
        self.release = release
        self.modules = Modules(tree, tools, work)
        lists = read_list(lists)
        self.start = self.modules.wanted(lists["start"])
        self.places = sorted(set(self.start) | set(self.modules.wanted(lists["root"])))


class OwnKernel:
    """Linux as it is configured in kernel.config: no network but the sockets of one machine, and no modules at all."""

    name = "own"

    def __init__(self, image, release, configuration):
        self.image, self.release, self.configuration = image.read_bytes(), release, configuration
        self.modules, self.start, self.places = None, [], []
