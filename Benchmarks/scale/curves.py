"""What grows with a size: measured points, the power that they follow, and whether that is within n log n.

The power is the slope of the line of least squares through the logarithms. It is taken over the largest three sizes, of those at which
the cost is at least twice the least: a fixed cost does not flatten it, and a step on the way, where a processor's cache is full, does not
tilt it. n log n has a slope too, over the same sizes; a row is worse than n log n where its own is steeper by more than TOLERANCE.
"""
import json
import math
import subprocess
import sys

import plot

TOLERANCE = 0.2
MOST_POINTS = 3
# What is no steeper does not grow.
FLAT = 0.1
# Below that memory is what pages and the allocator make of it.
LEAST_BYTES = 1_000_000


class Curve:
    """One operation: costs by size, in microseconds or bytes."""

    def __init__(self, name, unit, least=0.0):
        self.name, self.unit, self.least = name, unit, least
        self.points = []

    def add(self, size, cost):
        self.points.append((size, cost))

    def at(self, size):
        """The cost of a size; nil where it was not measured."""
        return dict(self.points).get(size)

    @property
    def tail(self):
        """The points of the fit; fewer than two where nothing grows."""
        floor = max(2 * min(cost for _, cost in self.points), self.least)
        return [point for point in self.points if point[1] >= floor][-MOST_POINTS:]

    @property
    def line(self):
        """Slope and intercept in logarithms; nil where nothing grows."""
        line = least_squares([(math.log(size), math.log(cost)) for size, cost in self.tail])
        return line if line is not None and line[0] > FLAT else None

    @property
    def bound(self):
        """The slope of n log n over the same sizes."""
        return least_squares([(math.log(size), math.log(size * math.log(size))) for size, _ in self.tail])

    @property
    def is_worse(self):
        return self.line is not None and self.line[0] > self.bound[0] + TOLERANCE

    @property
    def verdict(self):
        if self.line is None:
            return "does not grow"
        return f"n^{self.line[0]:.2f}, {'WORSE than' if self.is_worse else 'within'} n log n"


def least_squares(points):
    if len(points) < 2:
        return None
    mean_x, mean_y = (sum(values) / len(points) for values in zip(*points))
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)
    return slope, mean_y - slope * mean_x


def scaled(value, steps):
    """A value with the largest unit that leaves something before the point, in three digits."""
    unit = [step for step in steps if value >= step[0]][-1] if value >= steps[0][0] else steps[0]
    value /= unit[0]
    return f"{value:.{0 if value >= 99.5 or value == int(value) else 1 if value >= 9.95 else 2}f} {unit[1]}"


def show_time(microseconds):
    return scaled(microseconds, [(1, "µs"), (1e3, "ms"), (1e6, "s")])


def show_bytes(count):
    return scaled(count, [(1, "B"), (1e3, "kB"), (1e6, "MB"), (1e9, "GB")])


def show_count(count):
    return f"{count:,}"


SHOWN = {"time": show_time, "memory": show_bytes}


class Family:
    """What is measured over the same sizes."""

    def __init__(self, title, what, show_size):
        self.title, self.what, self.show_size = title, what, show_size
        self.curves = []

    def curve(self, name, unit):
        found = [curve for curve in self.curves if (curve.name, curve.unit) == (name, unit)]
        if not found:
            found = [Curve(name, unit, LEAST_BYTES if unit == "memory" else 0.0)]
            self.curves += found
        return found[0]

    def add(self, name, size, microseconds=None, memory=None):
        if microseconds is not None:
            self.curve(name, "time").add(size, microseconds)
        if memory is not None:
            self.curve(name, "memory").add(size, memory)

    def print_table(self):
        heads = [f"{curve.name}{', memory' if curve.unit == 'memory' else ''}" for curve in self.curves]
        print(f"| {self.what} | {' | '.join(heads)} |\n|{'---|' * (len(heads) + 1)}")
        for size in sorted({size for curve in self.curves for size, _ in curve.points}):
            costs = [curve.at(size) for curve in self.curves]
            cells = ["" if cost is None else SHOWN[curve.unit](cost) for curve, cost in zip(self.curves, costs)]
            print(f"| {self.show_size(size)} | {' | '.join(cells)} |")
        print(f"| grows as | {' | '.join(curve.verdict for curve in self.curves)} |\n", flush=True)


def finish(*families):
    """Prints the table of each family and draws its plot, where the path says; ends the program where something is worse than n log n."""
    worse = []
    for family, picture in families:
        family.print_table()
        plot.draw(family, picture, SHOWN)
        worse += [f"{family.title}, {curve.name}, {curve.unit}: {curve.verdict}" for curve in family.curves if curve.is_worse]
    if worse:
        sys.exit("Worse than n log n:\n  " + "\n  ".join(worse))


def measure(program, *words, **options):
    """One operation in a process of its own: microseconds, and bytes of memory."""
    result = subprocess.run([program, *map(str, words)], stdout=subprocess.PIPE, text=True, **options)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))} ended with {result.returncode}")
    figures = json.loads(result.stdout)
    return figures["us"], figures["kB"] * 1e3
