"""The pictures and the film of raptorq-qr for the peers, as grey arrays; and the measure that all of them share."""
import glob
import io
import json
import time

import numpy
from PIL import Image

import memory

SETS = ("640x480", "1280x720", "no-code")
FILM = "types_info_None-15fps"


def grey(source):
    return numpy.asarray(Image.open(source).convert("L"))


def film(path):
    with open(path, "rb") as file:
        data = file.read()
    starts, at = [], data.find(b"\xff\xd8\xff")
    while at >= 0:
        starts.append(at)
        at = data.find(b"\xff\xd8\xff", at + 3)
    return [grey(io.BytesIO(data[a:b])) for a, b in zip(starts, starts[1:] + [len(data)])]


def sets(folder):
    for name in SETS:
        yield name, [grey(path) for path in sorted(glob.glob(f"{folder}/qr/*{name}*.jpg"))]
    yield FILM, film(f"{folder}/video/{FILM}.mjpeg")


def run(folder, read, rounds=5):
    """Prints a line for each set: mean milliseconds of processor time for a picture, best of the rounds, the most memory that one took, and
    how many were read."""
    for name, pictures in sets(folder):
        total, found, kilobytes = 0.0, 0, 0
        for picture in pictures:
            kilobytes = max(kilobytes, memory.peak(lambda: read(picture)))
            least = float("inf")
            for _ in range(rounds):
                start = time.process_time()
                codes = read(picture)
                least = min(least, time.process_time() - start)
            total += least
            found += 1 if codes else 0
        milliseconds = total / len(pictures) * 1e3
        print(json.dumps({"op": "qr_read", "file": name, "kB": kilobytes, "ms": milliseconds, "read": found, "of": len(pictures)}))
