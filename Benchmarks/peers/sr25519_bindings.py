"""py-sr25519-bindings (Rust schnorrkel): microseconds of processor time per operation, best of several rounds."""
import json
import os
import time

import sr25519

import memory


def best(operation, count=200, rounds=9):
    least = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        for _ in range(count):
            operation()
        least = min(least, (time.process_time() - start) / count)
    return least * 1e6


seed = os.urandom(32)
public, secret = sr25519.pair_from_seed(seed)
message = os.urandom(120)
signature = sr25519.sign((public, secret), message)
chain = bytes(32)

for name, operation in {
    "from_seed": lambda: sr25519.pair_from_seed(seed),
    "sign_120B": lambda: sr25519.sign((public, secret), message),
    "verify_120B": lambda: sr25519.verify(signature, message, public),
    "hard_derive": lambda: sr25519.hard_derive_keypair((chain, public, secret), b""),
    "soft_derive": lambda: sr25519.derive_keypair((chain, public, secret), b""),
    "soft_public": lambda: sr25519.derive_pubkey((chain, public), b""),
}.items():
    print(json.dumps({"op": name, "kB": memory.peak(operation), "us": best(operation)}))
