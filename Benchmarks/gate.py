"""The gate, nginx and haproxy in front of one WebSocket service, all in one run: handshakes, messages, latency and memory; then what
only the gate does: assertions, registrations, ten thousand connections held. One event loop, one worker, one thread each, where
nothing else is said; nobody logs single connections.

Each proxy has its turn in several rounds, and the best stands. Where other work runs beside, the processor time of the proxy says
more than its pace.

usage: gate.py PROGRAMS_FOLDER BENCHMARKS_FOLDER   (gate, linked statically; bench-gate-devices)
"""
import os
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, f"{here}/peers")
# Nothing is left beside the sources.
sys.dont_write_bytecode = True
from websocket_clients import Devices, Load
from websocket_proxies import Direct, Gate, HAProxy, Nginx, NginxAskingGate, PostgreSQL, mint_authority, raise_file_limit

gate_program = f"{sys.argv[1]}/gate"
devices_program = f"{sys.argv[2]}/bench-gate-devices"

ROUNDS = 3
RATE = 2_000
MEMORY_CONNECTIONS = 2_000
HELD_CONNECTIONS = 10_000
ASSERTIONS = 5_000
ASSERTING_DEVICES = 250
REGISTRATIONS = 500


def best(measurements):
    """The highest pace, and the least processor time for one, in microseconds."""
    return (
        max(result["count"] / result["seconds"] for result in measurements),
        min(result["processor"] / max(1, result["count"]) for result in measurements) * 1e6)


def measure_paces(load, proxies, tls):
    """Handshakes and messages, each proxy in turn, and that several times."""
    handshakes, messages = ({proxy.name: [] for proxy in proxies} for _ in range(2))
    for _ in range(ROUNDS):
        for proxy in proxies:
            handshakes[proxy.name].append(load.handshakes(proxy, tls))
            messages[proxy.name].append(load.messages(proxy, tls))
    return [{name: best(results) for name, results in group.items()} for group in (handshakes, messages)]


def measure_latencies(load, proxies):
    """Microseconds: without a proxy, and what each adds."""
    quantiles = ["p50_us", "p99_us"]
    rounds = [{proxy.name: load.messages(proxy, rate=RATE) for proxy in proxies} for _ in range(ROUNDS)]
    least = {
        proxy.name: {quantile: min(results[proxy.name][quantile] for results in rounds) for quantile in quantiles}
        for proxy in proxies}
    direct = least.pop("direct")
    return direct, {name: {key: value - direct[key] for key, value in times.items()} for name, times in least.items()}


def measure_memory(load, proxy, tls, count):
    """Bytes for each idle connection, of a proxy that has just been started; all of them; and how many connections are alive."""
    before = proxy.resident_bytes()
    after, echoed = load.idle(proxy.port(tls), count, tls, proxy.resident_bytes)
    return (after - before) / count, after, echoed


def measure_registrations(load, gate, devices, first, count):
    """Registers each device and connects it, on one connection; challenges and attestations are there before."""
    nonces, numbers = gate.nonces(2 * count), range(first, first + count)
    bodies = devices.answers(zip(numbers, nonces[:count]))
    fields = devices.answers(zip(numbers, nonces[count:]))
    requests = [
        part for body, field in zip(bodies, fields) for part in (Devices.registration(body), Devices.handshake(field))]
    return best([load.script(gate, requests)])


def measure_assertions(load, gate, devices):
    """Handshakes with an assertion each. No device has two under way."""
    measure_registrations(load, gate, devices, 0, ASSERTING_DEVICES)
    results = []
    for _ in range(ROUNDS):
        fields = devices.answers((number % ASSERTING_DEVICES, nonce) for number, nonce in enumerate(gate.nonces(ASSERTIONS)))
        results.append(load.script(gate, map(Devices.handshake, fields)))
    return best(results)


class Bench:
    """What all measurements share: a folder, a test authority, the service."""

    def __init__(self, folder):
        self.folder = folder
        self.authority = mint_authority(gate_program, folder)
        self.load = Load(folder)

    def gate(self, **settings):
        return Gate(gate_program, self.folder, self.load.port, self.authority, **settings)

    def peers(self, threads=1):
        return [peer(self.folder, self.load.port, self.authority, threads) for peer in (Nginx, HAProxy)]

    def stop(self, *proxies):
        for proxy in proxies:
            proxy.stop()

    def paces(self, tls):
        proxies = [self.gate(tls=tls), self.gate(tls=tls, RELAY_MODE="bytes"), *self.peers()]
        if not tls:
            proxies.append(NginxAskingGate(
                self.folder, self.load.port, self.authority, self.gate(FORWARD_AUTH_PATH="/attest/verify")))
        figures = measure_paces(self.load, proxies, tls)
        self.stop(*proxies)
        return figures

    def shared(self):
        """Handshakes where each proxy has as many threads or workers as there are processors."""
        threads = os.cpu_count()
        settings = {"EVENT_LOOPS": threads}
        proxies = [self.gate(**settings), self.gate(RELAY_MODE="bytes", **settings), *self.peers(threads)]
        figures = {proxy.name: [] for proxy in proxies}
        for _ in range(ROUNDS):
            for proxy in proxies:
                figures[proxy.name].append(self.load.handshakes(proxy, False))
        self.stop(*proxies)
        return {name: best(results) for name, results in figures.items()}

    def latencies(self):
        proxies = [self.gate(), self.gate(RELAY_MODE="bytes"), *self.peers()]
        figures = measure_latencies(self.load, [Direct(self.load.port), *proxies])
        self.stop(*proxies)
        return figures

    def memory(self, tls):
        figures = {}
        for proxy in [self.gate(tls=tls), self.gate(tls=tls, RELAY_MODE="bytes"), *self.peers()]:
            figures[proxy.name] = measure_memory(self.load, proxy, tls, MEMORY_CONNECTIONS)[0]
            proxy.stop()
        return figures

    def held(self, count):
        gate = self.gate()
        figures = measure_memory(self.load, gate, False, count)
        gate.stop()
        return figures

    def admissions(self):
        """With assertions; registered and connected, with the JSON store and with PostgreSQL."""
        devices = Devices(devices_program, self.authority)
        gate = self.gate(requires_auth=True)
        figures = [
            measure_assertions(self.load, gate, devices),
            measure_registrations(self.load, gate, devices, ASSERTING_DEVICES, REGISTRATIONS)]
        gate.stop()
        database = PostgreSQL(self.folder)
        gate = self.gate(requires_auth=True, STORE_URL=database.url, NONCE_STORE_URL=database.url)
        figures.append(measure_registrations(self.load, gate, devices, ASSERTING_DEVICES + REGISTRATIONS, REGISTRATIONS))
        gate.stop()
        database.stop()
        devices.stop()
        return figures


def row(what, figures, unit, target="", ratio=True):
    """A line of the table: of the gate, which reads frames or passes bytes on unread, nginx and haproxy, as many as there are."""
    names = ["gate", "gate-bytes", "nginx", "haproxy"]
    cells = [f"{figures[name]:,.{unit[0]}f}{unit[1]}" if name in figures else "" for name in names]
    against = [
        f"{figures[name] / figures['nginx']:.2f}" if ratio and "nginx" in figures and name in figures else ""
        for name in names[:2]]
    print(f"| {' | '.join([what, *cells, *against, target])} |", flush=True)


def behind(figures):
    """nginx that asks the gate, beside nginx alone."""
    return {"gate": figures["nginx-gate"], "nginx": figures["nginx"]}


def pace_rows(what, one, figures, target):
    row(f"{what}/s", {name: figure[0] for name, figure in figures.items()}, (0, ""), target)
    row(f"processor time of a {one}", {name: figure[1] for name, figure in figures.items()}, (1, " µs"))


# Some stay free for those on whom nobody has let in yet.
held_count = min(HELD_CONNECTIONS, (raise_file_limit() - 1_100) // 2)
with tempfile.TemporaryDirectory() as folder:
    bench = Bench(folder)
    print(
        "| what | gate | gate, bytes unread | nginx | haproxy | gate / nginx | bytes unread / nginx | target |\n"
        "|---|---|---|---|---|---|---|---|")
    plain_handshakes, plain_messages = bench.paces(tls=False)
    pace_rows("handshakes", "handshake", plain_handshakes, "4,500")
    pace_rows("handshakes, a thread for each processor", "handshake then", bench.shared(), "")
    pace_rows("handshakes of nginx that asks the gate", "handshake that nginx asks about", behind(plain_handshakes), "")
    assertions, *registrations = bench.admissions()
    pace_rows("handshakes with an assertion", "handshake with an assertion", {"gate": assertions}, "2,500")
    tls_handshakes, tls_messages = bench.paces(tls=True)
    pace_rows("TLS 1.3 handshakes, full", "TLS handshake", tls_handshakes, "700")
    pace_rows("messages of 64 bytes and back", "message and back", plain_messages, "40,000")
    pace_rows("messages by nginx that asked the gate", "message by nginx", behind(plain_messages), "")
    pace_rows("messages over TLS", "message over TLS", tls_messages, "25,000")
    direct, added = bench.latencies()
    for quantile, target in [("p50", "60 µs"), ("p99", "")]:
        row(
            f"added {quantile} at {RATE:,} messages/s ({direct[f'{quantile}_us']:.0f} µs without)",
            {name: times[f"{quantile}_us"] for name, times in added.items()}, (0, " µs"), target, ratio=False)
    for tls, target in [(False, "16 kB"), (True, "40 kB")]:
        memory = {name: size / 1e3 for name, size in bench.memory(tls).items()}
        row(f"memory of an idle connection{', TLS' * tls}", memory, (1, " kB"), target)
    each, whole, echoed = bench.held(held_count)
    row(f"{held_count:,} connections held: memory of one", {"gate": each / 1e3}, (1, " kB"))
    row("their memory together", {"gate": whole / 1e6}, (0, " MB"))
    row("that echo a message then", {"gate": echoed}, (0, ""), f"{held_count:,}")
    pace_rows("registered and connected, JSON store", "registration and connection", {"gate": registrations[0]}, "")
    pace_rows("the same, PostgreSQL", "registration and connection", {"gate": registrations[1]}, "")
    bench.load.stop()
