#!/usr/bin/env python3
"""Type-checks, on Linux, what is compiled on Apple's platforms alone.

usage: check.py BUILD macOS|iOS [TARGET...]

Checks the libraries and programs that are for this platform, or only TARGETs and what they use; then Examples/ios-app; and then that
each file of the folder `mistakes` is refused, as its first line says. BUILD is the folder in which a build of the tests left its
modules: those of other packages are taken from there.

The sources are copied with their platform conditions decided for the platform, line by line, so that an error names the line it is in.
Frameworks of Apple are the stub modules beside this file. Each target is compiled to a module in the order of what it uses. Then the
compiler's index tells which names of the C library each file uses, and whether what is newer than the oldest system that Package.swift
names stands where only newer systems come. What this cannot find: docs/apple.md.
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import index_store
import names

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
STUBS = pathlib.Path(__file__).resolve().parent / "stubs"
# In the order of what they import. Those of one platform are the framework's, as documented.
MODULES = ["Darwin", "FoundationOfApple", "LocalAuthentication", "Security", "CryptoKit", "MachO", "IOKit", "XPC", "ExtensionFoundation",
           "Network", "NetworkExtension", "DeviceCheck", "SwiftUI"]
# What Apple's platforms have not, and this machine may have. An import of it that is compiled there is an error.
ABSENT = {"Glibc", "Musl", "Bionic", "Android", "WASILibc", "WinSDK", "CTSS2", "CTSS2Sonames", "CSystemd", "CSystemdSonames", "CAdwaita",
          "CGIO", "FoundationEssentials", "FoundationInternationalization", "FoundationNetworking", "FoundationXML"}
# Libraries are for both platforms, apart from those for a logind. vigil-hash-tool makes the manifest of a bundle on the Mac that builds it.
FLOORS = ("System", "Primitives", "Trust", "Substrate", "Signer", "Gate")
NOT_FOR_APPLE = {"MainKeyLogind"}
# The targets of Examples/ios-app, and which files of its folder Shared each has.
EXAMPLE = {
    "App": ["PictureMethods.swift", "VigilParts.swift"], "DecoderExtension": ["PictureMethods.swift"],
    "ValidatorExtension": ["VigilParts.swift"],
}
PROGRAMS = {"macOS": ["VigilHashTool"], "iOS": []}
CONDITION = re.compile(r"^(\s*#(?:if|elseif)\s+)(.*?)(\s*//.*)?$")
IMPORT = re.compile(
    r"^(\s*(?:@\w+(?:\(\w+\))?\s+)*(?:(?:public|package|internal|private|fileprivate)\s+)?import\s+"
    r"(?:(?:struct|class|enum|func|protocol|var|let|typealias)\s+)?)(\w+)((?:\.\w+)*\s*(?:;.*|//.*)?)$")
# Code of its own for some platforms, and code that uses the C library, which can differ though no condition says so.
OWN_CODE = re.compile(r"^\s*#(?:if|elseif)\b.*\b(?:os|targetEnvironment|canImport\((?!Glibc|Musl|FoundationEssentials))", re.M)
C_LIBRARY = re.compile(r"^\s*(?:@\w+ )?(?:\w+ )?import (?:Foundation|Glibc|Darwin)\b", re.M)


class Check:
    def __init__(self, build, platform):
        self.build, self.platform = build, platform
        self.work = ROOT / ".build-apple" / platform
        self.modules = self.work / "Modules"
        self.modules.mkdir(parents=True, exist_ok=True)
        dump = subprocess.run([os.environ.get("SWIFT", "swift"), "package", "dump-package"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
        package = json.loads(dump)
        self.targets = {target["name"]: target for target in package["targets"]}
        self.traits = sorted(trait["name"] for trait in package["traits"] if trait["name"] not in ("default", "TPM", "Window", "Logind"))
        oldest = {each["platformName"]: each["version"] for each in package["platforms"]}
        self.oldest = version(oldest[platform.lower()])
        for entry in (build / "Modules").iterdir():
            link = self.modules / entry.name
            if entry.name.split(".")[0] not in self.targets:
                link.unlink(missing_ok=True)
                link.symlink_to(entry)
        flags = subprocess.run(
            [sys.executable, ROOT / "scripts/snippets.py", "flags", build], check=True, capture_output=True, text=True).stdout.split("\n")
        # Without those of Linux alone, which would be found although nothing may import them.
        pairs = [(flags[index], flags[index + 1]) for index in range(0, len(flags) - 1, 2)]
        self.clang = [part for pair in pairs if not any(f"/{name}/" in pair[1] for name in ABSENT) for part in pair]
        self.c_library = names.CLibrary()
        self.newer = {}
        self.failures = []
        # What was checked and was right need not be checked again, as long as nothing changed that it depends on.
        self.stamps = {}
        self.rules = hashlib.sha256()
        for path in [*sorted(STUBS.glob("*.swift")), *sorted((ROOT / "Sources/Bridges").rglob("*.h"))]:
            self.rules.update(path.read_bytes())
        facts = [(entry.name, entry.stat().st_mtime_ns) for entry in sorted(self.modules.iterdir()) if entry.is_symlink()]
        self.rules.update(repr((platform, self.traits, self.clang, facts)).encode())

    # MARK: Sources, with their conditions decided

    def has(self, module):
        """Whether the platform has a module; None for what is as it is here."""
        if module in ABSENT or module == "IOKit" and self.platform == "iOS":
            return False
        return True if module in MODULES else None

    def decided(self, condition):
        def module(match):
            answer = self.has(match[1])
            return match[0] if answer is None else str(answer).lower()

        systems = {"macOS": {"macOS", "OSX"}, "iOS": {"iOS"}}[self.platform]
        condition = re.sub(r"\bos\((\w+)\)", lambda match: str(match[1] in systems).lower(), condition)
        condition = re.sub(r"\bcanImport\((\w+)\)", module, condition)
        return re.sub(r"\btargetEnvironment\(\w+\)", "false", condition)

    def rewritten(self, text):
        lines = []
        for line in text.split("\n"):
            if found := CONDITION.match(line):
                line = found[1] + self.decided(found[2]) + (found[3] or "")
            elif found := IMPORT.match(line):
                if self.has(found[2]) is False:
                    line = f"{found[1]}{found[2]}IsNotOnApplePlatforms"
                elif found[2] == "Foundation":
                    line = f"{line.split('//')[0].rstrip()}; import FoundationOfApple"
            # Without Objective-C its attributes say nothing that the compiler could check.
            lines.append(re.sub(r"@objc(\([^)]*\))?\s+", "", line))
        return "\n".join(lines)

    def copied(self, folder):
        """Copies of the Swift files of a folder, and what of them can differ here: nothing, names of the C library, or code."""
        copies, differs = [], ""
        for place in sorted((ROOT / folder).rglob("*.swift")):
            copy = self.work / place.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            text = place.read_text()
            copy.write_text(self.rewritten(text))
            if OWN_CODE.search(text):
                differs = "code"
            elif C_LIBRARY.search(text):
                differs = differs or "names"
            copies.append(copy)
        return copies, differs

    # MARK: Compiling

    def compile(self, name, sources, *more):
        """The errors of a module, with the places of the originals."""
        command = ["swiftc", "-swift-version", "6", "-module-name", name, "-wmo", "-module-cache-path", self.work / "cache", "-I", self.modules,
                   *self.clang, *(part for trait in self.traits for part in ("-D", trait)), *more, *sources]
        done = subprocess.run(command, capture_output=True, text=True)
        output = (done.stdout + done.stderr).replace(f"{self.work}/", "").replace(f"{ROOT}/", "")
        errors = [line for line in output.split("\n") if re.match(r"\S+:\d+:\d+: error: |(?:<unknown>:0: )?error: ", line)]
        return errors or ([f"{name}: swiftc ended with {done.returncode}:\n{output}"] if done.returncode else [])

    def stubs(self):
        for name in MODULES:
            if self.has(name):
                copy = self.work / "stubs" / f"{name}.swift"
                copy.parent.mkdir(exist_ok=True)
                copy.write_text("\n".join(
                    line if not (found := CONDITION.match(line)) else found[1] + self.decided(found[2])
                    for line in (STUBS / f"{name}.swift").read_text().split("\n")))
                graphs = self.work / "graphs" / name
                shutil.rmtree(graphs, ignore_errors=True)
                graphs.mkdir(parents=True)
                errors = self.compile(
                    name, [copy], "-parse-as-library", *self.emitting(name), "-emit-symbol-graph", "-emit-symbol-graph-dir", graphs)
                if errors:
                    sys.exit("\n".join([f"The stub module {name} does not compile:", *errors]))
                self.learn(graphs)

    def learn(self, graphs):
        """Notes which symbols of a stub module are newer than the oldest system."""
        needs, paths = {}, {}
        for graph in graphs.glob("*.symbols.json"):
            for symbol in json.loads(graph.read_text())["symbols"]:
                path = tuple(symbol["pathComponents"])
                paths[symbol["identifier"]["precise"]] = path
                for each in symbol.get("availability", []):
                    if each.get("domain") == self.platform and "introduced" in each:
                        introduced = each["introduced"]
                        needs[path] = max(needs.get(path, (0, 0)), (introduced["major"], introduced.get("minor", 0)))
        for usr, path in paths.items():
            # What stands in a newer type is as new.
            need = max((needs.get(path[:count], (0, 0)) for count in range(1, len(path) + 1)), default=(0, 0))
            if need > self.oldest:
                self.newer[usr] = (".".join(path), need)

    def emitting(self, name):
        return ["-emit-module", "-o", self.modules / f"{name}.swiftmodule"]

    def check(self, name, sources, differs, *more):
        # What is the same everywhere is compiled by every build: of it only the interface is needed. Where code differs, all that the
        # compiler says behind the types counts as well: what is sent to whom, and what is initialised.
        partly = [] if differs == "code" else ["-experimental-skip-non-inlinable-function-bodies"]
        errors = self.compile(name, sources, *more, *self.emitting(name), *partly)
        if not errors and differs:
            index = self.work / "index" / name
            shutil.rmtree(index, ignore_errors=True)
            errors = self.compile(name, sources, *more, "-typecheck", "-index-store-path", index, "-index-ignore-system-modules")
        return errors

    def names_used(self, name, sources):
        """What a target uses of the C library and is not Darwin's, and what is newer than the oldest system."""
        errors, sources = set(), {source.name: source for source in sources}
        for file, line, usr, text in index_store.occurrences(self.work / "index" / name):
            source = sources.get(file)
            if source is None:
                continue
            place = f"{source.relative_to(self.work)}:{line}"
            symbol = names.c_name(usr, text)
            if symbol and not self.c_library.knows(symbol):
                errors.add(f"{place}: error: '{symbol}' is not known to be in Darwin's C library (scripts/apple/c-library.txt)")
            if usr in self.newer:
                symbol, need = self.newer[usr]
                if not names.is_guarded(source.read_text().split("\n"), line - 1, self.platform, need):
                    errors.add(
                        f"{place}: error: '{symbol}' is only available in {self.platform} {'.'.join(map(str, need))} or newer;"
                        " @available or #available has to say so")
        return sorted(errors, key=lambda error: (error.split(":")[0], int(error.split(":")[1])))

    # MARK: All of it

    def wanted(self, only):
        """Libraries and programs for the platform, and what they use, with the Swift targets that each uses."""
        def is_swift(name):
            return name in self.targets and any((ROOT / self.targets[name]["path"]).rglob("*.swift"))

        uses, waiting = {}, only or [
            name for name, target in self.targets.items() if name not in NOT_FOR_APPLE
            and any(target.get("path", "").startswith(f"Sources/{floor}/") for floor in FLOORS)] + PROGRAMS[self.platform]
        while waiting:
            name = waiting.pop()
            if name not in uses:
                named = (next(iter(use.values()))[0] for use in self.targets[name]["dependencies"] if "product" not in use)
                uses[name] = {each for each in named if is_swift(each)}
                waiting += uses[name]
        return uses

    def one(self, name, uses):
        """What of a target differs here, whether it compiles, and its errors."""
        target = self.targets[name]
        sources, differs = self.copied(target["path"])
        more = ["-package-name", "casemate"]
        if not any(source.name == "main.swift" for source in sources):
            more.append("-parse-as-library")
        stamp = self.rules.copy()
        for each in sorted(uses):
            stamp.update(self.stamps.get(each, "").encode())
        for source in sources:
            stamp.update(f"{source}\0{source.read_text()}\0".encode())
        record, module = self.work / f"{name}.stamp", self.modules / f"{name}.swiftmodule"
        self.stamps[name] = stamp.hexdigest()
        if not (record.exists() and record.read_text() == self.stamps[name] and module.exists()):
            record.unlink(missing_ok=True)
            if errors := self.check(name, sources, differs, *more):
                return differs, False, errors
            record.write_text(self.stamps[name])
        return differs, True, self.names_used(name, sources) if differs else []

    def all(self, only):
        uses, done, wrong, checked = self.wanted(only), set(), set(), 0
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            running = {}
            while len(done) < len(uses):
                for name in uses:
                    if name in done or name in running or not uses[name] <= done:
                        continue
                    if missing := uses[name] & wrong:
                        done.add(name)
                        wrong.add(name)
                        self.fail([f"{name}: not checked, as {', '.join(sorted(missing))} did not compile"])
                    else:
                        running[name] = pool.submit(self.one, name, uses[name])
                if not running:
                    continue
                finished, _ = concurrent.futures.wait(running.values(), return_when=concurrent.futures.FIRST_COMPLETED)
                for name in [name for name, future in running.items() if future in finished]:
                    differs, compiles, errors = running.pop(name).result()
                    done.add(name)
                    wrong |= set() if compiles else {name}
                    checked += bool(differs)
                    self.fail(errors)
        return len(uses), checked

    # MARK: The example, and mistakes that have to be found

    def example(self):
        """The targets of Examples/ios-app, as a package outside: each with the folder that they share."""
        if self.platform != "iOS":
            return
        for folder in EXAMPLE:
            sources, _ = self.copied(f"Examples/ios-app/{folder}")
            shared = [copy for copy in self.copied("Examples/ios-app/Shared")[0] if copy.name in EXAMPLE[folder]]
            self.fail(self.checked(f"Example{folder}", sources + shared))

    def mistakes(self):
        count = 0
        for place in sorted((STUBS.parent / "mistakes").glob("*.swift")):
            text = place.read_text()
            head = re.match(r"// (macOS|iOS|both): (.*)\n", text)
            if head is None:
                sys.exit(f"{place}: its first line does not say where and how it is to be refused.")
            if head[1] not in ("both", self.platform):
                continue
            count += 1
            copy = self.work / "mistakes" / place.name
            copy.parent.mkdir(exist_ok=True)
            copy.write_text(self.rewritten(text))
            errors = self.checked(f"Mistake{place.stem}", [copy])
            if len(errors) != 1 or head[2] not in errors[0]:
                self.fail([f"{place.relative_to(ROOT)}: found {errors or 'nothing'}, where this alone has to be said: {head[2]}"])
        return count

    def checked(self, name, sources):
        """All errors of a module that nothing else imports."""
        return self.check(name, sources, "code", "-parse-as-library") or self.names_used(name, sources)

    def fail(self, errors):
        self.failures += errors
        for error in errors:
            print(error, file=sys.stderr, flush=True)


def version(text):
    parts = [int(part) for part in text.split(".")]
    return (parts[0], parts[1] if len(parts) > 1 else 0)


def main():
    if len(sys.argv) < 3 or sys.argv[2] not in ("macOS", "iOS"):
        sys.exit(__doc__)
    check = Check(pathlib.Path(sys.argv[1]).resolve(), sys.argv[2])
    check.stubs()
    count, differing = check.all(sys.argv[3:])
    said = f"{check.platform}: {count} targets compile against the stubs, {differing} of them with code that can differ there"
    if len(sys.argv) == 3:
        check.example()
        planted = check.mistakes()
        said += f"; {planted} planted mistakes are found"
    if check.failures:
        sys.exit(f"{check.platform}: {len(check.failures)} errors")
    print(said)


if __name__ == "__main__":
    main()
