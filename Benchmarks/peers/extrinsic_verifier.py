"""Whether a signed transaction is what a chain takes, by libraries that share nothing with ours: py-sr25519-bindings (Rust), the
cryptography package (OpenSSL), pycryptodome (Keccak). Takes lines of JSON on standard input, and says for each what it verified.

A line: {"name", "scheme", "extrinsic", "payload" (the SignerPayloadJSON), "publicKey" (ecdsa), "metadataHash" (or null), "hasAsset"}
"""
import hashlib
import json
import sys

import sr25519
from Crypto.Hash import keccak
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, utils
from cryptography.hazmat.primitives.hashes import SHA256

ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def blake2(data):
    return hashlib.blake2b(data, digest_size=32).digest()


def account(address):
    if address.startswith("0x"):
        return bytes.fromhex(address[2:])
    number = 0
    for letter in address:
        number = number * 58 + ALPHABET.index(letter)
    raw = number.to_bytes((number.bit_length() + 7) // 8, "big")
    if address.startswith("1"):
        raw = b"\0" * (35 - len(raw)) + raw
    assert hashlib.blake2b(b"SS58PRE" + raw[:-2]).digest()[:2] == raw[-2:]
    return raw[-34:-2]


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        part = self.data[self.at:self.at + count]
        assert len(part) == count, "the transaction ends too early"
        self.at += count
        return part

    def compact(self):
        first = self.take(1)[0]
        mode = first & 3
        if mode == 0:
            return first >> 2
        if mode == 3:
            return int.from_bytes(self.take((first >> 2) + 4), "little")
        return int.from_bytes(bytes([first]) + self.take(1 if mode == 1 else 3), "little") >> 2


def recovers(signature, digest, address):
    """Tries both points of secp256k1 that the signature can be of, by arithmetic of its own."""
    p = 2**256 - 2**32 - 977
    n = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
    g = (0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798,
         0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8)

    def add(one, two):
        if one is None or two is None:
            return one or two
        if one[0] == two[0]:
            if (one[1] + two[1]) % p == 0:
                return None
            slope = 3 * one[0] * one[0] * pow(2 * one[1], -1, p)
        else:
            slope = (two[1] - one[1]) * pow(two[0] - one[0], -1, p)
        x = (slope * slope - one[0] - two[0]) % p
        return x, (slope * (one[0] - x) - one[1]) % p

    def times(point, number):
        result = None
        while number:
            if number & 1:
                result = add(result, point)
            point, number = add(point, point), number >> 1
        return result

    r, s, parity = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:64], "big"), signature[64]
    y = pow(r**3 + 7, (p + 1) // 4, p)
    if y & 1 != parity:
        y = p - y
    inverse = pow(r, -1, n)
    point = add(times((r, y), s * inverse % n), times(g, -int.from_bytes(digest, "big") * inverse % n))
    key = point[0].to_bytes(32, "big") + point[1].to_bytes(32, "big")
    return keccak.new(digest_bits=256, data=key).digest()[-20:] == address


def verify(case):
    payload, scheme = case["payload"], case["scheme"]
    outer = Reader(bytes.fromhex(case["extrinsic"][2:]))
    body = Reader(outer.take(outer.compact()))
    assert outer.at == len(outer.data) and body.take(1) == b"\x84", "the transaction is no signed one of version 4"
    who = account(payload["address"])
    if scheme == "ethereum":
        assert body.take(20) == who
        signature = body.take(65)
    else:
        assert body.take(1) == b"\0" and body.take(32) == who
        kind = body.take(1)[0]
        assert kind == {"ed25519": 0, "sr25519": 1, "ecdsa": 2}[scheme]
        signature = body.take(65 if kind == 2 else 64)
    start = body.at
    era = bytes.fromhex(payload["era"][2:])
    assert body.take(len(era)) == era and body.compact() == int(payload["nonce"], 16)
    assert body.compact() == int(payload["tip"], 16)
    if case["hasAsset"]:
        assert body.take(1) == b"\0"
    checked = payload["signedExtensions"][-1] == "CheckMetadataHash"
    if checked:
        assert body.take(1) == (b"\1" if case["metadataHash"] else b"\0")
    included, call = body.data[start:body.at], body.data[body.at:]
    assert call == bytes.fromhex(payload["method"][2:]), "the call is another"
    additional = int(payload["specVersion"], 16).to_bytes(4, "little")
    additional += int(payload["transactionVersion"], 16).to_bytes(4, "little")
    additional += bytes.fromhex(payload["genesisHash"][2:] + payload["blockHash"][2:])
    if checked:
        additional += b"\1" + bytes.fromhex(case["metadataHash"]) if case["metadataHash"] else b"\0"
    message = call + included + additional
    if len(message) > 256:
        message = blake2(message)
    if scheme == "sr25519":
        assert sr25519.verify(signature, message, who)
    elif scheme == "ed25519":
        ed25519.Ed25519PublicKey.from_public_bytes(who).verify(signature, message)
    elif scheme == "ecdsa":
        key = bytes.fromhex(case["publicKey"].removeprefix("0x"))
        assert blake2(key) == who
        der = utils.encode_dss_signature(int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:64], "big"))
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256K1(), key).verify(
            der, blake2(message), ec.ECDSA(utils.Prehashed(SHA256())))
    else:
        assert recovers(signature, keccak.new(digest_bits=256, data=message).digest(), who)
    return len(message)


for line in sys.stdin:
    case = json.loads(line)
    verify(case)
    print(case["name"])
