#if os(Linux)
    import Foundation
    import Glibc
    import Testing

    @Suite("Films that are larger than what may be held")
    struct LargeFilmTests {
        private let scratch: Scratch

        init() throws { scratch = try Scratch() }

        /// More than what a program and its worker need for one picture after the other.
        private static let memoryLimit = 80 << 20
        private static let filmSize = 100 << 20

        /// Runs a program and gives the most memory that it, or a worker of its, has held.
        private func peakMemory(of arguments: [String]) throws -> (exitCode: Int32, bytes: Int) {
            let words = arguments.map { strdup($0) }
            defer { for word in words { free(word) } }
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
            var child: pid_t = 0
            let error = posix_spawn(&child, arguments[0], &actions, nil, words + [nil], environ)
            try #require(error == 0, "\(arguments[0]): \(String(cString: strerror(error)))")
            var (status, usage) = (Int32(0), rusage())
            while wait4(child, &status, 0, &usage) < 0, errno == EINTR {}
            return (status, usage.ru_maxrss << 10)
        }

        /// A film of white pictures with those of another one at its end.
        private func pad(_ film: String, into path: String) throws {
            let bytes = [UInt8](try Data(contentsOf: URL(filePath: film)))
            let mark = Array("FRAME\n".utf8)
            let first = try #require(bytes.firstRange(of: mark)).lowerBound
            let second = try #require(bytes[(first + 1)...].firstRange(of: mark)).lowerBound
            let white = Data(mark + [UInt8](repeating: 0xeb, count: second - first - mark.count))
            FileManager.default.createFile(atPath: path, contents: Data(bytes[..<first]))
            let file = try FileHandle(forWritingTo: URL(filePath: path))
            try file.seekToEnd()
            for _ in 0..<Self.filmSize / white.count { try file.write(contentsOf: white) }
            try file.write(contentsOf: bytes[first...])
            try file.close()
        }

        @Test("one of 100 MB is read to its end in little memory")
        func large() throws {
            let airgap = Program(name: "airgap")
            let (content, film, out) = (scratch.path("file.bin"), scratch.path("film.y4m"), scratch.path("out.bin"))
            try Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }).write(to: URL(filePath: content))
            let sent = try airgap.run(["send", content, "--out", film])
            try #require(sent.exitCode == 0, "\(sent.errors)")
            let large = scratch.path("large.y4m")
            try pad(film, into: large)
            let (exitCode, bytes) = try peakMemory(of: [airgap.path, "recv", large, "-o", out])
            #expect(exitCode == 0)
            #expect(try Data(contentsOf: URL(filePath: out)) == Data(contentsOf: URL(filePath: content)))
            #expect(bytes < Self.memoryLimit)
        }
    }
#endif
