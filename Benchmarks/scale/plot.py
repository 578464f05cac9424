"""Draws a family of curves as SVG, logarithmic both ways: points, the line of the fit, and n log n from where that begins, dashed.
It is read on light and on dark pages."""
import math

# Apart from each other also for who does not see all colours, on white and on black.
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56b4e9", "#8c6bb1"]
STYLE = """
text { font: 12px Cantarell, 'DejaVu Sans', Arial, sans-serif; fill: #241f31 } .small { font-size: 11px; fill: #5e5c64 }
.title { font-size: 14px; font-weight: bold } .page { fill: #ffffff } .grid { stroke: #deddda } .frame { stroke: #9a9996; fill: none }
@media (prefers-color-scheme: dark) { text { fill: #f6f5f4 } .small { fill: #c0bfbc } .page { fill: #1e1e1e }
.grid { stroke: #3d3846 } .frame { stroke: #77767b } }
"""
LEFT, TOP, WIDTH, HEIGHT, GAP = 70, 56, 380, 280, 90
LEGEND = 20


class Axis:
    """Powers of ten around values, on a stretch of the page."""

    def __init__(self, values, start, end):
        self.low = math.floor(math.log10(min(values)) + 1e-9)
        self.high = max(self.low + 1, math.ceil(math.log10(max(values)) - 1e-9))
        self.start, self.end = start, end

    def __call__(self, value):
        return self.start + (self.end - self.start) * (math.log10(value) - self.low) / (self.high - self.low)

    @property
    def marks(self):
        step = 1 + (self.high - self.low) // 9
        return [10**power for power in range(self.low, self.high + 1, step)]


def line(x1, y1, x2, y2, rest):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" {rest}/>'


def text(x, y, content, rest=""):
    content = content.replace("&", "&amp;").replace("<", "&lt;")
    return f'<text x="{x:.1f}" y="{y:.1f}" {rest}>{content}</text>'


def panel(left, name, curves, colours, family, show):
    """One unit: frame, marks, curves, and below them what the colours say."""
    sizes = Axis([size for curve in curves for size, _ in curve.points], left, left + WIDTH)
    costs = Axis([max(cost, 1) for curve in curves for _, cost in curve.points], TOP + HEIGHT, TOP)
    parts = []
    for mark in sizes.marks:
        parts.append(line(sizes(mark), TOP, sizes(mark), TOP + HEIGHT, 'class="grid"'))
        parts.append(text(sizes(mark), TOP + HEIGHT + 16, family.show_size(mark), 'text-anchor="middle" class="small"'))
    for mark in costs.marks:
        parts.append(line(left, costs(mark), left + WIDTH, costs(mark), 'class="grid"'))
        parts.append(text(left - 6, costs(mark) + 4, show(mark), 'text-anchor="end" class="small"'))
    parts.append(f'<rect x="{left}" y="{TOP}" width="{WIDTH}" height="{HEIGHT}" class="frame"/>')
    parts.append(text(left, TOP - 10, name))
    parts.append(text(left + WIDTH / 2, TOP + HEIGHT + 34, family.what, 'text-anchor="middle"'))
    for index, curve in enumerate(curves):
        colour = colours[curve.name]
        for size, cost in curve.points:
            parts.append(f'<circle cx="{sizes(size):.1f}" cy="{costs(max(cost, 1)):.1f}" r="3.5" fill="{colour}"/>')
        if curve.line is not None:
            slope, height = curve.line
            first, last = curve.tail[0][0], curve.tail[-1][0]
            fit = [math.exp(height) * size**slope for size in (first, last)]
            bound = [fit[0], fit[0] * last * math.log(last) / (first * math.log(first))]
            for (start, end), rest in [
                    (fit, f'stroke="{colour}" stroke-width="2"'),
                    (bound, f'stroke="{colour}" stroke-width="1.3" stroke-dasharray="5 4" clip-path="url(#{name})"')]:
                parts.append(line(sizes(first), costs(start), sizes(last), costs(end), rest))
        row = TOP + HEIGHT + 60 + LEGEND * index
        parts.append(f'<circle cx="{left + 5}" cy="{row - 4}" r="4" fill="{colour}"/>')
        parts.append(text(left + 16, row, f"{curve.name}: {curve.verdict}"))
    clip = f'<clipPath id="{name}"><rect x="{left}" y="{TOP}" width="{WIDTH}" height="{HEIGHT}"/></clipPath>'
    return clip + "\n".join(parts)


def draw(family, path, shown):
    panels = [(unit, [curve for curve in family.curves if curve.unit == unit]) for unit in shown]
    panels = [(unit, curves) for unit, curves in panels if curves]
    names = list(dict.fromkeys(curve.name for curve in family.curves))
    colours = dict(zip(names, COLOURS, strict=False))
    width = LEFT + len(panels) * (WIDTH + GAP) - GAP + 30
    height = TOP + HEIGHT + 66 + LEGEND * max(len(curves) for _, curves in panels)
    parts = [
        panel(LEFT + number * (WIDTH + GAP), unit, curves, colours, family, shown[unit])
        for number, (unit, curves) in enumerate(panels)]
    head = f'xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    with open(path, "w") as file:
        file.write(
            f'<svg {head} role="img" aria-labelledby="t">\n<title id="t">{family.title}</title>\n<style>{STYLE}</style>\n'
            f'<rect width="{width}" height="{height}" rx="8" class="page"/>\n'
            + text(LEFT, 24, f"{family.title}; dashed: n log n", 'class="title"') + "\n" + "\n".join(parts) + "\n</svg>\n")
