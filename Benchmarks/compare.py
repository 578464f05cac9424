"""Runs ours and each peer in turn, several rounds, and prints the best of each and their ratio as a Markdown table.

usage: compare.py OURS_FOLDER METADATA_FOLDER QR_FOLDER PEERS_FOLDER [TITLE]
PEERS_FOLDER holds the virtual environments; with TITLE only what has it in its title is measured.
"""
import json
import os
import subprocess
import sys
import tempfile

ROUNDS = 5
# What the peer does one by one.
COUNTERPART = {
    "verify_120B_prepared_key": "verify_120B",
    "verify_120B_in_batch_of_64": "verify_120B",
    "verify_120B_in_batch_of_64_one_key": "verify_120B",
    "qr_track_film": "qr_read",
    "attestation_and_receipt": "attestation",
    "attestation_first_of_a_verifier": "attestation",
}
ours, metadata, pictures, environments = sys.argv[1:5]
wanted = "".join(sys.argv[5:6])
here = os.path.dirname(os.path.abspath(__file__))


def figures(command):
    """One run: (operation, file) to microseconds, how many of its pictures were read where there are pictures, and kB of memory."""
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rows = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    return {
        (row["op"], row.get("file", "")): (
            row["us"] if "us" in row else row["ms"] * 1e3,
            f" ({row['read']} of {row['of']} read)" if "read" in row else "",
            row.get("kB"),
        )
        for row in rows
    }


def peer(environment, script, *arguments):
    return [f"{environments}/{environment}/bin/python", f"{here}/peers/{script}", *arguments]


def compare(title, our_command, peers):
    if wanted not in title:
        return
    best_ours, best_peer, name_of = {}, {}, {}
    for _ in range(ROUNDS):
        for key, value in figures(our_command).items():
            best_ours[key] = min(value, best_ours.get(key, value))
        for name, command in peers.items():
            for key, value in figures(command).items():
                best_peer[key] = min(value, best_peer.get(key, value))
                name_of[key] = name
    print(f"\n### {title}\n\n| operation | ours | memory | peer | memory | ratio | peer's name |\n{'|---' * 7}|")
    for key, value in best_ours.items():
        label = " ".join(part for part in key if part)
        key = (COUNTERPART.get(key[0], key[0]), key[1])
        if key in best_peer:
            ratio = value[0] / best_peer[key][0]
            print(f"| {label} | {show(value)} | {show(best_peer[key])} | {ratio:.2f} | {name_of[key]} |")
        else:
            print(f"| {label} | {show(value)} | | | | |")


def show(figure):
    """Two cells: time and memory."""
    microseconds, note, kilobytes = figure
    time = f"{microseconds / 1e3:.2f} ms" if microseconds >= 1000 else f"{microseconds:.1f} µs"
    memory = "" if kilobytes is None else f"{kilobytes / 1e3:.1f} MB" if kilobytes >= 1000 else f"{kilobytes:.0f} kB"
    return f"{time}{note} | {memory}"


compare(
    "Keys and signatures", [f"{ours}/bench-crypto"],
    {"py-sr25519-bindings": peer("rust", "sr25519_bindings.py")})
compare(
    "MainKey, beside age", [f"{ours}/bench-mainkey"], {"age": peer("mainkey", "age_peer.py", "age")})
compare(
    "MainKey, beside gocryptfs", [f"{ours}/bench-mainkey"], {"gocryptfs": peer("mainkey", "gocryptfs_peer.py")})
compare(
    "MainKey, beside rage and SQLCipher", [f"{ours}/bench-mainkey"],
    {"rage (pyrage)": peer("mainkey", "age_peer.py", "rage"), "SQLCipher": peer("mainkey", "sqlcipher_peer.py")})
compare(
    "RaptorQ, symbols of 1280 bytes", [f"{ours}/bench-raptorq"],
    {"raptorq": peer("rust", "raptorq_peer.py")})
with tempfile.NamedTemporaryFile(suffix=".wasm") as module:
    # Swift's toolchain brings a clang that compiles to WebAssembly.
    if wanted in "WebAssembly, interpreted":
        subprocess.run(
            ["clang", "--target=wasm32", "-mcpu=mvp", "-O2", "-nostdlib", "-fno-builtin", "-Wl,--no-entry",
             "-o", module.name, f"{here}/webassembly.c"], check=True)
    compare(
        "WebAssembly, interpreted", [f"{ours}/bench-webassembly", module.name],
        {"wasm3": peer("wasm", "wasm3_peer.py", module.name)})
with tempfile.NamedTemporaryFile(dir="/dev/shm") as content:
    if any(wanted in f"Vigil, hashing beside {name}" for name in ["openssl", "sha256sum", "aide"]):
        for _ in range(256):
            content.write(os.urandom(1 << 20))
        content.flush()
    # A peer at a time: each beside ours in the same rounds.
    for name in ["openssl", "sha256sum", "aide"]:
        compare(
            f"Vigil, hashing beside {name}", [f"{ours}/bench-vigil", content.name, f"{ours}/bench-wire"],
            {name: [sys.executable, f"{here}/peers/hash_peer.py", name, content.name]})
with tempfile.NamedTemporaryFile(suffix=".json") as inputs:
    # Fresh, because the peer takes the time of the machine.
    if wanted in "App Attest, processor time":
        subprocess.run([f"{ours}/bench-appattest", "mint", inputs.name], check=True)
    compare(
        "App Attest, processor time", [f"{ours}/bench-appattest", inputs.name],
        {"pyattest": peer("appattest", "appattest_peer.py", inputs.name)})
if os.path.isdir(metadata):
    compare(
        "Metadata and calls", [f"{ours}/bench-wire", metadata],
        {
            "bt-decode": peer("rust", "bt_decode_peer.py", metadata),
            "cyscale": peer("cython", "cyscale_peer.py", metadata),
        })
else:
    print(f"\nMetadata and calls: skipped, {metadata} is not there.")
if os.path.isdir(pictures):
    for name, script in {"zxing-cpp": "zxing_cpp_peer.py", "zbar": "zbar_peer.py"}.items():
        compare(f"QR codes, beside {name}", [f"{ours}/bench-qr", pictures], {name: peer("qr", script, pictures)})
else:
    print(f"\nQR codes: skipped, {pictures} is not there.")
