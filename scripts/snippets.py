#!/usr/bin/env python3
"""The programs of the articles "Use it alone in ten minutes" (Sources/*/NAME/NAME.docc/UseItAlone.md).

usage: snippets.py check BUILD              type-checks all of them against the modules in the folder BUILD
       snippets.py write NAME FOLDER URL    writes that of one library as a package that depends on the one at URL
       snippets.py compare NAME FILE        compares what it printed with what its article says that one sees
       snippets.py traits                   writes the traits that libraries need into all articles and docs/libraries.md
       snippets.py flags BUILD              prints the compiler's flags for the C modules that those in BUILD import

A Swift block of an article belongs to its program where the line above it is <!-- file: PATH -->, with the file's
place in the program's package; one of them is Package.swift. A text block below <!-- output --> is what one sees: … in
it stands for anything. `check` wants of each library an article, in it a program, the traits in its Package.swift that
the library needs, and in docs/libraries.md the same traits.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
MARKED = re.compile(r"^<!-- (file: (\S+)|output) -->\n+```(\w+)\n(.*?)^```$", re.M | re.S)
IMPORT = re.compile(
    r"^\s*(?:@\S+\s+)*(?:(?:public|package|internal|private) )?import"
    r" (?:(?:struct|class|enum|func|protocol|var|let|typealias) )?(\w+)", re.M)
PLACE = re.compile(r'url: "https://…/casemate"')
TRAITS = re.compile(r"traits: \[(.*?)\]")


class Failure(Exception):
    pass


class Manifest:
    """What Package.swift says of libraries, of the modules that they need, and of the traits that bring those."""

    def __init__(self):
        swift = os.environ.get("SWIFT", "swift")
        dump = json.loads(subprocess.run([swift, "package", "dump-package"], cwd=ROOT, check=True, capture_output=True).stdout)
        self.libraries = [product["name"] for product in dump["products"] if "library" in product["type"]]
        self.order = sorted(trait["name"] for trait in dump["traits"])
        self.targets = {target["name"]: target for target in dump["targets"]}
        uses = (use for target in self.targets.values() for use in target["dependencies"])
        self.products = {use["product"][0] for use in uses if "product" in use}

    def article(self, library):
        return ROOT / self.targets[library]["path"] / f"{library}.docc" / "UseItAlone.md"

    def traits(self, library):
        """Those without which it does not build, and those that bring what is left out without them."""
        needed, optional, seen, waiting = set(), set(), set(), [library]
        while waiting:
            name = waiting.pop()
            if name in seen or name not in self.targets:
                continue
            seen.add(name)
            for use in self.targets[name]["dependencies"]:
                kind, values = next(iter(use.items()))
                traits = set((values[-1] or {}).get("traits") or [])
                if kind == "product":
                    needed |= traits
                else:
                    optional |= traits
                    waiting.append(values[0])
        return needed, optional - needed


class Article:
    def __init__(self, manifest, library):
        self.library = library
        path = manifest.article(library)
        if not path.exists():
            raise Failure(f"{library}: there is no article {path.relative_to(ROOT)}")
        self.place = path.relative_to(ROOT)
        text = path.read_text()
        # A file's name and content, and the line of the article in which that begins.
        self.files, self.output = {}, None
        for block in MARKED.finditer(text):
            _, name, language, content = block.groups()
            if name is None:
                self.output = content
            elif language != "swift" or name in self.files:
                raise Failure(f"{self.place}: the block of {name} is not Swift, or is its second")
            else:
                self.files[name] = (content, text.count("\n", 0, block.start(4)))
        if "Package.swift" not in self.files or not any(name.endswith("/main.swift") for name in self.files):
            raise Failure(f"{self.place}: there is no program in it: <!-- file: Package.swift -->, <!-- file: Sources/…/main.swift -->")
        self.package = self.files["Package.swift"][0]
        if not PLACE.search(self.package):
            raise Failure(f'{self.place}: its Package.swift does not depend on url: "https://…/casemate"')

    def targets(self):
        """The program's targets in the order of the article, each with its files."""
        targets = {}
        for name in self.files:
            if name != "Package.swift":
                targets.setdefault(pathlib.PurePath(name).parts[1], []).append(name)
        return targets

    def write(self, folder, url=None):
        for name, (content, line) in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if url is not None and name == "Package.swift":
                content = PLACE.sub(f'url: "{url}"', content)
            # As long as the article is, so that the compiler's messages name its lines.
            path.write_text(content if url is not None or name == "Package.swift" else "\n" * line + content)

    def traits(self, manifest):
        """The traits that its Package.swift names, those that its libraries need, and those that they can do without."""
        line = next(line for line in self.package.split("\n") if PLACE.search(line))
        given = TRAITS.search(line)
        if given is None:
            raise Failure(f"{self.place}: the line that names the package says no traits:")
        taken = re.findall(r'\.product\(name: "(\w+)", package: "casemate"\)', self.package)
        if self.library not in taken:
            raise Failure(f"{self.place}: its Package.swift does not take {self.library}")
        needed, optional = set(), set()
        for name in taken:
            if name not in manifest.libraries:
                raise Failure(f"{self.place}: {name} is no library of this package")
            needed |= manifest.traits(name)[0]
            optional |= manifest.traits(name)[1]
        return set(re.findall(r'"(\w+)"', given.group(1))), needed, optional - needed

    def write_traits(self, manifest):
        given, needed, optional = self.traits(manifest)
        wanted = [name for name in manifest.order if name in needed | given & optional]
        if set(wanted) != given:
            text = ", ".join(f'"{name}"' for name in wanted)
            path = ROOT / self.place
            lines = path.read_text().split("\n")
            path.write_text("\n".join(TRAITS.sub(f"traits: [{text}]", line) if PLACE.search(line) else line for line in lines))

    def check_package(self, manifest):
        given, needed, optional = self.traits(manifest)
        if not needed <= given <= needed | optional:
            raise Failure(
                f"{self.place}: it names the traits {sorted(given)}, and needs {sorted(needed)}, which `scripts/snippets.py traits` writes")
        # The compiler would also find what the package does not take, since all modules lie in one folder here.
        known = set(manifest.libraries) | manifest.products | set(self.targets())
        for name, (content, _) in self.files.items():
            for module in sorted(set(IMPORT.findall(content)) & known):
                if f'"{module}"' not in self.package:
                    raise Failure(f"{self.place}: {name} imports {module}, which its Package.swift does not take")


def clang_flags(manifest, build):
    """The compiler's flags for modules of C that Swift modules import: those of targets, of the system and of packages."""
    checkouts = build.parent.parent / "checkouts"
    bridges = ROOT / "Sources/Bridges"
    for folder, pattern in [
        (build, "*.build/module.modulemap"), (bridges, "*/module.modulemap"), (bridges, "*/include/module.modulemap"),
        (checkouts, "*/Sources/*/module.modulemap"), (checkouts, "*/Sources/*/include/module.modulemap"),
    ]:
        for map in sorted(folder.glob(pattern)):
            yield from ("-Xcc", f"-fmodule-map-file={map}")
    for name in sorted({target["pkgConfig"] for target in manifest.targets.values() if target.get("pkgConfig")}):
        # What is not installed is not imported, or the compiler names it.
        found = subprocess.run(["pkg-config", "--cflags", name], capture_output=True, text=True)
        for flag in found.stdout.split():
            yield from ("-Xcc", flag)


def type_check(article, build, clang):
    """Type-checks a program: its library targets into modules, which the ones behind them import."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        article.write(folder)
        for target, files in article.targets().items():
            is_program = any(name.endswith("/main.swift") for name in files)
            module = re.sub(r"\W", "_", target)
            flags = ["-swift-version", "6", "-module-name", module, "-I", build / "Modules", "-I", folder]
            flags += clang
            flags += ["-typecheck"] if is_program else ["-parse-as-library", "-emit-module", "-o", folder / f"{module}.swiftmodule"]
            done = subprocess.run(
                [shutil.which("swiftc") or "swiftc", *flags, *files], cwd=folder, capture_output=True, text=True)
            if done.returncode != 0:
                said = [line for line in done.stderr.replace(f"{folder}/", "").split("\n") if line]
                raise Failure(f"{article.place}: {target} does not compile (lines are those of the article):\n" + "\n".join(said[:40]))


TABLE_PLACE = pathlib.Path("docs/libraries.md")
TABLE = re.compile(r"(^\| products \| traits of the line \|.*\n\|[-|]+\n)((?:\|.*\n)*)", re.M)


def table_rows(manifest):
    """The rows of the table of traits in docs/libraries.md, as Package.swift has it."""
    groups = {}
    for name in manifest.libraries:
        needed, optional = manifest.traits(name)
        groups.setdefault((tuple(sorted(needed | optional)), tuple(sorted(optional))), []).append(f"`{name}`")
    for (traits, optional), names in sorted(groups.items(), key=lambda group: (len(group[0][0]), group[0])):
        line = ", ".join(f'"{trait}"' for trait in traits)
        yield f"| {', '.join(names)} | `traits: [{line}]` | {', '.join(f'`{trait}`' for trait in optional)} |\n"


def check_table(manifest):
    text = (ROOT / TABLE_PLACE).read_text()
    missing = [name for name in manifest.libraries if f"[`{name}`](" not in text]
    if missing:
        raise Failure(f"{TABLE_PLACE} does not say what these libraries are: {', '.join(missing)}")
    table = TABLE.search(text)
    if table is None or table.group(2) != "".join(table_rows(manifest)):
        raise Failure(f"{TABLE_PLACE}: its table of traits is not what Package.swift says; `scripts/snippets.py traits` writes it")


def check(build):
    manifest = Manifest()
    build = pathlib.Path(build).resolve()
    clang = list(clang_flags(manifest, build))

    def failure(work):
        try:
            work()
        except Failure as failure:
            return str(failure)

    def one(library):
        article = Article(manifest, library)
        article.check_package(manifest)
        type_check(article, build, clang)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        works = [lambda: check_table(manifest)] + [lambda name=name: one(name) for name in manifest.libraries]
        failures = [said for said in pool.map(failure, works) if said]
    for said in failures:
        print(said, file=sys.stderr)
    if failures:
        sys.exit(f"{len(failures)} of the articles \"Use it alone in ten minutes\" do not hold what they promise.")
    print(f"The programs of {len(manifest.libraries)} articles compile, with the traits that their libraries need.")


def compare(article, printed):
    if article.output is None:
        return
    pattern = "".join(".*?" if part == "…" else re.escape(part) for part in re.split("(…)", article.output.strip()))
    if not re.fullmatch(pattern, printed.strip(), re.S):
        raise Failure(f"{article.place} says that one sees:\n{article.output}\nand this is what one sees:\n{printed}")


match sys.argv[1:]:
    case ["check", build]:
        check(build)
    case ["write", library, folder, url]:
        try:
            Article(Manifest(), library).write(pathlib.Path(folder), url)
        except Failure as failure:
            sys.exit(str(failure))
    case ["traits"]:
        manifest = Manifest()
        for library in manifest.libraries:
            if manifest.article(library).exists():
                Article(manifest, library).write_traits(manifest)
        place = ROOT / TABLE_PLACE
        place.write_text(TABLE.sub(lambda table: table[1] + "".join(table_rows(manifest)), place.read_text()))
    case ["flags", build]:
        print(*clang_flags(Manifest(), pathlib.Path(build).resolve()), sep="\n")
    case ["compare", library, file]:
        try:
            compare(Article(Manifest(), library), pathlib.Path(file).read_text())
        except Failure as failure:
            sys.exit(str(failure))
    case _:
        sys.exit(__doc__)
