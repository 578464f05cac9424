#if canImport(CGIO)
    import Foundation
    import TestSupport

    /// A screen, a session's bus and a bus for assistive technology of their own, for the programs of one test.
    package final class Desktop: Sendable {
        package let folder: TemporaryFolder
        package let display: String
        private let size: (width: Int, height: Int)
        private let screen: ChildOfDesktop
        private let session: ChildOfDesktop
        let accessibility: AccessibilityBus
        let environment: [String: String]

        /// Why there can be no desktop on this machine; nil where there can be one.
        package static let obstacle: String? = {
            let tools = ["Xvfb", "dbus-daemon", "xdotool", "/usr/libexec/at-spi-bus-launcher"]
            let missing = tools.filter { findTool($0) == nil }
            return missing.isEmpty
                ? nil : "\(missing.joined(separator: ", ")) missing: apt-get install xvfb dbus xdotool at-spi2-core"
        }()

        static func findTool(_ name: String) -> String? {
            let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
            let places = name.hasPrefix("/") ? [name] : path.split(separator: ":").map { "\($0)/\(name)" }
            return places.first { FileManager.default.isExecutableFile(atPath: $0) }
        }

        /// - Parameters: of the screen, in pixels.
        package init(width: Int = 1100, height: Int = 900) throws {
            folder = try TemporaryFolder()
            size = (width, height)
            for name in ["home", "run", "frame"] {
                try FileManager.default.createDirectory(
                    atPath: folder.path(name), withIntermediateDirectories: false,
                    attributes: [.posixPermissions: 0o700])
            }
            // The pointer would cover what is read from pictures of the screen.
            screen = try ChildOfDesktop(
                "Xvfb",
                [
                    "-displayfd", "1", "-screen", "0", "\(width)x\(height)x24", "-nocursor", "-noreset", "-nolisten",
                    "tcp", "-fbdir", folder.path("frame"),
                ])
            display = ":" + (try screen.firstLine())
            var environment = [
                "DISPLAY": display, "HOME": folder.path("home"), "XDG_RUNTIME_DIR": folder.path("run"),
                "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "LANG": "C.UTF-8",
                "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo",
            ]
            session = try ChildOfDesktop(
                "dbus-daemon", ["--session", "--nofork", "--print-address=1"], environment: environment)
            environment["DBUS_SESSION_BUS_ADDRESS"] = try session.firstLine()
            self.environment = environment
            accessibility = try AccessibilityBus(session: environment["DBUS_SESSION_BUS_ADDRESS"] ?? "")
        }

        /// The picture on the screen now.
        package func picture() throws -> ScreenPicture {
            try ScreenPicture(framebuffer: Array(Data(contentsOf: folder.url.appending(path: "frame/Xvfb_screen0"))))
        }

        /// Presses keys and moves the pointer as a person does.
        @discardableResult
        func xdotool(_ arguments: [String]) throws -> String {
            let tool = try ChildOfDesktop("xdotool", arguments, environment: environment)
            let (status, output) = tool.outcome()
            guard status == 0 else { throw WindowFailure("xdotool \(arguments) ended with \(status)") }
            return String(decoding: output, as: UTF8.self)
        }
    }

    /// A program of a desktop, ended with the last reference to it.
    final class ChildOfDesktop: Sendable {
        private let process = Process()
        private let output = Pipe()

        /// - Parameters:
        ///   - environment: all of it; nil for that of the tests.
        ///   - errors: a file for what it says of errors; nil for nowhere.
        init(
            _ program: String, _ arguments: [String], environment: [String: String]? = nil, errors: String? = nil
        ) throws {
            guard let path = Desktop.findTool(program) else { throw WindowFailure("\(program) is not there") }
            process.executableURL = URL(filePath: path)
            process.arguments = arguments
            if let environment { process.environment = environment }
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            if let errors {
                _ = FileManager.default.createFile(
                    atPath: errors, contents: nil, attributes: [.posixPermissions: 0o600])
                process.standardError = FileHandle(forWritingAtPath: errors)
            }
            // Threads of the pool block signals, and their children would with them: none could be ended.
            var (none, before) = (sigset_t(), sigset_t())
            sigemptyset(&none)
            pthread_sigmask(SIG_SETMASK, &none, &before)
            defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
            try process.run()
        }

        deinit { end() }

        var id: Int32 { process.processIdentifier }
        var isRunning: Bool { process.isRunning }

        func firstLine() throws -> String {
            var line = Data()
            while let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty, byte[0] != 0x0a {
                line += byte
            }
            guard !line.isEmpty else { throw WindowFailure("\(process.executableURL?.path ?? "") says nothing") }
            return String(decoding: line, as: UTF8.self)
        }

        /// Waits for its end.
        func outcome() -> (status: Int32, output: [UInt8]) {
            let bytes = Array(output.fileHandleForReading.readDataToEndOfFile())
            process.waitUntilExit()
            return (process.terminationStatus, bytes)
        }

        /// Ends it, and waits for that.
        func end(by signal: Int32 = SIGTERM) {
            guard process.isRunning else { return }
            kill(process.processIdentifier, signal)
            process.waitUntilExit()
        }
    }
#endif
