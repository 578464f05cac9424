"""The gate against the connections that it holds: its memory, and what a handshake and a message cost beside them.

usage: gate_connections.py PROGRAMS PICTURE
"""
import os
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, f"{here}/../peers")
from curves import Family, finish, show_count
from websocket_clients import Load
from websocket_proxies import Gate, mint_authority, raise_file_limit

ROUNDS = 3
RATE = 2_000
# Each connection is two files in the gate; some stay free for those on whom nobody has let in yet.
RESERVE = 1_500

programs, picture = sys.argv[1:]
most = min(50_000, (raise_file_limit() - RESERVE) // 2)
sizes = [size for size in (10, 100, 1_000, 3_000, 10_000, 30_000) if size < most] + [most]


def cost(load, gate, held):
    """While `held` connections are open and idle: bytes of memory; microseconds of processor time of a handshake and of a message, and
    of the clock for the median message there and back."""
    before = gate.resident_bytes()

    def figures():
        memory = gate.resident_bytes() - before
        rounds = [(load.handshakes(gate), load.messages(gate), load.messages(gate, rate=RATE)) for _ in range(ROUNDS)]
        processor = [min(result["processor"] / result["count"] * 1e6 for result in results) for results in zip(*rounds)]
        return memory, *processor[:2], min(paced["p50_us"] for _, _, paced in rounds)

    found, echoed = load.idle(gate.port(False), held, False, figures)
    if echoed != held:
        sys.exit(f"{held - echoed} of {held} connections were lost")
    return found


family = Family("The gate by connections held", "connections held", show_count)
with tempfile.TemporaryDirectory() as folder:
    load = Load(folder)
    authority = mint_authority(f"{programs}/gate", folder)
    for size in sizes:
        gate = Gate(f"{programs}/gate", folder, load.port, authority)
        memory, handshake, message, latency = cost(load, gate, size)
        family.add("held", size, memory=memory)
        family.add("handshake", size, handshake)
        family.add("message", size, message)
        family.add("message there and back, median", size, latency)
        gate.stop()
    load.stop()
finish((family, picture))
