#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    /// Whatever ends `airgap`, no process and no control group of its picture readers is left.
    @Suite("What is left of picture readers", .timeLimit(.minutes(30)))
    struct AirgapLeftoverTests {
        private let scratch: Scratch

        init() throws { scratch = try Scratch() }

        private static let airgap = Program(name: "airgap").path

        /// Where this machine's version 1 or 2 has groups of this process, which is where its children's readers get
        /// theirs.
        private static let groupFolders: [String] = {
            guard let memberships = try? KernelFile.text("/proc/self/cgroup") else { return [] }
            return memberships.split(separator: "\n").flatMap { line in
                let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
                guard fields.count == 3 else { return [String]() }
                return ["/sys/fs/cgroup/\(fields[1])\(fields[2])", "/sys/fs/cgroup/unified\(fields[2])"]
            }
        }()

        private static func groups(of process: Int32) -> [String] {
            groupFolders.flatMap { folder in
                ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
                    .filter { $0.hasPrefix("forcefield-\(process)-") }
            }
        }

        /// Runs `airgap` on a film.
        ///
        /// - Parameter act: done to it once it has a reader; nil to let it end by itself.
        /// - Returns: how it ended. Of its readers and their wardens, which it has started, none lives on.
        private func receive(_ film: String, _ act: (@Sendable (Int32) -> Void)? = nil) async throws -> Process {
            let process = Process()
            // A test's thread blocks signals, and a shell may ignore some: its children would with it.
            process.executableURL = URL(filePath: "/usr/bin/python3")
            process.arguments = [
                "-c",
                """
                import os, signal, sys
                for number in (1, 2, 3, 15): signal.signal(number, signal.SIG_DFL)
                signal.pthread_sigmask(signal.SIG_SETMASK, [])
                os.execv(sys.argv[1], sys.argv[1:])
                """,
                Self.airgap, "recv", film, "-o", scratch.path("out"),
            ]
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            // On a thread of its own: the tasks of other tests may keep one that sleeps from going on for seconds.
            let readers = try await OwnThread.run { () -> [Int32] in
                guard let act else { return [] }
                var readers: [Int32] = []
                // Until the reader itself is there, and not only what locks it in.
                while process.isRunning, readers.flatMap(Self.children).isEmpty {
                    readers = Self.children(of: process.processIdentifier)
                    usleep(5_000)
                }
                readers += readers.flatMap(Self.children)
                act(process.processIdentifier)
                return readers
            }
            try await OwnThread.run { process.waitUntilExit() }
            #expect(act == nil || !readers.isEmpty)
            #expect(readers.filter { kill($0, 0) == 0 } == [])
            return process
        }

        private static func children(of process: Int32) -> [Int32] {
            let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
            return tasks.flatMap { task in
                ((try? KernelFile.text("/proc/\(process)/task/\(task)/children")) ?? "")
                    .split(separator: " ").compactMap { Int32($0) }
            }
        }

        /// A file in a film, and a film that goes on for longer than any test.
        private func film() throws -> (good: String, endless: String, damaged: String) {
            let content = scratch.path("content")
            var random = SplitMix64(state: 11)
            try Data((0..<5_000).map { _ in random.byte() }).write(to: URL(filePath: content))
            let good = scratch.path("film.y4m")
            try Program(name: "airgap").run(["send", content, "--out", good]).succeeded()
            let damaged = scratch.path("damaged.png")
            try Data([0x89] + Array("PNG\r\n".utf8) + [0x1a, 0x0a, 1, 2, 3]).write(to: URL(filePath: damaged))
            let endless = scratch.path("endless.y4m")
            let frame = Data("FRAME\n".utf8) + Data(repeating: 0xeb, count: 2_000 * 2_000)
            var film = Data("YUV4MPEG2 W2000 H2000 F30:1 Cmono\n".utf8)
            for _ in 0..<60 { film += frame }
            try film.write(to: URL(filePath: endless))
            return (good, endless, damaged)
        }

        @Test("nothing, after files that were read and files that were not")
        func exits() async throws {
            let films = try film()
            for _ in 0..<20 {
                let good = try await receive(films.good)
                #expect(good.terminationStatus == 0)
                #expect(Self.groups(of: good.processIdentifier) == [])
            }
            let damaged = try await receive(films.damaged)
            #expect(damaged.terminationStatus == 2)
            #expect(Self.groups(of: damaged.processIdentifier) == [])
        }

        @Test("nothing, after a signal that ends the program", arguments: [SIGTERM, SIGHUP])
        func signals(_ signal: Int32) async throws {
            let films = try film()
            let process = try await receive(films.endless) { kill($0, signal) }
            #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == signal)
            #expect(Self.groups(of: process.processIdentifier) == [])
        }

        @Test("nothing, after Control-C once, which keeps what was read, and twice, which does not wait")
        func interrupts() async throws {
            let films = try film()
            let once = try await receive(films.endless) { kill($0, SIGINT) }
            #expect(once.terminationReason == .exit && once.terminationStatus == 2)
            #expect(Self.groups(of: once.processIdentifier) == [])
            let twice = try await receive(films.endless) { process in
                kill(process, SIGINT)
                usleep(2_000)
                kill(process, SIGINT)
            }
            #expect(Self.groups(of: twice.processIdentifier) == [])
        }
    }
#endif
