"""wasm3, an interpreter in C, through its Python package: JSON lines {"op", "file", "ms", "result"}, the best of many runs.

usage: wasm3_peer.py MODULE
"""
import json
import sys
import time

import wasm3

import memory

environment = wasm3.Environment()
runtime = environment.new_runtime(1 << 20)
with open(sys.argv[1], "rb") as file:
    module = environment.parse_module(file.read())
runtime.load(module)
for name, argument in [("hash", 20_000), ("fibonacci", 30), ("sort", 100_000), ("collatz", 50_000)]:
    function = runtime.find_function(name)
    kilobytes = memory.peak(lambda: function(argument))
    start, least, runs = time.thread_time(), float("inf"), 0
    while runs < 3 or time.thread_time() - start < 1:
        begin = time.thread_time()
        result = function(argument)
        least = min(least, time.thread_time() - begin)
        runs += 1
    print(json.dumps({"op": name, "file": str(argument), "kB": kilobytes, "ms": least * 1e3, "result": result & 0xFFFFFFFF}), flush=True)
