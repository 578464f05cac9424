"""The window beside a page in a browser: time to the first picture, memory, what a moving code costs.

usage: window.py PROGRAMS HOST     (the folder of casemate-window and casemate-worker; AdwaitaTestHost)

Both draw on the same virtual screen (Xvfb). The page is as small as a page can be that shows the same: a list, or a moving code of 600 pixels
that changes 30 times a second. The window's moving code and the times of its pages are told by AdwaitaTestHost, which draws sample pages
with the widgets of the program. The bars are those of docs/formats/signer-face.md, section 6.
"""
import functools
import http.server
import mmap
import os
import pathlib
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

ROUNDS = 5
SIZE = (1000, 700)
FILM_SECONDS = 10

LIST = """<!doctype html><meta charset=utf-8><style>body{font:16px sans-serif;margin:2em;background:#fafafa}
li{background:#fff;padding:1em;margin:.5em;border-radius:12px;list-style:none}</style><h1>Key sets</h1><ul>%s</ul>""" % "".join(
    f"<li>Seed {i}<br><code>5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY</code></li>" for i in range(8))
# Black and white modules that change as those of a moving code do.
FILM = """<!doctype html><meta charset=utf-8><canvas id=c width=600 height=600></canvas><script>
const g=document.getElementById('c').getContext('2d');let n=0;
setInterval(()=>{n++;for(let y=0;y<100;y++)for(let x=0;x<100;x++){g.fillStyle=((x*31+y*17+n*(x^y))&4)?'#000':'#fff';g.fillRect(x*6,y*6,6,6)}},1000/30)
</script>"""


class Screen:
    """A virtual screen whose pixels are read from the file that Xvfb keeps them in."""

    def __init__(self):
        self.folder = tempfile.mkdtemp()
        reading, writing = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-noreset", "-screen", "0", f"{SIZE[0]}x{SIZE[1]}x24", "-fbdir", self.folder],
            pass_fds=[writing], stderr=subprocess.DEVNULL)
        os.close(writing)
        self.display = ":" + os.read(reading, 16).decode().strip()
        with open(next(pathlib.Path(self.folder).iterdir()), "rb") as file:
            self.pixels = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)

    def shown(self):
        """The share of sampled pixels that are not the black of an empty screen."""
        data = self.pixels[4096::4 * 997]
        return sum(1 for byte in data if byte) / len(data)

    def wait_dark(self):
        while self.shown() > 0.01:
            time.sleep(0.02)

    def close(self):
        self.server.terminate()
        self.server.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def tree(pid):
    """A process and all below it."""
    pids = [pid]
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except (OSError, ValueError):
                continue
            if parent == pid:
                pids += tree(int(entry.name))
    return pids


def memory(pid):
    """Proportional set size of a process and all below it, in MB, and how many they are."""
    total, count = 0, 0
    for each in tree(pid):
        try:
            lines = pathlib.Path(f"/proc/{each}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        total += next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)
        count += 1
    return total / 1000, count


def processor(pid):
    """Seconds of processor time of a process and all below it."""
    ticks = 0
    for each in tree(pid):
        try:
            fields = pathlib.Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
        except OSError:
            continue
    return ticks / os.sysconf("SC_CLK_TCK")


class Running:
    def __init__(self, screen, command, home):
        screen.wait_dark()
        environment = {"DISPLAY": screen.display, "HOME": home, "PATH": os.environ["PATH"], "XDG_RUNTIME_DIR": home, "LANG": "C.UTF-8"}
        self.began = time.monotonic()
        self.process = subprocess.Popen(
            command, env=environment, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def first_picture(self, screen):
        while screen.shown() < 0.3:
            if self.process.poll() is not None:
                sys.exit(f"{self.process.args[0]} ended with {self.process.returncode} before it showed anything")
            if time.monotonic() - self.began > 60:
                sys.exit(f"{self.process.args[0]} showed nothing within a minute")
            time.sleep(0.002)
        return time.monotonic() - self.began

    def end(self):
        os.killpg(self.process.pid, signal.SIGTERM)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


def measure(screen, command, home, film):
    times, memories, shares = [], [], []
    for _ in range(ROUNDS):
        running = Running(screen, command(home, False), home)
        times.append(running.first_picture(screen))
        time.sleep(2)
        memories.append(memory(running.process.pid))
        running.end()
    if film:
        running = Running(screen, command(home, True), home)
        running.first_picture(screen)
        time.sleep(3)
        before = processor(running.process.pid)
        time.sleep(FILM_SECONDS)
        shares.append((processor(running.process.pid) - before) / FILM_SECONDS)
        running.end()
    return statistics.median(times), statistics.median(m for m, _ in memories), memories[-1][1], shares[0] if shares else None


def sample_pages(screen, host):
    """What the host of the widgets' tests says of its pages: the share of a processor of a moving code, and a table of pages."""
    environment = {**os.environ, "DISPLAY": screen.display, "GSK_RENDERER": "cairo", "GTK_A11Y": "none"}
    output = subprocess.run([host, "measure"], env=environment, capture_output=True, text=True, timeout=300).stdout
    share = re.search(r"film of 30 codes a second, (\d+) pixels: ([\d.]+) %", output)
    pages = re.findall(r"^(\w+), later: made in ([\d.]+) ms, drawn after ([\d.]+) ms, ([\d.]+) ms", output, re.M)
    return float(share.group(2)) / 100 if share else None, pages


def serve(folder):
    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]


def main():
    programs, host = pathlib.Path(sys.argv[1]), sys.argv[2]
    if not shutil.which("Xvfb"):
        print("skipped: Xvfb is not installed (apt-get install xvfb)")
        return
    screen = Screen()
    rows = []
    try:
        with tempfile.TemporaryDirectory() as home:
            def window(home, film):
                return [programs / "casemate-window", "--demo"]

            rows.append(["casemate-window", *measure(screen, window, home, film=False)])
        screen.wait_dark()
        rows[0][4], pages = sample_pages(screen, host)
        browser = shutil.which("chromium")
        if browser:
            with tempfile.TemporaryDirectory() as home:
                (pathlib.Path(home) / "list.html").write_text(LIST)
                (pathlib.Path(home) / "film.html").write_text(FILM)
                port = serve(home)

                def page(home, film):
                    profile = tempfile.mkdtemp(dir=home)
                    return [browser, "--no-sandbox", "--no-first-run", "--disable-gpu", f"--user-data-dir={profile}",
                            f"--window-size={SIZE[0]},{SIZE[1]}", "--window-position=0,0",
                            f"--app=http://127.0.0.1:{port}/{'film' if film else 'list'}.html"]

                rows.append(("page in Chromium", *measure(screen, page, home, film=True)))
    finally:
        screen.close()
    print("| | first picture, median | memory (PSS) | processes | moving code, 30 a second, of one processor |\n|---|---|---|---|---|")
    for name, seconds, size, count, share in rows:
        print(f"| {name} | {seconds:.2f} s | {size:.0f} MB | {count} | {'' if share is None else f'{100 * share:.1f} %'} |")
    if len(rows) == 2:
        ours, page = rows
        print(f"| ratio | {ours[1] / page[1]:.2f} | {ours[2] / page[2]:.2f} | | {ours[4] / page[4]:.2f} |")
    print("\n| page | made | drawn after | processor |\n|---|---|---|---|")
    for name, made, drawn, processor_time in pages:
        print(f"| {name} | {made} ms | {drawn} ms | {processor_time} ms |")
    if not browser:
        print("\nThe page: skipped, chromium is not installed.")


if __name__ == "__main__":
    main()
