"""Metadata as films, full and packed; and transactions of a dapp that go over the air gap and back, verified by libraries that share
nothing with ours.

usage: hot_side.py BUILT DATA PYTHON   (the programs; the folder signer-wire of the known answers; an interpreter with the peers)
"""
import http.server
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading

built, data, interpreter = sys.argv[1:]
data = pathlib.Path(data)
PHRASE = "bottom drive obey lake curtain smoke basket hold race lonely fit walk"
ASSET_HUB = "68d56f15f85d3136970ec16946040bc1752654e906147f7e43e9d539d7c3de2f"
WESTEND = "e143f23803ac50e8f6f8e62695d1ce9e4e1d68aa36c1cd2cfd15340213f3423e"
BOB = "8eaf04151687736326c9fea17e25fc5287613693c912909cb226aa4794f26a48"


def hexed(blob):
    return "0x" + blob.hex()


def optional(blob):
    """SCALE of a present `Option<Vec<u8>>` of 16 KiB and more."""
    return b"\1" + (len(blob) << 2 | 2).to_bytes(4, "little") + blob


def checking(blob):
    """Moonbeam's metadata with the extension that checks the metadata hash, which no captured chain of Ethereum's accounts has: the mode
    is a `u8` (type 2), what is signed an `Option` of 32 bytes (type 32)."""
    first = blob.rindex(b"\x48CheckNonZeroSender")
    last = blob.rindex(b"\x60ChargeTransactionPayment") + 25
    assert blob[first - 1] == 8 << 2 and blob[last] & 3 == 1 and blob[last + 2] & 3 == 0
    added = b"\x44CheckMetadataHash" + bytes([2 << 2, 32 << 2])
    return blob[:first - 1] + bytes([9 << 2]) + blob[first:last + 3] + added + blob[last + 3:]


class Node:
    """A node on this machine that tells one metadata."""

    def __init__(self, file, genesis, prefix, decimals, unit):
        blob = (data / "metadata" / file).read_bytes()
        if file.startswith("moonbeam"):
            blob = checking(blob)
        block = "0x" + "aa" * 32
        self.answers = {
            ("chain_getBlockHash", "[0]"): "0x" + genesis, ("chain_getBlockHash", "[]"): block,
            ("state_getMetadata", "[]"): hexed(blob), ("state_getMetadata", json.dumps([block])): hexed(blob),
            ("state_call", json.dumps(["Metadata_metadata_versions", "0x", block])): "0x080e0000000f000000",
            ("state_call", json.dumps(["Metadata_metadata_at_version", "0x0f000000", block])): hexed(optional(blob)),
            ("system_properties", "[]"): {"ss58Format": prefix, "tokenDecimals": decimals, "tokenSymbol": unit},
        }
        node = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                question = json.loads(self.rfile.read(int(self.headers["content-length"])))
                result = node.answers[question["method"], json.dumps(question["params"])]
                body = json.dumps({"jsonrpc": "2.0", "id": question["id"], "result": result}).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"


def run(program, *arguments, secrets=()):
    """Secrets are read from descriptors: fd:0 among the arguments becomes the number of the first."""
    descriptors = []
    for secret in secrets:
        reading, writing = os.pipe()
        os.write(writing, secret.encode())
        os.close(writing)
        descriptors.append(reading)
    arguments = [str(descriptors[int(word[3:])]) if word.startswith("fd:") else word for word in arguments]
    done = subprocess.run([f"{built}/{program}", *arguments], capture_output=True, text=True, pass_fds=descriptors)
    for descriptor in descriptors:
        os.close(descriptor)
    if done.returncode != 0:
        sys.exit(f"{program} {' '.join(arguments)}: {done.stderr}")
    return done.stdout


class Machine:
    """A hot database, and a vault without protection that has the development phrase."""

    def __init__(self, folder):
        self.folder = folder
        self.database = ["--hot-db-path", f"{folder}/hot.sqlite"]
        self.vault = ["--vault", f"{folder}/vault"]

    def hot(self, *arguments):
        return run("generate-message", *arguments, *self.database)

    def cold(self, *arguments, secrets=()):
        return run("casemate", *arguments, *self.vault, secrets=secrets)

    def fetch(self, node, *options):
        words = ["load-metadata", "-d", "-u", node.url, "--files-dir", self.folder, "--json", *options]
        return json.loads(self.hot(*words))[0]

    def film(self, kind, file, *word):
        words = ["make", "--msg", kind, "--payload", file, "--name", f"{self.folder}/update", "--json", *word]
        return json.loads(run("generate-message", *words))

    def start_vault(self):
        self.cold("init", "--none", "--network-allowed")
        self.cold("seed", "recover", "demo", "--phrase-fd", "fd:0", secrets=[PHRASE])

    def take(self, kind, file):
        film = self.film(kind, file, "--verifier-alice", "sr25519")["film"]["path"]
        self.cold("update", "--qr", film, "--yes")


def films(folder):
    print("| metadata | form | bytes | codes | seconds at 15 a second |")
    print("|---|---|---|---|---|")
    machine = Machine(folder)
    for name, file, prefix, decimals, unit in [
        ("Polkadot 1001002, V15", "polkadot_v15.scale", 0, 10, "DOT"), ("Kusama 1001002, V15", "kusama_v15.scale", 2, 12, "KSM"),
        ("Polkadot Asset Hub 2000000, V15", "statemint2000000_v15.scale", 0, 10, "DOT"),
    ]:
        node = Node(file, "11" * 32, prefix, decimals, unit)
        for form, kind, options in [("full", "load-metadata", []), ("packed", "load-packed-metadata", ["--packed"])]:
            made = machine.film(kind, machine.fetch(node, *options)["file"], "--goal", "qr")
            needed = made["film"]["needed"]
            print(f"| {name} | {form} | {made['bytes']:,} | {needed} | {needed / 15:.1f} |")


def payload(address, genesis, method, spec, transaction, extensions):
    return {
        "address": address, "assetId": None, "blockHash": "0x" + "53" * 32, "blockNumber": "0x0000001b", "era": "0xb501",
        "genesisHash": "0x" + genesis, "metadataHash": None, "method": "0x" + method, "mode": 0, "nonce": "0x0000002e",
        "signedExtensions": extensions, "specVersion": f"0x{spec:08x}", "tip": "0x" + "0" * 32,
        "transactionVersion": f"0x{transaction:08x}", "version": 4, "withSignedTransaction": True,
    }


USUAL = ["CheckSpecVersion", "CheckTxVersion", "CheckGenesis", "CheckMortality", "CheckNonce", "CheckWeight"]
PLACES = {
    "westend": dict(
        file="westend9122.scale", genesis=WESTEND, prefix=42, decimals=12, unit="WND", known="westend", format="14",
        method=f"040300{BOB}070010a5d4e8", spec=9122, transaction=7, extensions=[*USUAL, "ChargeTransactionPayment"]),
    "statemint": dict(
        file="statemint2000000_v15.scale", genesis=ASSET_HUB, prefix=0, decimals=10, unit="DOT", known="statemint", format="15",
        method=f"0a0300{BOB}070010a5d4e8", spec=2_000_000, transaction=15,
        extensions=["CheckNonZeroSender", *USUAL, "ChargeAssetTxPayment", "CheckMetadataHash"]),
    "moonbase": dict(
        file="moonbase1802.scale", genesis="91bc6e169807aaa54802737e1c504b2577d4fafedd5a02c10293b1cd60e39527", prefix=1287,
        decimals=18, unit="DEV", known=None, format="14", method=f"0303{'12' * 20}070010a5d4e8", spec=1802, transaction=2,
        extensions=[*USUAL, "ChargeTransactionPayment"]),
    "moonbeam": dict(
        file="moonbeam_v15.scale", genesis="fe58ea77779b7abda7da4ec526d14db9b1e9cd40a217c34892af80a9b332b76d", prefix=1284,
        decimals=18, unit="GLMR", known=None, format="15", method=f"0a03{'12' * 20}070010a5d4e8", spec=2700, transaction=2,
        extensions=["CheckNonZeroSender", *USUAL, "ChargeTransactionPayment", "CheckMetadataHash"]),
}


def round_trip(name, scheme, folder):
    """From a payload to a signed transaction, as the verifier reads it."""
    place = PLACES[name]
    machine = Machine(folder)
    machine.start_vault()
    if place["known"]:
        machine.cold("network", "block", place["known"], "--yes")
        machine.cold("network", "unblock", place["genesis"], "--yes")
    node = Node(place["file"], place["genesis"], place["prefix"], place["decimals"], place["unit"])
    if name == "westend":
        machine.hot("remove", "title", "westend-sr25519")
    specs = json.loads(machine.hot(
        "add-specs", "-t", "-u", node.url, "--encryption", scheme, "--files-dir", folder, "--json"))[0]
    machine.take("add-specs", specs["file"])
    loaded = json.loads(machine.hot(
        "load-metadata", "-t", "-n", name, "--packed", "--metadata-format", place["format"], "--files-dir", folder, "--json"))[0]
    machine.take("load-packed-metadata", loaded["file"])
    key = json.loads(machine.cold("key", "derive", "demo", "//dapp", "--network", f"{name}-{scheme}", "--json"))[0]
    wanted = payload(
        key["networks"][0]["address"], place["genesis"], place["method"], place["spec"], place["transaction"],
        place["extensions"])
    file = f"{folder}/payload.json"
    pathlib.Path(file).write_text(json.dumps(wanted))
    who = [file, "--encryption", scheme] + (["--public-key", key["publicKey"]] if scheme == "ecdsa" else [])
    made = json.loads(machine.hot("transaction", *who, "--out", f"{folder}/request.apng", "--json"))
    machine.cold("sign", "--qr", f"{folder}/request.apng", "--yes", "--out", f"{folder}/answer.png")
    done = json.loads(machine.hot("answer", *who, "--qr", f"{folder}/answer.png", "--json"))
    return {
        "name": f"{name} {scheme}, code {'06' if made['hasProof'] else '02'}", "scheme": scheme, "payload": wanted,
        "extrinsic": done["extrinsic"], "publicKey": key["publicKey"], "metadataHash": made.get("metadataHash"),
        "hasAsset": "ChargeAssetTxPayment" in place["extensions"],
    }


with tempfile.TemporaryDirectory() as folder:
    films(folder)
lines = []
for name, scheme in [(name, scheme) for name in ("westend", "statemint") for scheme in ("sr25519", "ed25519", "ecdsa")] + [
    ("moonbase", "ethereum"), ("moonbeam", "ethereum")
]:
    with tempfile.TemporaryDirectory() as folder:
        lines.append(json.dumps(round_trip(name, scheme, folder)))
verifier = pathlib.Path(__file__).parent / "peers" / "extrinsic_verifier.py"
done = subprocess.run([interpreter, str(verifier)], input="\n".join(lines), capture_output=True, text=True)
if done.returncode != 0:
    sys.exit(done.stderr)
print(f"\nSigned transactions that the peers verify: {'; '.join(done.stdout.splitlines())}.")
