#if os(Linux)
    import CodeMeasurement
    import ExecutableImage
    import Files
    import Foundation
    import TestSupport
    import Testing

    /// A program that a test starts and ends.
    final class Child {
        let process: Int32
        private let running = Process()
        private let input = Pipe()
        private let output = Pipe()

        /// Starts a program, and waits for the first line that it prints.
        init(_ path: String, _ arguments: [String] = [], environment: [String: String]? = nil) throws {
            running.executableURL = URL(filePath: path)
            running.arguments = arguments
            if let environment { running.environment = environment }
            running.standardInput = input
            running.standardOutput = output
            try running.run()
            process = running.processIdentifier
            firstLine = Self.line(output)
        }

        private(set) var firstLine = ""

        deinit {
            kill(process, SIGKILL)
            running.waitUntilExit()
        }

        /// Says a line, and waits for the answer.
        func tell(_ line: String) {
            input.fileHandleForWriting.write(Data("\(line)\n".utf8))
            _ = Self.line(output)
        }

        private static func line(_ pipe: Pipe) -> String {
            var line: [UInt8] = []
            while let byte = try? pipe.fileHandleForReading.read(upToCount: 1)?.first, byte != 0x0a {
                line.append(byte)
            }
            return String(decoding: line, as: UTF8.self)
        }

        /// Waits until something holds of the process, for at most five minutes of the machine's time.
        static func wait(until condition: () -> Bool) -> Bool {
            let end = ContinuousClock.now + .seconds(300)
            while !condition() {
                guard ContinuousClock.now < end else { return false }
                usleep(1000)
            }
            return true
        }
    }

    let hasCompiler = FileManager.default.isExecutableFile(atPath: "/usr/bin/cc")

    /// Makes a program from a fixture.
    func compile(_ source: String, to path: String, _ options: String...) throws {
        try Tool.run("/usr/bin/cc", ["-O1", "-o", path, fixtures.appending(path: source).path] + options)
    }

    /// Writes a byte of another process's code through its memory file, and puts the old one back if asked.
    func poke(_ process: Int32, at address: UInt64, restored: Bool) throws {
        let memory = OpenFile(owning: open("/proc/\(process)/mem", O_RDWR | O_CLOEXEC))
        var old: UInt8 = 0
        try #require(pread(memory.number, &old, 1, off_t(address)) == 1)
        var new = old ^ 1
        try #require(pwrite(memory.number, &new, 1, off_t(address)) == 1)
        if restored { try #require(pwrite(memory.number, &old, 1, off_t(address)) == 1) }
    }

    extension MeasuredImage {
        /// The image in a file of this machine.
        init(at path: String, as name: String) throws {
            let file = try OpenedFile(path: path)
            let image = try #require(try ExecutableFile(parsing: file).images.first)
            try self.init(path: name, descriptor: file.descriptor, image)
        }
    }

    /// The demo program of the shared data with its library, copied to a folder.
    struct Demo {
        static var isThere: Bool { SharedData.has("vigil/process/app") }

        let folder: TemporaryFolder
        let program: MeasuredProgram

        init() throws {
            folder = try TemporaryFolder()
            let manager = FileManager.default
            for (name, path) in [("app", "bin/app"), ("libdemo.so", "lib/libdemo.so"), ("libdemo.so", "evil/evil.so")] {
                let destination = folder.url.appending(path: path)
                try manager.createDirectory(
                    at: destination.deletingLastPathComponent(), withIntermediateDirectories: true)
                try ExecutableCopy.make(of: SharedData.url("vigil/process/\(name)").path, at: destination.path)
                chmod(destination.path, 0o755)
            }
            program = MeasuredProgram(
                main: try MeasuredImage(at: folder.path("bin/app"), as: "bin/app"),
                libraries: [try MeasuredImage(at: folder.path("lib/libdemo.so"), as: "lib/libdemo.so")])
        }

        var path: String { folder.path("bin/app") }

        /// A file that begins as the program does.
        func page() throws -> String {
            let path = folder.path("evil/page.bin")
            try Data(contentsOf: URL(filePath: self.path)).prefix(4096).write(to: URL(filePath: path))
            return path
        }

        /// Starts it in one of its modes, and looks at it.
        func look(mode: [String], environment: [String: String]? = nil) throws -> (Child, MeasurementOutcome) {
            let child = try Child(path, mode, environment: environment)
            var measurement = try ProcessMeasurement(of: ObservedProcess(child.process))
            return (child, measurement.look(at: program))
        }
    }
#endif
