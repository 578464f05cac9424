#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    @Suite("Films that are larger than what may be held")
    struct LargeFilmTests {
        private let scratch: Scratch

        init() throws { scratch = try Scratch() }

        /// More than what a program and its worker need for one picture after the other.
        private static let memoryLimit = 80 << 20
        private static let filmSize = 100 << 20

        /// Runs a program, and gives the most memory that it has held itself. (What the system says of a child that has
        /// ended counts the memory of the process that started it.)
        private func peakMemory(of program: Program, _ arguments: [String]) async throws -> (
            exitCode: Int32, bytes: Int
        ) {
            let process = Process()
            process.executableURL = URL(filePath: program.path)
            process.arguments = arguments
            process.standardOutput = FileHandle.nullDevice
            try process.run()
            var kilobytes = 0
            while process.isRunning {
                kilobytes = max(kilobytes, Self.peakKilobytes(of: process.processIdentifier) ?? 0)
                try await Task.sleep(for: .milliseconds(5))
            }
            return (process.terminationStatus, kilobytes << 10)
        }

        /// Nil when it has ended.
        private static func peakKilobytes(of process: Int32) -> Int? {
            let status = try? KernelFile.text("/proc/\(process)/status")
            let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
            return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
        }

        /// A film of white pictures with those of another one at its end.
        private func pad(_ film: String, into path: String) throws {
            let bytes = [UInt8](try Data(contentsOf: URL(filePath: film)))
            let mark = Array("FRAME\n".utf8)
            let first = try #require(bytes.firstRange(of: mark)).lowerBound
            let second = try #require(bytes[(first + 1)...].firstRange(of: mark)).lowerBound
            let white = Data(mark + [UInt8](repeating: 0xeb, count: second - first - mark.count))
            try Data(bytes[..<first]).write(to: URL(filePath: path))
            let file = try FileHandle(forWritingTo: URL(filePath: path))
            try file.seekToEnd()
            for _ in 0..<Self.filmSize / white.count { try file.write(contentsOf: white) }
            try file.write(contentsOf: bytes[first...])
            try file.close()
        }

        @Test("one of 100 MB is read to its end in little memory")
        func large() async throws {
            let airgap = Program(name: "airgap")
            let (content, film, out) = (scratch.path("file.bin"), scratch.path("film.y4m"), scratch.path("out.bin"))
            try Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }).write(to: URL(filePath: content))
            try airgap.run(["send", content, "--out", film]).succeeded()
            let large = scratch.path("large.y4m")
            try pad(film, into: large)
            let (exitCode, bytes) = try await peakMemory(of: airgap, ["recv", large, "-o", out])
            #expect(exitCode == 0)
            #expect(try Data(contentsOf: URL(filePath: out)) == Data(contentsOf: URL(filePath: content)))
            #expect((1..<Self.memoryLimit).contains(bytes))
        }
    }
#endif
