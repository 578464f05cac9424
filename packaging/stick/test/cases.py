"""What a stick is held to. Each case boots a machine of its own; what it returns is said in the table."""
import hashlib
import random
import re
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
            machine.picture("first")
            for keys in (("ctrl", "alt", "f2"), ("ctrl", "alt", "delete"), ("ctrl", "alt", "backspace"), ("alt", "sysrq", "b"), ("alt", "f4"),
                         ("meta_l",), ("ctrl", "c")):
                machine.keys(*keys)
            time.sleep(5)
            expect("cut off" in machine.words(), "after keys that leave other screens the window is not there")
            # The two fields for what will open the vault are at the end of the page; the first has the keys already, and a button beside it.
            machine.keys("end", pause=2)
            machine.sees("New PIN or passphrase")
            machine.type_secret(prepare.PIN)
            machine.keys("tab", pause=2)
            machine.keys("tab", pause=2)
            machine.type_secret(prepare.PIN, field=1)
            machine.picture("typed")
            machine.keys("ret")
            machine.sees("New key set")
            machine.press_power()
        with Machine(self.context.folder("again"), stick) as machine:
            machine.sees("attempts are left")
            machine.type_secret(prepare.PIN)
            machine.keys("ret")
            machine.sees("New key set")
        return f"{seconds:.0f} s to the window; vault set up by keyboard, machine off by its button, vault opened after the next start"

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
        start = stick.stat().st_size - (1 << 20) - (64 << 20)
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
    def _digest(path, start):
        with open(path, "rb") as file:
            file.seek(start)
            return hashlib.sha256(file.read(64 << 20)).hexdigest()

    # MARK: From inside, by a second kernel image with the same root

    def agent_machine(self, name, stick, direct=False):
        along, kernel = self.context.along, self.context.place / "kernel"
        if direct:
            image = self.context.agent.read_bytes()
            for part in (".linux", ".initrd"):
                (self.context.place / f"kernel{part}").write_bytes(uki.section(image, part))
            boot = ("-kernel", f"{kernel}.linux", "-initrd", f"{kernel}.initrd", "-append", uki.section(image, ".cmdline").rstrip(b"\0").decode())
        return Machine(self.context.folder(name), stick, firmware=None if direct else "plain", agent=True, more=(
            *(boot if direct else ()),
            "-drive", f"if=none,id=along,format=raw,readonly=on,file={along}", "-device", "usb-storage,drive=along"))

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
        output = agent.output("insmod $(find /proc/1/root/usr/lib/modules -name i915.ko) 2>&1; cat /proc/sys/kernel/modules_disabled")
        expect("not permitted" in output and output.strip().endswith("1"), f"a module of the image could be loaded: {output}")
        status, output = agent.run(SIGNER + "/usr/bin/busybox true 2>&1")
        expect(status == 126 and "denied" in output, f"the signer's user may run a shell: {status} {output}")
        mounts = agent.output("cat /proc/1/mounts")
        for place in ("/run", "/tmp", "/dev/shm", "/state"):
            row = next(line for line in mounts.splitlines() if line.split()[1] == place)
            expect({"nosuid", "nodev", "noexec"} <= set(row.split()[3].split(",")), f"{place} is mounted with {row.split()[3]}")
        expect(re.search(r"^/dev/mapper/root / squashfs ro,", mounts, re.M), "the root is not read-only")
        listeners = agent.output("cat /proc/1/net/tcp /proc/1/net/udp /proc/1/net/raw /proc/1/net/packet | grep -v -i local_address | grep -v RefCnt; true")
        expect(listeners.strip() == "", f"sockets of networks are open: {listeners}")
        users = agent.output("ps -o pid,user,args | grep -v '\\['")
        audit = agent.output(SIGNER + "/run/along/forcefield audit 2>/dev/null", minutes=10)
        expect("73 blocked, 0 allowed" in audit, f"the audit says: {audit[-300:]}")
        doctor = agent.output(SIGNER + "/run/along/forcefield doctor 2>/dev/null", minutes=5)
        expect("strict works" in doctor, f"the doctor says: {doctor[:300]}")
        return f"lo (down), modules_disabled, audit 73 of 73, strict sandbox; {len(users.splitlines()) - 1} processes beside the kernel's"

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
        machine.click("Settings")
        machine.sees("Self check")
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
        context, choice = self.context, random.Random(self.context.seed)
        stick = images.stick(context.stick, context.place / "cuts.img", context.tools)
        told, during = 0, 0
        for number in range(context.cuts + 1):
            # Without the firmware, which takes most of the time: the same kernel, first files and command line.
            with self.agent_machine("cuts", stick, direct=True) as machine:
                agent = machine.agent
                agent.ready()
                # Before the window has the vault.
                agent.output(ALONG_LATER, minutes=4)
                casemate = SIGNER + "/run/along/casemate log {} --vault /state/vault 2>&1"
                if number == 0:
                    agent.output(SIGNER + "/run/along/casemate init --none --vault /state/vault 2>&1", minutes=4)
                else:
                    verified = agent.output(casemate.format("verify --json"), minutes=2)
                    there = int(re.search(r'"entries" : (\d+)', verified)[1]) - 1
                    expect(there in (told, told + 1), f"after cut {number}: {told} notes were told, and {there} are there")
                    during += there != told
                    told = there
                if number == context.cuts:
                    break
                agent.send(f"number={told}; while :; do number=$((number + 1)); {casemate.format('comment note')} >/log || break; "
                           "echo; echo \"@told $number\"; done; cat /log")
                # At a moment of chance, after the first note at the earliest.
                lines = agent.until(f"@told {told + 1}", minutes=2) + agent.lines(choice.uniform(0, 3))
                machine.cut()
                lines += agent.lines(5)
                told = max(int(line.split()[1]) for line in lines if line.startswith("@told "))
        return f"{context.cuts} cuts, {told} notes; the one under way was there {during} times and not {context.cuts - during} times; log whole each time"
