"""How long a full mutual validation takes, between two real processes: best and median of 40, with every file hashed anew; how
long a further question in a session takes, and what an idle validator costs.

usage: vigil_validation.py PROGRAMS_FOLDER   (vigil-demo, vigil-validator and vigil-hash-tool, linked statically)
"""
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

built = sys.argv[1]


def run(*command, **options):
    result = subprocess.run(command, capture_output=True, text=True, **options)
    if result.returncode != 0:
        sys.exit(f"{command[0]} ended with {result.returncode}: {result.stdout}{result.stderr}")
    return result.stdout


def write(path, text, mode=0o600):
    with open(path, "w") as file:
        file.write(text)
    os.chmod(path, mode)
    return path


with tempfile.TemporaryDirectory() as root:
    for folder, mode in [("bin", 0o755), ("etc", 0o700), ("run", 0o750), ("app", 0o700), ("validator", 0o700)]:
        os.mkdir(f"{root}/{folder}", mode)
    for program in ["vigil-demo", "vigil-validator"]:
        run("strip", "-o", f"{root}/bin/{program}", f"{built}/{program}")
        os.chmod(f"{root}/bin/{program}", 0o755)
    key = f"{root}/release.pem"
    run("openssl", "ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", key)
    run("openssl", "ec", "-in", key, "-pubout", "-out", f"{root}/etc/release.pub")
    os.chmod(f"{root}/etc/release.pub", 0o600)
    tool = f"{built}/vigil-hash-tool"
    run(tool, "manifest", "--app", f"{root}/bin/vigil-demo", "--validator", f"{root}/bin/vigil-validator",
        "--bundle-root", root, "--epoch", "1", "--product", "bench", "--out", f"{root}/M.json")
    run(tool, "sign", f"{root}/M.json", "--key", key, "--out", f"{root}/etc/vigil-manifest.json")
    os.chmod(f"{root}/etc/vigil-manifest.json", 0o600)
    common = {
        "product": "bench", "bundleRoot": root, "manifest": f"{root}/etc/vigil-manifest.json",
        "socketPath": f"{root}/run/vigil.sock", "trustedKeys": [f"{root}/etc/release.pub"],
    }
    provisioning = {"app": {"requireToken": False}, "validator": {"requireToken": False, "firstStart": True}}
    environment = {**os.environ, "VIGIL_TPM": "none"}
    configurations = {side: f"{root}/etc/{side}.json" for side in provisioning}

    def configure(file_cache_seconds):
        for side, path in configurations.items():
            own = {"stateDirectory": f"{root}/{side}", "provisioning": provisioning[side], "allowedUids": [os.getuid()]}
            write(path, json.dumps({**common, **own, "fileCacheSeconds": file_cache_seconds}))

    def validations(count):
        latencies = []
        for _ in range(count):
            output = run(f"{root}/bin/vigil-demo", "--config", configurations["app"], "--once", env=environment)
            line = json.loads(output.splitlines()[-1])
            assert line["result"] == "valid", output
            latencies.append(line["latencyMs"])
            time.sleep(0.15)
        return latencies

    def questions(count, rest):
        output = run(
            f"{root}/bin/vigil-demo", "--config", configurations["app"], "--once", "--again", str(count), "--rest", str(rest),
            env=environment)
        return [json.loads(line)["latencyMs"] for line in output.splitlines()[1:]]

    def validator():
        if os.path.exists(f"{root}/run/vigil.sock"):
            os.remove(f"{root}/run/vigil.sock")
        process = subprocess.Popen(
            [f"{root}/bin/vigil-validator", "run", "--config", configurations["validator"]],
            env=environment, stderr=subprocess.DEVNULL)
        while not os.path.exists(f"{root}/run/vigil.sock"):
            time.sleep(0.05)
        return process

    def status(process):
        rows = dict(line.split(":", 1) for line in open(f"/proc/{process.pid}/status") if ":" in line)
        return (
            int(rows["VmRSS"].split()[0]) / 1024,
            sum(
                int(line.split()[1])
                for thread in os.listdir(f"/proc/{process.pid}/task")
                for line in open(f"/proc/{process.pid}/task/{thread}/status")
                if line.startswith("voluntary_ctxt_switches")),
        )

    # Every file is hashed anew each time.
    configure(file_cache_seconds=0)
    process = validator()
    try:
        cold = validations(40)
    finally:
        process.terminate()
        process.wait()

    # As it usually is: untouched files stay measured.
    configure(file_cache_seconds=600)
    process = validator()
    try:
        warm = validations(40)
        # A second's worth at once is what one user is granted.
        again = []
        for _ in range(4):
            again += questions(count=45, rest=0)
            time.sleep(1)
        rested = questions(count=100, rest=100)
        time.sleep(1)
        memory, before = status(process)
        time.sleep(5)
        wakeups = status(process)[1] - before
    finally:
        process.terminate()
        process.wait()
    size = os.path.getsize(f"{root}/bin/vigil-demo") / (1 << 20)

print("| what | best | median | bound |\n|---|---|---|---|")
print(f"| both sides measured anew, app of {size:.1f} MiB | {min(cold):.1f} ms | {statistics.median(cold):.1f} ms | 30 ms |")
print(f"| as usual: untouched files stay measured by the validator | {min(warm):.1f} ms | {statistics.median(warm):.1f} ms | |")
print(f"| asked again in a session, by MAC | {min(again):.2f} ms | {statistics.median(again):.2f} ms | 1 ms |")
print(f"| the same, each after 100 ms of rest | {min(rested):.2f} ms | {statistics.median(rested):.2f} ms | |")
print(f"| validator after that, idle: memory | {memory:.1f} MiB | | 12 MiB |")
print(f"| wake-ups in 5 s | {wakeups} | | 0 |")
