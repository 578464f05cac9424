"""The load generator for WebSocket proxies, the service behind them, and the devices of their clients."""
import glob
import json
import os
import subprocess
import sys
import time

from websocket_proxies import APP_ID, start, write

CONCURRENCY = 32
MESSAGE_CONNECTIONS = 50
SECONDS = 2

here = os.path.dirname(os.path.abspath(__file__))


class Load:
    """The load generator, and the service behind the proxies."""

    def __init__(self, folder):
        self.program = f"{folder}/websocket_load"
        sources = sorted(glob.glob(f"{here}/websocket_load/*.c"))
        subprocess.run(
            ["gcc", "-O2", "-std=gnu17", "-D_GNU_SOURCE", "-o", self.program, *sources, "-lssl", "-lcrypto"], check=True)
        self.service = start([self.program, "echo", "0"], stdout=subprocess.PIPE, text=True)
        self.port = int(self.service.stdout.readline())

    def run(self, mode, port, *options, tls=False, processes=()):
        asked = [text for process in processes for text in ("--process", str(process))]
        command = [self.program, mode, str(port), *asked, *map(str, options)]
        result = subprocess.run(command + ["--tls"] * tls, stdout=subprocess.PIPE, text=True)
        if result.returncode != 0:
            sys.exit(f"{' '.join(command)} ended with {result.returncode}")
        return json.loads(result.stdout)

    def handshakes(self, proxy, tls=False):
        return self.counted(proxy, tls, "--seconds", SECONDS)

    def script(self, proxy, requests):
        """Sends requests, each with the status that is expected; 101 ends a connection."""
        text = "".join(f"{status} {len(request)}\n{request}" for status, request in requests)
        return self.counted(proxy, False, "--script", write(f"{self.program}.script", text))

    def counted(self, proxy, tls, *options):
        result = self.run(
            "handshakes", proxy.port(tls), "--connections", CONCURRENCY, *options, tls=tls, processes=proxy.workers)
        if result["failed"] > result["count"] / 100:
            sys.exit(f"{proxy.name}: {result['count']} handshakes, and {result['failed']} that failed")
        return result

    def messages(self, proxy, tls=False, rate=0):
        options = ["--connections", MESSAGE_CONNECTIONS, "--seconds", SECONDS, "--rate", rate]
        return self.run("messages", proxy.port(tls), *options, tls=tls, processes=proxy.workers)

    def idle(self, port, count, tls, measure):
        """Opens connections, calls `measure`, has each of them echo a message, and says how many did."""
        command = [self.program, "idle", str(port), "--connections", str(count), "--sources", "8", *["--tls"] * tls]
        process = start(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        opened = json.loads(process.stdout.readline())
        if opened["open"] != count:
            sys.exit(f"{count - opened['open']} of {count} connections were not opened")
        # What is freed later than at once is not what a connection costs.
        time.sleep(1)
        figure = measure()
        process.stdin.write("echo\n")
        process.stdin.flush()
        echoed = json.loads(process.stdout.readline())["echoed"]
        process.stdin.close()
        process.wait()
        return figure, echoed

    def stop(self):
        self.service.kill()
        self.service.wait()


class Devices:
    """Devices of a test authority, and the requests that they send."""

    def __init__(self, program, authority):
        self.process = start(
            [program, authority, APP_ID], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def answers(self, questions):
        """Each question is a device and a nonce."""
        answers = []
        for device, nonce in questions:
            self.process.stdin.write(f"{device} {nonce}\n")
            self.process.stdin.flush()
            answers.append(self.process.stdout.readline().rstrip("\n"))
        return answers

    def stop(self):
        self.process.stdin.close()
        self.process.wait()

    @staticmethod
    def registration(body):
        head = f"POST /attest/register HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        return 200, head + body

    @staticmethod
    def handshake(fields):
        lines = [
            "GET /bench HTTP/1.1", "Host: localhost", "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
            # The key of RFC 6455, section 1.3, whose answer the load generator knows.
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", *fields.split("\t")]
        return 101, "\r\n".join(lines) + "\r\n\r\n"
