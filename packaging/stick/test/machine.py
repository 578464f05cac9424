"""A virtual machine with a stick in it: its screen, its keys, and its end."""
import base64
import json
import os
import re
import shutil
import socket
import subprocess
import time

FIRMWARE = {
    # Code, and variables of which each machine has a copy.
    "plain": ("/usr/share/OVMF/OVMF_CODE_4M.fd", "/usr/share/OVMF/OVMF_VARS_4M.fd"),
    "secure": ("/usr/share/OVMF/OVMF_CODE_4M.snakeoil.fd", "/usr/share/OVMF/OVMF_VARS_4M.snakeoil.fd"),
}
# Names of keys whose sign is not their name.
PLAIN = {" ": "spc", "-": "minus", ".": "dot"}


class Failure(Exception):
    """What was not as it has to be."""


class Machine:
    """A PC with a screen, a keyboard and a pointer on USB, and no network card.

    - place: a folder for its files.
    - stick: the disk on USB; it is written to.
    - firmware: plain or with Secure Boot; None where QEMU starts the kernel itself.
    - more: further arguments of QEMU's.
    - stick_format: of the stick's file, as QEMU calls it.
    - saved: the file of a machine that was saved, made with the same arguments: it goes on from there when `go_on` is called.
    - agent: how one is reached where there is one: `serial`, or `disk` where the kernel has no serial lines.
    """

    def __init__(self, place, stick, firmware="plain", agent=None, more=(), memory=1536, stick_format="raw", saved=None):
        os.makedirs(place, exist_ok=True)
        self.place = place
        # The picture that was read last, and its words.
        self.read = (b"", "")
        flash = []
        if firmware:
            code, variables = FIRMWARE[firmware]
            shutil.copy(variables, f"{place}/variables.fd")
            flash = ["-drive", f"if=pflash,format=raw,unit=0,readonly=on,file={code}",
                     "-drive", f"if=pflash,format=raw,unit=1,file={place}/variables.fd"]
        for name in ("qmp", "serial"):
            if os.path.exists(f"{place}/{name}"):
                os.remove(f"{place}/{name}")
        secure = firmware == "secure"
        self.command = [
            "qemu-system-x86_64", "-machine", "q35,smm=on" if secure else "q35", "-accel", "tcg,thread=multi", "-cpu", "max", "-smp", "2",
            "-m", str(memory), "-nodefaults", "-no-reboot", "-display", "none", "-nic", "none", "-device", "VGA,edid=on,xres=1280,yres=800",
            *flash, *(("-global", "driver=cfi.pflash01,property=secure,value=on") if secure else ()),
            "-device", "qemu-xhci", "-drive", f"if=none,id=stick,format={stick_format},file={stick}",
            "-device", f"usb-storage,id=stick-device,drive=stick,removable=on,bootindex={0 if firmware else 1}", "-device", "usb-kbd", "-device", "usb-tablet",
            "-qmp", f"unix:{place}/qmp,server=on,wait=off", *more,
        ]
        if agent == "disk":
            DiskAgent.prepare(f"{place}/mailbox")
            self.command += ["-drive", f"if=none,id=mailbox,format=raw,file={place}/mailbox", "-device", "usb-storage,drive=mailbox"]
        if agent == "serial":
            self.command += ["-serial", f"unix:{place}/serial,server=on,wait=off"]
        if saved:
            self.command += ["-incoming", f"exec:cat '{saved}'"]
        self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=open(f"{place}/qemu.log", "w"))
        self.started = time.monotonic()
        self.qmp = self._connect(f"{place}/qmp")
        self.answers = self.qmp.makefile("rb")
        try:
            self.answers.readline()
            self.ask("qmp_capabilities")
        except OSError:
            raise Failure(f"QEMU did not start: {open(f'{place}/qemu.log').read()[-500:]}") from None
        self.agent = Agent(self._connect(f"{place}/serial"), self) if agent == "serial" else None
        if agent == "disk":
            self.agent = DiskAgent(f"{place}/mailbox", self)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.cut()

    def _connect(self, path):
        for _ in range(200):
            try:
                connection = socket.socket(socket.AF_UNIX)
                connection.connect(path)
                return connection
            except OSError:
                if self.process.poll() is not None:
                    raise Failure(f"QEMU did not start: {open(f'{self.place}/qemu.log').read()[-500:]}") from None
                time.sleep(0.05)
        raise Failure(f"QEMU does not answer on {path}")

    def ask(self, command, **arguments):
        """A command of QEMU's, and its answer."""
        self.qmp.sendall(json.dumps({"execute": command, "arguments": arguments}).encode() + b"\n")
        while True:
            line = self.answers.readline()
            if not line:
                raise Failure("QEMU has ended")
            answer = json.loads(line)
            if "return" in answer:
                return answer["return"]
            if "error" in answer:
                raise Failure(f"{command}: {answer['error']['desc']}")

    # A machine that is saved, and goes on from there in another QEMU

    def save(self, path):
        """Stops the machine, and writes all of it but its disks to a file."""
        self.ask("stop")
        self.ask("migrate", uri=f"exec:cat > '{path}'")
        self._until("query-migrate", lambda answer: answer.get("status") == "completed", "the machine was not saved")

    def go_on(self):
        """Lets a machine that was saved go on."""
        self._until("query-status", lambda answer: answer["status"] != "inmigrate", "the saved machine was not read")
        self.ask("cont")

    def _until(self, command, holds, otherwise, minutes=5):
        end = time.monotonic() + 60 * minutes
        while not holds(answer := self.ask(command)):
            if time.monotonic() > end:
                raise Failure(f"{otherwise}: {answer}")
            time.sleep(0.1)

    def writes(self):
        """How often the stick was written to, and told to keep what was written."""
        row = next(row for row in self.ask("query-blockstats") if row.get("device") == "stick")["stats"]
        return row["wr_operations"] + row["flush_operations"]

    def until_written(self, count, minutes=20):
        """Waits until the stick was written to so often, as exactly as it can be asked."""
        end = time.monotonic() + 60 * minutes
        while self.writes() < count:
            if time.monotonic() > end:
                raise Failure(f"the stick was written to {self.writes()} times in {minutes} minutes, not {count}")

    # Keys

    def keys(self, *names, hold=0, pause=0.5):
        """Presses keys together, for seconds; without, so shortly that none is repeated however slow the machine is."""
        def events(down, names):
            return [{"type": "key", "data": {"down": down, "key": {"type": "qcode", "data": name}}} for name in names]
        if hold:
            self.ask("input-send-event", events=events(True, names))
            time.sleep(hold)
            self.ask("input-send-event", events=events(False, reversed(names)))
        else:
            self.ask("input-send-event", events=events(True, names) + events(False, reversed(names)))
        time.sleep(pause)

    def type_secret(self, text):
        """Types into the field of a secret, which shows a dot for each sign; each key is pressed once."""
        # What looks like dots before anything is typed: those of another field, some signs of the text.
        others = set(self._lines_of_dots())
        for count, letter in enumerate(text, 1):
            self.keys(PLAIN.get(letter, letter))
            if not self._shows(others, lambda dots: dots == count):
                raise Failure(f"after {count} signs the field shows {self._dots(others)} dots")

    def _shows(self, others, holds, seconds=60):
        """Whether the field comes to show as many dots as they have to be."""
        end = time.monotonic() + seconds
        while not holds(self._dots(others)):
            if time.monotonic() > end:
                return False
            time.sleep(0.3)
        return True

    def _dots(self, others):
        """How many dots are on the screen in a line, beside the lines that were there before."""
        return max((count for place, count in self._lines_of_dots().items() if place not in others), default=0)

    def _lines_of_dots(self):
        """The most dots in a row of each line that has some, by its height: as wide as each other, and as far from each other."""
        path = f"{self.place}/dots.ppm"
        self.ask("screendump", filename=path, format="ppm")
        with open(path, "rb") as file:
            file.readline()
            width, height = map(int, file.readline().split())
            file.readline()
            pixels = file.read()

        def runs(row):
            line = pixels[row * width * 3:(row + 1) * width * 3:3]
            return [(match.start(), match.end()) for match in re.finditer(rb"[\x00-\x60]+", line)]

        lines, place, last_row = {}, 0, 0
        for row in range(8, height, 2):
            # As wide as a dot in its middle, and not there a dot's height above and below.
            most, count, last, outside = 0, 0, None, [*runs(row - 6), *runs(min(row + 6, height - 1))]
            for start, end in runs(row):
                is_dot = 7 <= end - start <= 10 and not any(other < end and start < stop for other, stop in outside)
                count = count + 1 if is_dot and count and 12 <= start - last <= 14 else int(is_dot)
                last = start
                most = max(most, count)
            if most:
                # Some rows of one line in a row.
                place = place if place in lines and row - last_row <= 4 else row
                lines[place], last_row = max(lines.get(place, 0), most), row
        return lines

    # The screen

    def picture(self, name="screen"):
        path = f"{self.place}/{name}.png"
        self.ask("screendump", filename=path, format="png")
        return path

    def words(self):
        """The words on the screen, as a reader of pictures reads them."""
        path = self.picture()
        content = open(path, "rb").read()
        if content == self.read[0]:
            return self.read[1]
        large = f"{self.place}/large.png"
        subprocess.run(["convert", path, "-colorspace", "Gray", "-resize", "200%", large], check=True)
        done = subprocess.run(["tesseract", large, "-", "--psm", "11"], capture_output=True, text=True, env={**os.environ, "OMP_THREAD_LIMIT": "1"})
        self.read = (content, re.sub(r"\s+", " ", done.stdout))
        return self.read[1]

    def sees(self, pattern, minutes=20):
        """Waits until words are on the screen; all of them are returned."""
        end = time.monotonic() + 60 * minutes
        words = ""
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise Failure(f"the machine went off while '{pattern}' was waited for")
            words = self.words()
            if re.search(pattern, words, re.I):
                return words
            if "end Kernel panic" in words:
                raise Failure(f"the kernel has ended: {words[-400:]}")
            time.sleep(3)
        raise Failure(f"'{pattern}' did not come on the screen, which says: {words[:400]}")

    def click(self, word):
        """Presses the pointer's button over a word on the screen."""
        self.read = (b"", "")
        self.words()
        done = subprocess.run(["tesseract", f"{self.place}/large.png", "-", "--psm", "11", "tsv"], capture_output=True, text=True)
        boxes = [row.split("\t") for row in done.stdout.splitlines()[1:]]
        box = next((list(map(int, row[6:10])) for row in boxes if len(row) == 12 and row[11] == word), None)
        if not box:
            raise Failure(f"'{word}' is not on the screen")
        self.point((box[0] + box[2] / 2) / 2, (box[1] + box[3] / 2) / 2)
        self.press()

    def press(self):
        """Presses the pointer's button where the pointer is."""
        for down in (True, False):
            self.ask("input-send-event", events=[{"type": "btn", "data": {"button": "left", "down": down}}])
            time.sleep(0.2)

    def opens(self, word, pattern, times=5):
        """Clicks on a word, and again where it was until what it opens is on the screen: a machine under load loses clicks."""
        self.click(word)
        for _ in range(times):
            end = time.monotonic() + 30
            while time.monotonic() < end:
                if self.process.poll() is not None or re.search(pattern, self.words(), re.I):
                    return self.sees(pattern)
                time.sleep(3)
            self.press()
        return self.sees(pattern)

    def point(self, x, y):
        """Moves the pointer to a place on the screen."""
        self.ask("input-send-event", events=[{"type": "abs", "data": {"axis": axis, "value": int(value / size * 32767)}}
                                             for axis, value, size in (("x", x, 1280), ("y", y, 800))])
        time.sleep(1)

    def point_aside(self):
        """Moves the pointer, which is in the middle of the screen at first and hides what is there, to its edge."""
        self.point(1279, 799)

    def codes(self):
        """The texts of codes on the screen, by a decoder that is not ours."""
        done = subprocess.run(["zbarimg", "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", self.picture("code")], capture_output=True, text=True)
        return [line for line in done.stdout.splitlines() if line]

    # The end

    def cut(self):
        """Takes the power away."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()

    def press_power(self, minutes=10):
        """Presses the machine's button, and waits until it is off."""
        self.ask("system_powerdown")
        self.wait(minutes)

    def wait(self, minutes=10):
        try:
            self.process.wait(timeout=60 * minutes)
        except subprocess.TimeoutExpired:
            raise Failure("the machine did not go off") from None


class Agent:
    """Runs commands in the machine, where the second image for tests is booted; the shipped one has nothing of the kind."""

    def __init__(self, connection, machine):
        self.connection, self.machine, self.number, self.rest = connection, machine, 0, b""

    def _line(self, end):
        while b"\n" not in self.rest:
            self.connection.settimeout(max(end - time.monotonic(), 0.01))
            try:
                piece = self.connection.recv(65536)
            except TimeoutError:
                raise Failure("the agent does not answer") from None
            if not piece:
                raise Failure("the machine has ended")
            self.rest += piece
        line, _, self.rest = self.rest.partition(b"\n")
        return line.rstrip(b"\r").decode(errors="replace")

    def ready(self, minutes=20):
        self.until("@agent", minutes)

    def until(self, text, minutes):
        """Waits for a line that holds a text."""
        end = time.monotonic() + 60 * minutes
        seen = []
        while True:
            try:
                line = self._line(end)
            except Failure as failure:
                raise Failure(f"{failure}; it said: {' | '.join(seen[-8:])}") from None
            seen.append(line)
            if text in line:
                return seen

    def lines(self, seconds):
        """What comes within a time, until the end of the machine at the latest."""
        end, lines = time.monotonic() + seconds, []
        try:
            while True:
                lines.append(self._line(end))
        except Failure:
            return lines

    def send(self, script):
        self.number += 1
        self.connection.sendall(f"{self.number} {base64.b64encode(script.encode()).decode()}\n".encode())

    def run(self, script, minutes=20):
        """A shell script as root; status and output."""
        self.send(script)
        lines = self.until(f"@end {self.number} ", minutes)
        begin = lines.index(f"@begin {self.number}")
        return int(lines[-1].split("@end ")[1].split()[1]), "\n".join(lines[begin + 1:-1])

    def output(self, script, minutes=20):
        status, output = self.run(script, minutes)
        if status != 0:
            raise Failure(f"'{script[:80]}' ended with {status}: {output[-400:]}")
        return output


class DiskAgent(Agent):
    """The same by a disk that machine and tests both read and write: a place for each number, of requests and, behind them, of answers."""

    PLACE, COUNT = 1 << 16, 64

    @classmethod
    def prepare(cls, path):
        with open(path, "wb") as file:
            file.write(b"@mailbox")
            file.truncate(2 * cls.PLACE * cls.COUNT)

    def __init__(self, path, machine):
        super().__init__(None, machine)
        self.path = path

    def ready(self, minutes=20):
        self._answer(0, minutes)

    def _answer(self, number, minutes):
        """The lines of an answer, of which the first tells how the script ended."""
        end = time.monotonic() + 60 * minutes
        while time.monotonic() < end:
            if self.machine.process.poll() is not None:
                raise Failure("the machine has ended")
            with open(self.path, "rb") as file:
                file.seek((self.COUNT + number) * self.PLACE)
                lines = file.read(self.PLACE).rstrip(b"\0").decode(errors="replace").splitlines()
            if lines and lines[0].startswith(f"@end {number} "):
                return lines
            time.sleep(0.3)
        raise Failure("the agent does not answer")

    def send(self, script):
        self.number += 1
        with open(self.path, "r+b") as file:
            file.seek(self.number * self.PLACE)
            file.write(script.encode() + b"\n#end\n")

    def run(self, script, minutes=20):
        self.send(script)
        first, *output = self._answer(self.number, minutes)
        return int(first.split()[2]), "\n".join(output)
