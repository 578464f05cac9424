"""What the tests bring along: a disk with programs that the shipped root does not have, and a film for the pretended camera."""
import shutil
import subprocess

# Westend 9122, by the key //westend of the public development phrase: 1, 2 and 3 WND to three accounts, as a batch for Alice by a proxy.
PHRASE = "bottom drive obey lake curtain smoke basket hold race lonely fit walk"
PIN = "a passphrase"
AUTHOR = "3efeca331d646d8a2986374bb3bb8d6e9e3cfcdd7c45c2b69104fab5d61d3f34"
GENESIS = "e143f23803ac50e8f6f8e62695d1ce9e4e1d68aa36c1cd2cfd15340213f3423e"
ALICE = "d43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d"
BOB = "8eaf04151687736326c9fea17e25fc5287613693c912909cb226aa4794f26a48"
CHARLIE = "90b5ab205c6974c9ea841be688864633dc9ca8a357843eeacf2314649965fe22"
DAVE = "306721211d5404bd9da88e0204360a1a9ab8b87c66c1bc2fcdd37f3c2222cc20"
CALL = (f"1600{ALICE}0010020c040300{BOB}070010a5d4e8040300{CHARLIE}0b00204aa9d101040300{DAVE}0b0030ef7dba02")
EXTENSIONS = f"b501b800a223000007000000{GENESIS}" + "53" * 32
# What the signer asks a camera for.
SIZE = (1280, 720)


def compact(count):
    return (count << 2 | 1).to_bytes(2, "little").hex() if count >= 64 else (count << 2).to_bytes(1, "little").hex()


TRANSACTION = "530102" + AUTHOR + compact(len(CALL) // 2) + CALL + EXTENSIONS + GENESIS
SIGNED = CALL + EXTENSIONS


def film(place, programs):
    """The codes of the transaction as pictures of a camera, one behind the other, one byte for each pixel."""
    payload = place / "payload"
    payload.write_bytes(bytes.fromhex(TRANSACTION))
    pictures = place / "pictures"
    shutil.rmtree(pictures, ignore_errors=True)
    subprocess.run([programs / "airgap", "send", payload, "--out", f"{pictures}/", "--density", "medium"], check=True, capture_output=True)
    width, height = SIZE
    content = b""
    for picture in sorted(pictures.iterdir()):
        done = subprocess.run(
            ["convert", picture, "-filter", "point", "-resize", f"x{height - 40}", "-background", "white", "-gravity", "center",
             "-extent", f"{width}x{height}", "-colorspace", "Gray", "-depth", "8", "gray:-"], check=True, capture_output=True)
        assert len(done.stdout) == width * height
        content += done.stdout
    return content


def disk(place, programs, tools):
    """A disk with programs and the film."""
    folder, image = place / "along", place / "along.img"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in ("casemate", "casemate-worker", "forcefield"):
        shutil.copy(programs / name, folder)
        tools.run("strip", folder / name)
        (folder / name).chmod(0o755)
    for path in folder.rglob("*"):
        path.chmod(0o755 if path.is_dir() or path.parent == folder else 0o644)
    (folder / "film").write_bytes(film(place, programs))
    (folder / "film").chmod(0o644)
    image.unlink(missing_ok=True)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    with open(image, "wb") as file:
        file.truncate(size + (32 << 20))
    tools.run("mke2fs", "-q", "-F", "-t", "ext4", "-O", "^has_journal", "-b", "4096", "-m", "0", "-L", "along", "-d", folder, image)
    return image
