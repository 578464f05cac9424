"""The Rust crate raptorq through its Python package: JSON lines {"op", "file", "ms"}, the best of many runs.

usage: raptorq_peer.py [T [K,K,...]]
"""
import json
import random
import sys
import time

import raptorq

import memory

symbol_size = int(sys.argv[1]) if len(sys.argv) > 1 else 1280
counts = [int(count) for count in (sys.argv[2] if len(sys.argv) > 2 else "100,1000,10000").split(",")]
rng = random.Random(6330)


def best(work, budget=1.0):
    """Milliseconds of processor time and kB of memory, and what the last run gave."""
    kilobytes = memory.peak(work)
    start, least, runs = time.thread_time(), float("inf"), 0
    while runs < 3 or time.thread_time() - start < budget:
        begin = time.thread_time()
        result = work()
        least = min(least, time.thread_time() - begin)
        runs += 1
    return {"kB": kilobytes, "ms": least * 1e3}, result


def report(op, size, figures):
    print(json.dumps({"op": op, "file": size, **figures}), flush=True)


def decode(size, packets):
    decoder = raptorq.Decoder.with_defaults(size, symbol_size)
    for packet in packets:
        result = decoder.decode(packet)
        if result is not None:
            return result


payload = rng.randbytes(200_000)
figures, _ = best(lambda: raptorq.Encoder.with_defaults(payload, 1072).get_encoded_packets(1))
report("first_repair_frame_warm", "200 kB", figures)
for count in counts:
    name = f"K={count}"
    data = rng.randbytes(count * symbol_size)
    figures, _ = best(lambda: raptorq.Encoder.with_defaults(data, symbol_size).get_encoded_packets(0))
    report("encode", name, figures)
    figures, packets = best(lambda: raptorq.Encoder.with_defaults(data, symbol_size).get_encoded_packets(count))
    report("encode_and_K_repair", name, figures)
    for percent in (0, 5, 10, 100):
        lost = set(rng.sample(range(count), count * percent // 100))
        order = [packet for index, packet in enumerate(packets) if index not in lost]
        figures, result = best(lambda: decode(len(data), order))
        if result != data:
            sys.exit(f"the peer did not decode {name} with {percent} % lost")
        report(f"decode_{percent}%_lost", name, figures)
