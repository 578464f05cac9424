"""What the builder says."""
import sys
import time

START = time.monotonic()


class Refusal(Exception):
    """Why no image is built, with what to do."""


def say(text):
    print(f"[{time.monotonic() - START:5.0f} s] {text}", file=sys.stderr, flush=True)
