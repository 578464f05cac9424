"""Attestation and assertion by PyPI's pyattest, in processor time.

usage: appattest_peer.py FILE    (as `bench-appattest mint` wrote it)
It verifies no receipts, and of an assertion the signature alone.
"""
import asyncio
import json
import sys
import time
from hashlib import sha256

from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey
from pyattest.assertion import Assertion
from pyattest.attestation import Attestation
from pyattest.configs.apple import AppleConfig

import memory

with open(sys.argv[1]) as file:
    inputs = json.load(file)
root = inputs["anchors"].split("-----END CERTIFICATE-----")[0] + "-----END CERTIFICATE-----\n"
challenge = bytes(inputs["challenge"])
attestation, assertion = bytes(inputs["attestation"]), bytes(inputs["assertion"])
config = AppleConfig(key_id=bytes(inputs["keyID"]), app_id=inputs["appID"], production=True, root_ca=root.encode())
key = EllipticCurvePublicKey.from_encoded_point(SECP256R1(), bytes(inputs["publicKey"]))
client_data_hash = sha256(challenge).digest()


async def best(name, count, operation, rounds=10):
    before = memory.field("self", "VmHWM")
    await operation()
    kilobytes = memory.field("self", "VmHWM") - before
    least = float("inf")
    for _ in range(rounds):
        began = time.process_time()
        for _ in range(count):
            await operation()
        least = min(least, (time.process_time() - began) / count)
    print(json.dumps({"op": name, "kB": kilobytes, "us": least * 1e6}))


async def attest():
    await Attestation(attestation, challenge, config).verify()


async def assert_():
    Assertion(assertion, client_data_hash, key, config).verify()


async def main():
    await best("attestation", 5, attest)
    await best("assertion", 500, assert_)


asyncio.run(main())
