#if os(Linux)
    import ExecutableImage
    import Files
    import Foundation
    import TestSupport
    import Testing

    @testable import CodeMeasurement

    @Suite("A live process", .enabled(if: Demo.isThere))
    struct LiveProcessTests {
        private let demo: Demo

        init() throws {
            demo = try Demo()
        }

        @Test("an untouched program passes all levels, whatever it calls itself", arguments: ["clean", "comm", "nnp"])
        func clean(mode: String) throws {
            let (child, outcome) = try demo.look(mode: [mode])
            #expect(outcome.reason == .ok, "\(String(describing: outcome.finding))")
            #expect(outcome.levels == [.firsthand, .mapShape, .codePages, .behaviour])
            #expect(outcome.flags.isDisjoint(with: [.executableDeleted, .environmentUnreadable]))
            withExtendedLifetime(child) {}
        }

        @Test(
            "foreign code is found, however it got there",
            arguments: [
                (["anonexec"], "anonymous rwx"), (["anonrx"], "anonymous r-x"), (["memfd", "evil/evil.so"], "memfd:"),
                (["dlopen", "evil/evil.so"], "evil.so"), (["remap", "evil/page.bin"], "page.bin"),
            ])
        func foreign(mode: [String], path: String) throws {
            _ = try demo.page()
            let (child, outcome) = try demo.look(mode: [mode[0]] + mode.dropFirst().map { demo.folder.path($0) })
            #expect(outcome.reason == .foreignCode)
            #expect(outcome.finding?.path?.contains(path) == true, "\(String(describing: outcome.finding))")
            #expect(outcome.finding?.address != nil)
            withExtendedLifetime(child) {}
        }

        @Test(
            "code that was written to is found, also if the old bytes are back",
            arguments: ["selfpatch", "patchrestore"])
        func patched(mode: String) throws {
            let (child, outcome) = try demo.look(mode: [mode])
            #expect(outcome.reason == .codeModified)
            #expect(outcome.finding?.path == "bin/app")
            #expect(outcome.finding?.segment == 1)
            #expect(outcome.finding?.pages.isEmpty == false)
            withExtendedLifetime(child) {}
        }

        @Test("a library preloaded is foreign, one that only audits is told by the environment")
        func preloaded() throws {
            let (child, outcome) = try demo.look(
                mode: ["clean"], environment: ["LD_PRELOAD": demo.folder.path("evil/evil.so")])
            #expect(outcome.reason == .foreignCode)
            let (other, audited) = try demo.look(mode: ["clean"], environment: ["LD_AUDIT": "/nonexistent.so"])
            #expect(audited.reason == .behaviour)
            #expect(audited.finding?.ruleID == "env.LD_AUDIT")
            withExtendedLifetime((child, other)) {}
        }

        @Test(
            "what the loader has closed is found if it is writable again", .enabled(if: hasCompiler),
            arguments: [("read", Reason.ok), ("write", .foreignCode)])
        func reopened(mode: String, reason: Reason) throws {
            let path = demo.folder.path("bin/reopened")
            try compile("reopened.c", to: path, "-Wl,-z,relro,-z,now")
            let child = try Child(path, [mode])
            #expect(child.firstLine == "ready")
            var measurement = try ProcessMeasurement(of: ObservedProcess(child.process))
            let program = MeasuredProgram(main: try MeasuredImage(at: path, as: "bin/reopened"))
            try #require(!program.main.closedSegments.isEmpty)
            let outcome = measurement.look(at: program)
            #expect(outcome.reason == reason, "\(String(describing: outcome.finding))")
            withExtendedLifetime(child) {}
        }

        @Test("a program that is traced is found")
        func traced() throws {
            let parent = try Child(demo.path, ["traced"])
            // The program traces a child of its own.
            var child: Int32?
            let children = "/proc/\(parent.process)/task/\(parent.process)/children"
            #expect(
                Child.wait {
                    child = (try? String(contentsOfFile: children, encoding: .utf8))?.split(separator: " ").first
                        .flatMap { Int32($0) }
                    return child != nil
                })
            let process = try #require(child)
            defer { kill(process, SIGKILL) }
            var measurement = try ProcessMeasurement(of: ObservedProcess(process))
            let outcome = measurement.look(at: demo.program)
            #expect(outcome.reason == .traced)
            #expect(outcome.finding?.text.contains("\(parent.process)") == true)
            #expect(outcome.levels == .firsthand)
        }

        /// Where the demo program has its function `secret`, which it prints.
        private func secret(of child: Child) throws -> UInt64 {
            let words = child.firstLine.split(separator: " ")
            return try #require(words.count > 1 ? UInt64(words[1].dropFirst(2), radix: 16) : nil)
        }

        @Test("a write from outside is found with its page, also if it was taken back", arguments: [false, true])
        func pokedFromOutside(restored: Bool) throws {
            let child = try Child(demo.path, ["clean"])
            var measurement = try ProcessMeasurement(of: ObservedProcess(child.process))
            #expect(measurement.look(at: demo.program).reason == .ok)
            let address = try secret(of: child)
            try poke(child.process, at: address, restored: restored)
            let outcome = measurement.look(at: demo.program)
            #expect(outcome.reason == .codeModified)
            #expect(outcome.levels == [.firsthand, .mapShape, .codePages])
            #expect(outcome.finding?.address == address & ~4095)
            // The map is taken with the page tables, whether it was asked for or not.
            measurement.policy.levels = .codePages
            #expect(measurement.look(at: demo.program) == outcome)
            // The same by reading the page tables entry by entry.
            let maps = try MemoryMap(KernelFile.bytes("/proc/\(child.process)/maps"))
            let pagemap = try OpenFile(opening: "/proc/\(child.process)/pagemap")
            var searching = PageTable(pagemap)
            var reading = PageTable(pagemap, searches: false)
            for mapping in maps.mappings where mapping.end < 1 << 47 {
                #expect(
                    try searching.privateCopies(in: mapping.addresses) == reading.privateCopies(in: mapping.addresses))
            }
        }

        @Test("a write to the page of code that the kernel lends is found")
        func pokedKernelPage() throws {
            let child = try Child(demo.path, ["clean"])
            var measurement = try ProcessMeasurement(of: ObservedProcess(child.process))
            let maps = try MemoryMap(KernelFile.bytes("/proc/\(child.process)/maps"))
            let page = try #require(maps.mappings.first { maps.path(of: $0) == "[vdso]" })
            try poke(child.process, at: page.start + 8, restored: true)
            let outcome = measurement.look(at: demo.program)
            #expect(outcome.reason == .codeModified)
            #expect(outcome.finding?.path == "[vdso]")
        }

        @Test("the contents of memory have the digests of the files, until a byte is another")
        func contents() throws {
            let child = try Child(demo.path, ["clean"])
            let image = try #require(ExecutableFile(parsing: OpenedFile(path: demo.path)).images.first)
            let expected = try #require(
                try ExecutableFile(parsing: OpenedFile(path: demo.path)).digests([.text2]).images.first?.text2)
            func check(_ memory: MemoryContents, _ biases: [UInt64?]) throws(ImageFailure) -> Finding? {
                let found = try image.digests([.text2], in: memory, slide: biases[0] ?? 0).text2
                return found == expected ? nil : Finding("text2 differs", path: "bin/app")
            }
            var measurement = try ProcessMeasurement(of: ObservedProcess(child.process))
            let clean = measurement.look(at: demo.program, contents: check)
            #expect(clean.reason == .ok)
            #expect(clean.levels.contains(.contents))
            for level in [Levels.contents, .behaviour, []] {
                measurement.policy.levels = level
                let clean = measurement.look(at: demo.program, contents: level == .behaviour ? nil : check)
                #expect(clean.reason == .ok && level.union(.mapShape).isSubset(of: clean.levels))
            }

            let address = try secret(of: child)
            try poke(child.process, at: address, restored: false)
            measurement.policy.levels = .mapShape
            let changed = measurement.look(at: demo.program, contents: check)
            #expect(changed.reason == .hashMismatch)
            #expect(changed.levels == [.firsthand, .mapShape, .contents])
        }

        @Test("single pages are read as the file has them")
        func pages() throws {
            let child = try Child(demo.path, ["clean"])
            let process = try ObservedProcess(child.process)
            var biases: [UInt64?] = []
            var measurement = try ProcessMeasurement(of: process)
            _ = measurement.look(at: demo.program) { _, found in
                biases = found
                return nil
            }
            let bias = try #require(biases[0])
            let segment = demo.program.main.segments[1]
            let bytes = try Data(contentsOf: URL(filePath: demo.path)).dropFirst(Int(segment.fileOffset))
                .prefix(Int(segment.fileSize))
            let byHandle = MemoryContents(
                of: process, handle: try OpenFile(opening: "/proc/\(child.process)/mem"))
            for memory in [MemoryContents(of: process), byHandle] {
                #expect(try memory.page(0, of: segment, size: .kib4, bias: bias) == Array(bytes.prefix(4096)))
                #expect(try memory.page(1, of: segment, size: .kib4, bias: bias) == nil)
                #expect(try memory.page(-1, of: segment, size: .kib4, bias: bias) == nil)
                #expect(throws: ImageFailure.self) { try memory.page(0, of: segment, size: .kib4, bias: 0) }
            }
        }

        @Test("libraries of the system are examined in every look, by their own paths")
        func examinedExternals() throws {
            let child = try Child(demo.path, ["clean"])
            var measurement = try ProcessMeasurement(of: ObservedProcess(child.process))
            #expect(measurement.look(at: demo.program).reason == .ok)
            measurement.policy.examineExternal = { path, _ in
                path.hasSuffix("/libc.so.6") ? .refused("not this one") : .trusted
            }
            let outcome = measurement.look(at: demo.program)
            #expect(outcome.reason == .foreignCode)
            #expect(outcome.finding?.text == "not this one")
        }

        @Test("a program whose file was replaced is measured by the open file, and flagged")
        func replaced() throws {
            let child = try Child(demo.path, ["clean"])
            var measurement = try ProcessMeasurement(of: ObservedProcess(child.process))
            try FileManager.default.removeItem(atPath: demo.path)
            try Data("other".utf8).write(to: URL(filePath: demo.path))
            let outcome = measurement.look(at: demo.program)
            #expect(outcome.reason == .ok)
            #expect(outcome.flags.contains(.executableDeleted))
        }

        @Test("a program whose file is removed while it is looked at is looked at once more, and flagged")
        func removedMeanwhile() throws {
            let child = try Child(demo.path, ["clean"])
            var measurement = try ProcessMeasurement(of: ObservedProcess(child.process))
            var looks = 0
            let outcome = measurement.look(at: demo.program) { _, _ in
                looks += 1
                unlink(demo.path)
                return nil
            }
            #expect(outcome.reason == .ok, "\(String(describing: outcome.finding))")
            #expect(outcome.flags.contains(.executableDeleted))
            #expect(looks == 2)
        }

        @Test("a program whose file is renamed in every look is refused")
        func renamedAgainAndAgain() throws {
            let child = try Child(demo.path, ["clean"])
            var measurement = try ProcessMeasurement(of: ObservedProcess(child.process))
            var path = demo.path
            let outcome = measurement.look(at: demo.program) { _, _ in
                rename(path, path + "x")
                path += "x"
                return nil
            }
            #expect(outcome.reason == .foreignCode)
        }

        @Test("another program than the measured one is foreign")
        func otherProgram() throws {
            let (child, outcome) = try demo.look(mode: ["clean"])
            #expect(outcome.reason == .ok)
            var program = demo.program
            program.main = try MeasuredImage(at: "/bin/sleep", as: "bin/app")
            var measurement = try ProcessMeasurement(of: ObservedProcess(child.process))
            #expect(measurement.look(at: program).reason == .foreignCode)
        }

        @Test("a debugger that is attached to one thread alone is found", .enabled(if: hasCompiler))
        func tracedThread() throws {
            let folder = try TemporaryFolder()
            let path = folder.path("threads")
            try compile("threads.c", to: path, "-pthread")
            let child = try Child(path)
            var measurement = try ProcessMeasurement(of: ObservedProcess(child.process))
            let program = MeasuredProgram(main: try MeasuredImage(at: path, as: "bin/threads"))
            #expect(measurement.look(at: program).reason == .ok)
            child.tell("trace")
            #expect(measurement.look(at: program).reason == .traced)
        }

        @Test("a program that ends is not the one that was asked for any more")
        func ended() throws {
            let child = try Child(demo.path, ["clean"])
            var measurement = try ProcessMeasurement(of: ObservedProcess(child.process))
            let identity = measurement.identity
            #expect(identity.process == child.process)
            #expect(identity.executable == demo.program.main.key)
            kill(child.process, SIGKILL)
            #expect(Child.wait { measurement.look(at: demo.program).reason != .ok })
            withExtendedLifetime(child) {}
            #expect(measurement.look(at: demo.program).reason == .peerIdentity)
        }

        @Test("the files whose code is mapped are told")
        func files() throws {
            let child = try Child(demo.path, ["clean"])
            var measurement = try ProcessMeasurement(of: ObservedProcess(child.process))
            let files = try measurement.executableFiles()
            #expect(files.contains { $0.path == demo.path && $0.key == demo.program.main.key })
            #expect(files.contains { $0.path == demo.folder.path("lib/libdemo.so") })
            #expect(files.allSatisfy { $0.path.hasPrefix("/") })
        }

        @Test("rules of a profile are asked of the live process")
        func profile() throws {
            let child = try Child(demo.path, ["nnp"])
            var measurement = try ProcessMeasurement(of: ObservedProcess(child.process))
            let path = demo.path
            var rules = [
                BehaviourRule(id: "nnp", .noNewPrivileges, .equal(.number(1))),
                BehaviourRule(id: "threads", .threads, .equal(.number(1))),
                BehaviourRule(id: "path", .executablePath, .equal(.text(path))),
                BehaviourRule(id: "fd", .descriptors, .atMost(64)),
                BehaviourRule(id: "inet", .networkSockets, .atMost(0)),
                BehaviourRule(id: "cmdline", .commandLineDigest, .equal(.text("0102"))),
                BehaviourRule(id: "user", .effectiveUser, .equal(.number(UInt64(geteuid())))),
            ]
            measurement.policy.digest = { String(decoding: $0, as: UTF8.self) == "\(path)\0nnp\0" ? [1, 2] : [] }
            measurement.policy.profile = BehaviourProfile(rules: rules)
            let outcome = measurement.look(at: demo.program)
            #expect(outcome.reason == .ok, "\(String(describing: outcome.finding))")
            rules.append(BehaviourRule(id: "few", .descriptors, .atMost(0)))
            measurement.policy.profile = BehaviourProfile(rules: rules)
            #expect(measurement.look(at: demo.program).finding?.ruleID == "few")
        }

        @Test("a socket of the network counts before it has an address, and none that stays within the kernel does")
        func networkSockets() throws {
            let stream = Int32(SOCK_STREAM.rawValue)
            let descriptors = [
                socket(AF_INET, stream, 0), socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0), socket(AF_UNIX, stream, 0),
            ]
            try #require(!descriptors.contains(-1))
            let handles = descriptors.map { FileHandle(fileDescriptor: $0, closeOnDealloc: true) }
            let sleeping = Process()
            sleeping.executableURL = URL(filePath: "/bin/sleep")
            sleeping.arguments = ["600"]
            sleeping.standardInput = handles[0]
            sleeping.standardOutput = handles[1]
            sleeping.standardError = handles[2]
            try sleeping.run()
            let process = sleeping.processIdentifier
            defer {
                kill(process, SIGKILL)
                sleeping.waitUntilExit()
            }
            let observation = ProcessObservation(process, status: nil, shape: nil, executable: nil, digest: nil)
            #expect(observation.read(.networkSockets) == .number(2))
            for (number, isOne) in [true, true, false].enumerated() {
                #expect(try NetworkSocket.isOne(at: "/proc/\(process)/fd/\(number)").get() == isOne)
            }
            #expect(try !NetworkSocket.isOne(at: "/proc/self/exe").get())
            #expect(throws: Errno.noSuchFileOrDirectory) { try NetworkSocket.isOne(at: "/proc/self/fd/-1").get() }
        }
    }
#endif
