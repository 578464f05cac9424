#if canImport(CSystemd)
    import Foundation

    /// A message bus of a test's own: the reference daemon, with rules like those of a system's bus as far as signals
    /// go.
    package final class TestBus {
        package let folder: URL
        private let process = Process()

        private static let program = ["/usr/bin/dbus-daemon", "/bin/dbus-daemon"]
            .first(where: FileManager.default.isExecutableFile)

        package static let isInstalled = program != nil

        struct DidNotStart: Error {}

        /// - Parameter folder: of a bus that is gone, whose address it gets.
        package init(in folder: URL? = nil) throws {
            self.folder = folder ?? URL(filePath: "/tmp/bus-\(UUID().uuidString.prefix(13))")
            try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
            let configuration = self.folder.appending(path: "bus.conf")
            try Data(
                """
                <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
                 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
                <busconfig>
                  <listen>\(Self.address(in: self.folder))</listen>
                  <auth>EXTERNAL</auth>
                  <policy context="default">
                    <allow user="*"/>
                    <allow own="*"/>
                    <allow send_type="method_call"/>
                    <allow send_type="signal"/>
                    <allow send_requested_reply="true" send_type="method_return"/>
                    <allow send_requested_reply="true" send_type="error"/>
                    <allow receive_type="method_call"/>
                    <allow receive_type="signal"/>
                    <allow receive_type="method_return"/>
                    <allow receive_type="error"/>
                  </policy>
                </busconfig>
                """.utf8
            ).write(to: configuration)
            process.executableURL = URL(filePath: Self.program ?? "/usr/bin/dbus-daemon")
            process.arguments = ["--config-file=\(configuration.path)", "--nofork", "--nopidfile", "--print-address=1"]
            let output = Pipe()
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.run()
            // It prints its address once it listens.
            guard try output.fileHandleForReading.read(upToCount: 1) != nil else { throw DidNotStart() }
        }

        deinit {
            stop()
            try? FileManager.default.removeItem(at: folder)
        }

        package var address: String { Self.address(in: folder) }

        /// The socket that it listens at.
        package var socket: String { folder.path + "/socket" }

        private static func address(in folder: URL) -> String { "unix:path=\(folder.path)/socket" }

        /// As a bus dies that is killed.
        package func stop() {
            guard process.isRunning else { return }
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            try? FileManager.default.removeItem(at: folder.appending(path: "socket"))
        }
    }

    /// A socket at which every connection ends before a word was said.
    package final class BrokenBus: Sendable {
        private let descriptor: Int32
        private let path: String

        struct Failed: Error { let code: Int32 }

        package init(at path: String) throws {
            self.path = path
            descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let bound = withUnsafePointer(to: address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            guard bound == 0, listen(descriptor, 8) == 0 else { throw Failed(code: errno) }
        }

        /// Ends one connection, once there is one.
        package func breaksOff() async {
            await withCheckedContinuation { continuation in
                Thread { [descriptor] in
                    close(accept(descriptor, nil, nil))
                    continuation.resume()
                }.start()
            }
        }

        package func stop() {
            close(descriptor)
            unlink(path)
        }
    }
#endif
