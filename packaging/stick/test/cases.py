"""What a stick is held to. Each case boots a machine of its own; what it returns is said in the table."""
import hashlib
import json
import os
import re
import shutil
import struct
import subprocess
import time

import images
import prepare
import uki
from machine import Failure, Machine

SIGNER = ("chroot /proc/1/root /usr/bin/setpriv --reuid=1000 --regid=1000 --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all "
          "/usr/bin/busybox env -i HOME=/run/signer XDG_RUNTIME_DIR=/run/signer PATH=/usr/bin LANG=C.UTF-8 ")
# The disk with programs that the shipped root does not have.
ALONG = """mkdir -p /proc/1/root/run/along
for disk in /dev/sd?; do
    mount -t ext4 -o ro,nosuid,nodev $disk /proc/1/root/run/along 2>/dev/null && [ -e /proc/1/root/run/along/film ] && break
done
[ -e /proc/1/root/run/along/film ]"""
# Likewise, at the start and without the window, which would have the vault.
ALONG_LATER = """until [ -e /proc/1/root/run/casemate/vault ] && pidof cage >/dev/null; do usleep 100000; done
kill -STOP 1
kill -9 $(ps -o pid,args | awk '/casemate-stick\\/kiosk/ && !/awk/ { print $1 }')
killall -9 cage
kill -9 $(ps -o pid,args | awk '/casemate-window/ && !/awk/ { print $1 }') 2>/dev/null
[ ! -e /proc/1/root/run/casemate/problem ] || exit 1
""" + ALONG
# Where the partition of the vault is: its size, and what is behind it.
STATE, AFTER_STATE = 64 << 20, 1 << 20
SECRETS = f"printf '{prepare.PIN}\\n' >/pin; printf '{prepare.PHRASE}\\n' >/phrase\n"


def expect(holds, what):
    if not holds:
        raise Failure(what)


class Cases:
    """- context: where the images and their tools are (test_stick.py)."""

    def __init__(self, context):
        self.context = context

    # MARK: The shipped image from outside, untouched

    def window(self):
        """The shipped stick boots to the window; it says that the machine is cut off, and which stick it is"""
        stick = images.stick(self.context.stick, self.context.place / "fresh.img", self.context.tools)
        with Machine(self.context.folder("window"), stick) as machine:
            words = machine.sees("This machine is cut off")
            seconds = time.monotonic() - machine.started
            expect("Air gap ok" in words, f"the window does not say that the air gap is ok: {words[:300]}")
            # Readers of pictures take some letters of a hash for others.
            expect(re.search("root hash", words), f"the window does not say which stick it is: {words[:600]}")
            machine.point_aside()
            machine.picture("first")
            for keys in (("ctrl", "alt", "f2"), ("ctrl", "alt", "delete"), ("ctrl", "alt", "backspace"), ("alt", "sysrq", "b"), ("alt", "f4"),
                         ("meta_l",), ("ctrl", "c")):
                machine.keys(*keys)
            time.sleep(5)
            expect("cut off" in machine.words(), "after keys that leave other screens the window is not there")
            # The two fields for what will open the vault are at the end of the page; the first has the keys already, and a button beside it.
            machine.keys("end")
            machine.sees("New PIN or passphrase")
            machine.type_secret(prepare.PIN)
            machine.keys("tab", pause=2)
            machine.keys("tab", pause=2)
            machine.type_secret(prepare.PIN)
            machine.picture("typed")
            machine.keys("ret")
            machine.sees("New key set")
            machine.press_power()
        expect(self._is_clean(stick), "the vault's partition was not unmounted before the machine went off")
        with Machine(self.context.folder("again"), stick) as machine:
            machine.sees("attempts are left")
            # The first key after the start, before which nothing else comes from outside, counts like any other.
            machine.type_secret(prepare.PIN)
            machine.keys("ret")
            machine.sees("New key set")
        return f"{seconds:.0f} s to the window; vault set up by keyboard, machine off by its button, partition clean, vault opened after the next start"

    def memory(self):
        """The image that keeps nothing boots likewise, and goes on when the stick is pulled"""
        stick = images.stick(self.context.memory, self.context.place / "memory.img", self.context.tools)
        with Machine(self.context.folder("memory"), stick, memory=2048) as machine:
            words = machine.sees("This machine is cut off")
            seconds = time.monotonic() - machine.started
            expect("memory-only" in words, f"the window does not say that nothing is kept: {words[:200]}")
            machine.ask("device_del", id="stick-device")
            time.sleep(3)
            machine.keys("end")
            machine.sees("New PIN or passphrase")
            machine.picture("pulled")
        return f"{seconds:.0f} s to the window; used after the stick was pulled"

    def damaged_state(self):
        """The vault's partition is damaged: the screen says so, the window does not start, and nothing is written to it"""
        stick = images.stick(self.context.stick, self.context.place / "damaged.img", self.context.tools)
        start = stick.stat().st_size - AFTER_STATE - STATE
        with open(stick, "r+b") as file:
            # The first superblock and the groups behind it, and all of the journal.
            file.seek(start)
            file.write(b"\xa5" * (48 << 20))
        before = self._digest(stick, start)
        with Machine(self.context.folder("damaged"), stick) as machine:
            machine.sees("partition of the vault on this stick is damaged")
            machine.picture("damaged")
            time.sleep(10)
            expect("cut off" not in machine.words(), "the window is shown")
            machine.press_power()
        expect(self._digest(stick, start) == before, "the damaged partition was written to")
        return "said on the screen; the partition's bytes are as they were"

    @staticmethod
    def _is_clean(stick):
        """Whether the file system of the vault's partition was unmounted (the superblock of ext4: its state, and nothing to recover)."""
        with open(stick, "rb") as file:
            file.seek(stick.stat().st_size - AFTER_STATE - STATE + 1024)
            superblock = file.read(1024)
        state, incompatible = struct.unpack_from("<H", superblock, 58)[0], struct.unpack_from("<I", superblock, 96)[0]
        return state == 1 and not incompatible & 4

    @staticmethod
    def _digest(path, start):
        with open(path, "rb") as file:
            file.seek(start)
            return hashlib.sha256(file.read(STATE)).hexdigest()

    # MARK: From inside, by a second kernel image with the same root

    def agent_machine(self, name, stick, direct=False, **more):
        along, kernel = self.context.along, self.context.place / "kernel"
        if direct:
            image = self.context.agent.read_bytes()
            for part in (".linux", ".initrd"):
                (self.context.place / f"kernel{part}").write_bytes(uki.section(image, part))
            boot = ("-kernel", f"{kernel}.linux", "-initrd", f"{kernel}.initrd", "-append", uki.section(image, ".cmdline").rstrip(b"\0").decode())
        return Machine(self.context.folder(name), stick, firmware=None if direct else "plain", agent="serial" if self.context.has_modules else "disk", more=(
            *(boot if direct else ()),
            "-drive", f"if=none,id=along,format=raw,readonly=on,file={along}", "-device", "usb-storage,drive=along"), **more)

    machine = None

    def inside_machine(self):
        """The machine that several cases look into, one after the other."""
        if not self.machine:
            stick = images.stick(self.context.stick, self.context.place / "agent.img", self.context.tools, self.context.agent)
            self.machine = self.agent_machine("inside", stick)
            self.machine.agent.ready()
            self.machine.sees("This machine is cut off")
            self.machine.agent.output(ALONG)
        return self.machine

    def inside(self):
        """From inside: only a loopback that is off, no module loads, no shell for the signer, 73 ways out all blocked"""
        agent = self.inside_machine().agent
        expect(agent.output("ls /sys/class/net; cat /sys/class/net/lo/operstate").split() == ["lo", "down"], "there is more than a loopback that is off")
        for module in ("virtio_net", "e1000", "cfg80211", "bluetooth"):
            status, _ = agent.run(f"chroot /proc/1/root /usr/bin/busybox modprobe {module}")
            expect(status != 0, f"the module {module} is there")
        if self.context.has_modules:
            output = agent.output("insmod $(find /proc/1/root/usr/lib/modules -name i915.ko) 2>&1; cat /proc/sys/kernel/modules_disabled")
            expect("not permitted" in output and output.strip().endswith("1"), f"a module of the image could be loaded: {output}")
        else:
            # The call itself is not there, and no protocol is but those by which programs of one machine speak to each other.
            output = agent.output("insmod /proc/1/root/usr/bin/busybox 2>&1; ls /proc/modules 2>&1; true")
            expect("not implemented" in output and "No such file" in output, f"the kernel takes modules: {output}")
            protocols = agent.output("tail -n +2 /proc/1/net/protocols").splitlines()
            expect({line.split()[0] for line in protocols} == {"UNIX", "UNIX-STREAM", "NETLINK"}, f"the kernel has protocols: {protocols}")
        status, output = agent.run(SIGNER + "/usr/bin/busybox true 2>&1")
        expect(status == 126 and "denied" in output, f"the signer's user may run a shell: {status} {output}")
        mounts = agent.output("cat /proc/1/mounts")
        for place in ("/run", "/tmp", "/dev/shm", "/state"):
            row = next(line for line in mounts.splitlines() if line.split()[1] == place)
            expect({"nosuid", "nodev", "noexec"} <= set(row.split()[3].split(",")), f"{place} is mounted with {row.split()[3]}")
        expect(re.search(r"^/dev/mapper/root / squashfs ro,", mounts, re.M), "the root is not read-only")
        listeners = agent.output("cat /proc/1/net/tcp /proc/1/net/udp /proc/1/net/raw /proc/1/net/packet 2>/dev/null | grep -v -i local_address | grep -v RefCnt; true")
        expect(listeners.strip() == "", f"sockets of networks are open: {listeners}")
        users = agent.output("ps -o pid,user,args | grep -v '\\['")
        audit = agent.output(SIGNER + "/run/along/forcefield audit 2>/dev/null")
        expect("73 blocked, 0 allowed" in audit, f"the audit says: {audit[-300:]}")
        doctor = agent.output(SIGNER + "/run/along/forcefield doctor 2>/dev/null")
        expect("strict works" in doctor, f"the doctor says: {doctor[:300]}")
        groups = agent.output("for p in $(ps -o pid,args | awk '/casemate-window/ && !/cage/ && !/awk/ { print $1 }'); do cat /proc/$p/cgroup; done")
        expect(re.search("^0::/signer/window", groups, re.M), f"the window is in no group of its own: {groups}")
        closed = "modules_disabled" if self.context.has_modules else "no modules and no protocols but UNIX and NETLINK"
        return f"lo (down), {closed}, audit 73 of 73, strict sandbox; {len(users.splitlines()) - 1} processes beside the kernel's"

    def signing(self):
        """A film goes in by the camera, is read call by call, approved by keyboard; the answer on the screen verifies"""
        machine = self.inside_machine()
        agent = machine.agent
        # A vault with a key that everybody knows, made by the terminal's program while the window is away.
        agent.output(SECRETS + "kill -STOP 1; for p in $(ps -o pid,args | awk '/casemate-stick\\/kiosk/ && !/awk/ { print $1 }'); do kill -STOP $p; done\n"
                     "kill -9 $(ps -o pid,args | awk '/casemate-window/ && !/cage/ && !/awk/ { print $1 }'); sleep 2\n"
                     + SIGNER + "/run/along/casemate init --vault /state/vault --pin-fd 3 3</pin 2>&1 || exit 1\n"
                     + SIGNER + "/run/along/casemate seed recover demo --vault /state/vault --pin-fd 3 --phrase-fd 4 3</pin 4</phrase 2>&1 || exit 1\n"
                     "for p in $(ps -o pid,args | awk '/casemate-stick\\/kiosk/ && !/awk/ { print $1 }'); do kill -CONT $p; done; kill -CONT 1")
        width, height = prepare.SIZE
        agent.output(f"(/film-camera /dev/video1 /dev/video0 /proc/1/root/run/along/film {width} {height} >/camera.log 2>&1 &); sleep 3; "
                     "cat /camera.log; [ ! -s /camera.log ]")
        machine.sees("attempts are left")
        machine.point_aside()
        machine.type_secret(prepare.PIN)
        machine.picture("typed")
        machine.keys("ret")
        machine.sees("Public phrase")
        for _ in range(4):
            machine.keys("tab")
        machine.keys("ret")
        machine.sees("Hold the code before the camera")
        machine.keys("ret")
        begin = time.monotonic()
        words = machine.sees("3 calls on Westend")
        seconds = time.monotonic() - begin
        machine.picture("transaction")
        expect("acts for another account" in words, f"the page does not warn: {words[:300]}")
        # Nothing is signed before the page was read to its end.
        for _ in range(8):
            machine.keys("pgdn", pause=0.7)
        machine.keys("end", pause=2)
        # Instead of holding the button, which a machine that is slow would make a matter of luck.
        machine.click("instead")
        machine.sees("Confirm")
        for letter in "sign":
            machine.keys("shift", letter, pause=1)
        machine.keys("tab", pause=1)
        machine.keys("ret")
        codes, end = [], time.monotonic() + 60
        while not codes and time.monotonic() < end:
            codes = machine.codes()
            time.sleep(1)
        machine.picture("answer")
        signature = next((code[2:] for code in codes if len(code) == 130 and code.startswith("01")), None)
        expect(signature, f"the screen shows no signature: {codes}")
        expect(self._verifies(signature), "the signature does not verify")
        return f"{seconds:.0f} s from the camera to the page; signature read from the screen by zbar, verified by {self.context.verifier}"

    def _verifies(self, signature):
        script = ("import hashlib, sr25519, sys\nsignature, signable, key = [bytes.fromhex(word) for word in sys.argv[1:4]]\n"
                  "if len(signable) > 256: signable = hashlib.blake2b(signable, digest_size=32).digest()\n"
                  "print(sr25519.verify(signature, signable, key), sr25519.verify(signature, signable + b'x', key))")
        done = subprocess.run([self.context.python, "-c", script, signature, prepare.SIGNED, prepare.AUTHOR], capture_output=True, text=True)
        return done.stdout.split() == ["True", "False"]

    def closing(self):
        """A window that died is shown again, locked; one that is closed switches the machine off"""
        machine = self.inside_machine()
        agent = machine.agent
        agent.output("kill -9 $(ps -o pid,args | awk '/casemate-window/ && !/cage/ && !/awk/ { print $1 }')")
        machine.sees("attempts are left")
        agent.send("kill $(pidof film-camera); true")
        machine.type_secret(prepare.PIN)
        machine.keys("ret")
        machine.sees("Public phrase")
        machine.opens("Settings", "Self check")
        machine.keys("end", pause=2)
        machine.sees("Switch off")
        machine.picture("settings")
        machine.click("Switch")
        machine.wait()
        return "shown again and locked after SIGKILL; off by the row of the settings"

    # MARK: Changed sticks

    def changed_root(self):
        """One bit of the root is changed: the kernel stops the machine"""
        stick = images.stick(self.context.stick, self.context.place / "changed.img", self.context.tools, self.context.console)
        images.flip(stick, self.context.root_place + self.context.flipped)
        with Machine(self.context.folder("changed-root"), stick, agent="serial") as machine:
            seen = machine.agent.until("Kernel panic", minutes=20)
            text = " ".join(seen[-6:])
            expect("dm-verity" in text and "corrupted" in text, f"the kernel says: {text}")
            time.sleep(2)
            expect("cut off" not in machine.words(), "the window is shown")
        return "panic: dm-verity device corrupted"

    def changed_kernel(self):
        """Secure Boot: the signed kernel image boots; one with a changed bit and an unsigned one are refused by the firmware"""
        context = self.context
        good = images.stick(context.stick, context.place / "signed.img", context.tools, context.signed)
        with Machine(context.folder("signed"), good, firmware="secure") as machine:
            machine.sees("This machine is cut off")
        bad = context.place / "bad.efi"
        bad.write_bytes(context.signed.read_bytes())
        images.flip(bad, bad.stat().st_size // 2)
        for name, program in (("changed", bad), ("unsigned", context.shipped)):
            stick = images.stick(context.stick, context.place / f"{name}.img", context.tools, program)
            with Machine(context.folder(name), stick, firmware="secure") as machine:
                machine.sees("Access Denied|Security Violation|Secure Boot")
                time.sleep(20)
                expect("cut off" not in machine.words(), f"the {name} kernel image was started")
        return "signed: window; one bit changed: refused; unsigned: refused"

    # MARK: Power cuts

    def power_cuts(self):
        """The power is cut while the vault is written to, again and again: it is the old one or the new"""
        context, casemate = self.context, SIGNER + "/run/along/casemate {} --vault /state/vault 2>&1"
        base, saved = images.stick(context.stick, context.place / "cuts.img", context.tools), context.place / "cuts.saved"
        note = casemate.format("log comment note")
        # Once from the start, to just before the first note. Without the firmware: the same kernel, first files and command line.
        with self.agent_machine("cuts", base, direct=True) as machine:
            machine.agent.ready()
            machine.agent.output(ALONG_LATER)
            machine.agent.output(casemate.format("init --none") + " && " + note + " && sync")
            machine.save(saved)
        loop = f"told=0; while {note} >/log; do told=$((told + 1)); echo; echo \"@told $told\"; done; cat /log"
        with self.saved_machine(saved, base, "qcow2", "measured") as machine:
            machine.agent.send(loop)
            machine.agent.until("@told 2", minutes=20)
            most = machine.writes()
        expect(most >= 20, f"two notes are {most} writes: what is measured is not what is written")
        seen = []
        for number in range(1, context.cuts + 1):
            # One time the stick keeps all that it was sent; the other time it loses, in part, what it was not told to keep.
            kind = ("raw", "qcow2")[number % 2]
            with self.saved_machine(saved, base, kind, "cut") as machine:
                machine.agent.send(loop)
                machine.until_written(most * number // context.cuts)
                machine.cut()
                told = sum(line.startswith("@told ") for line in machine.agent.lines(5))
            there = self._notes(context.place / f"cut.{kind}", kind) - 1
            expect(there in (told, told + 1), f"after cut {number}: {told} notes were told, and {there} are there")
            seen.append((told, there))
        # Likewise by the stick's own start, which checks the partition and mounts it.
        with self.agent_machine("cuts", context.place / f"cut.{kind}", direct=True, stick_format=kind) as machine:
            machine.agent.ready()
            machine.agent.output(ALONG_LATER)
            verified = machine.agent.output(casemate.format("log verify --json"))
            expect(f'"entries" : {there + 2}' in verified, f"the stick finds another log after the last cut: {verified[-300:]}")
        return (f"{context.cuts} cuts, spread over the {most} writes of two notes; of the one under way "
                f"{sum(told == there for told, there in seen)} times nothing and {sum(told < there for told, there in seen)} times all was there; "
                f"partition mended by e2fsck -p, vault opened, log whole each time")

    def saved_machine(self, saved, base, kind, name):
        """A machine that goes on from where it was saved, with a stick of its own over the one that it had then."""
        disk = self.context.place / f"{name}.{kind}"
        disk.unlink(missing_ok=True)
        if kind == "raw":
            images.copy(base, disk)
        else:
            subprocess.run(["qemu-img", "create", "-q", "-f", kind, "-b", base, "-F", "raw", disk], check=True)
        machine = self.agent_machine("cuts", disk, direct=True, stick_format=kind, saved=saved)
        machine.go_on()
        return machine

    def _notes(self, disk, kind):
        """How many notes are in the log of the vault on a stick, by the vault's program on this machine; all of the log is verified."""
        context = self.context
        if kind != "raw":
            subprocess.run(["qemu-img", "convert", "-f", kind, "-O", "raw", disk, f"{disk}.raw"], check=True)
            disk = context.place / f"{disk.name}.raw"
        partition, vault = context.place / "cut.state", context.place / "cut.vault"
        with open(disk, "rb") as file, open(partition, "wb") as out:
            file.seek(disk.stat().st_size - AFTER_STATE - STATE)
            out.write(file.read(STATE))
        # As the stick's start does it, which takes no other end than these.
        context.tools.run("e2fsck", "-p", partition, statuses=(0, 1))
        shutil.rmtree(vault, ignore_errors=True)
        vault.mkdir()
        context.tools.run("debugfs", "-R", f"rdump /vault {vault}", partition)
        # The program takes a vault of its own user's alone.
        for path in vault.rglob("*"):
            os.chown(path, os.getuid(), os.getgid())
        done = subprocess.run([context.programs / "casemate", "log", "verify", "--json", "--vault", vault / "vault"], capture_output=True, text=True)
        expect(done.returncode == 0, f"the vault does not open: {done.stderr[-400:]}")
        # One entry tells that the vault was made.
        return json.loads(done.stdout)["entries"] - 1
