import CLibrary
import CLinux
import Dispatch
import Synchronization

/// A program that a test runs, with its standard input and output on one socket.
///
/// When the test process ends, however it does, the program reads the end of its input.
package final class ChildProgram: Sendable {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    package let id: pid_t
    private let socket: Int32
    private let diesWithOwner: Bool
    private let queue = DispatchQueue(label: "child")
    private let end: End

    /// Reaps the program as soon as it has ended, whether a test asks for it or not: one that is not reaped hides the
    /// ends of other children from whoever waits for any of them, as exit tests do.
    private final class End: Sendable {
        private let id: pid_t
        private let status = Mutex<Int32?>(nil)
        private let group = DispatchGroup()

        init(of id: pid_t) {
            self.id = id
            DispatchQueue(label: "child's end").async(group: group) {
                var information = siginfo_t()
                while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
                self.status.withLock { status in
                    var ended: Int32 = 0
                    waitpid(id, &ended, 0)
                    status = ended
                }
            }
        }

        func kill() {
            // Its number may be another's once it has been reaped.
            status.withLock { status in
                if status == nil { _ = ChildProgram.sendKill(id) }
            }
        }

        func wait() async -> Int32 {
            await withCheckedContinuation { continuation in
                group.notify(queue: .global()) { continuation.resume(returning: self.status.withLock { $0 } ?? 0) }
            }
        }
    }

    /// - Parameters:
    ///   - path: of the program, or a name that is looked for as a shell does.
    ///   - arguments: without the program's own name.
    ///   - diesWithOwner: whether it is killed with the last reference to it, instead of reading the end of its input.
    package init(_ path: String, _ arguments: [String], diesWithOwner: Bool = false) throws {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Self.kind, 0, &ends) == 0 else { throw Failure(description: "no socket") }
        #if !canImport(Glibc)
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        #endif
        defer { close(ends[1]) }
        #if canImport(Glibc)
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #else
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        // Nothing else of this process: a connection that a child keeps open never ends for whoever serves it.
        #if canImport(Glibc)
            clinux_spawn_closing_from(&actions, 3)
        #else
            for descriptor in 3..<min(Int32(clamping: sysconf(Int32(_SC_OPEN_MAX))), Self.descriptors) {
                posix_spawn_file_actions_addclose(&actions, descriptor)
            }
        #endif
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Threads of the pool block signals, and their children would with them: a shell would wait for ever, a server
        // never stop. And whoever runs the tests may ignore some.
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let copies = ([path] + arguments).map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        var child: pid_t = 0
        let code = posix_spawnp(&child, path, &actions, &attributes, copies + [nil], environ)
        guard code == 0 else {
            close(ends[0])
            throw Failure(description: "\(path): \(String(cString: strerror(code)))")
        }
        id = child
        socket = ends[0]
        self.diesWithOwner = diesWithOwner
        end = End(of: child)
    }

    /// The folder that the tests were started in.
    private static let startFolder: String = {
        guard let path = getcwd(nil, 0) else { return "." }
        defer { free(path) }
        return String(cString: path)
    }()

    #if !canImport(Glibc)
        /// More than a process of tests has open at a time.
        private static let descriptors: Int32 = 4_096
    #endif

    private static var kind: Int32 {
        #if canImport(Glibc)
            Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        #else
            SOCK_STREAM
        #endif
    }

    deinit {
        if diesWithOwner { end.kill() }
        close(socket)
    }

    package func send(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        #if canImport(Glibc)
            // A program that has ended sends no signal to the process of all tests.
            _ = bytes.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        #else
            _ = bytes.withUnsafeBytes { write(socket, $0.baseAddress, $0.count) }
        #endif
    }

    /// The next line of its output; nil at its end.
    package func nextLine() async -> String? {
        await onQueue { [socket] in
            var line: [UInt8] = []
            var byte: UInt8 = 0
            while true {
                let count = read(socket, &byte, 1)
                if count < 0, errno == EINTR { continue }
                guard count == 1 else { return line.isEmpty ? nil : String(decoding: line, as: UTF8.self) }
                if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
                line.append(byte)
            }
        }
    }

    /// All lines until its end.
    package func remainingLines() async -> [String] {
        var lines: [String] = []
        while let line = await nextLine() { lines.append(line) }
        return lines
    }

    package func kill() { end.kill() }

    private static func sendKill(_ id: pid_t) -> Int32 {
        #if canImport(Glibc)
            Glibc.kill(id, SIGKILL)
        #else
            Darwin.kill(id, SIGKILL)
        #endif
    }

    /// Waits until it has ended.
    ///
    /// - Returns: its exit status, or 128 and the number of the signal that ended it.
    package func wait() async -> Int32 {
        let status = await end.wait()
        return status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f
    }

    /// Says that there is no more input.
    package func endInput() { shutdown(socket, Int32(SHUT_WR)) }

    private func onQueue<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: work()) }
        }
    }

    /// Waits for its end; a test whose time is over ends it.
    ///
    /// - Returns: its exit status, as of ``wait()``, and the rest of its output.
    package func outcome() async -> (status: Int32, lines: [String]) {
        endInput()
        return await withTaskCancellationHandler {
            let lines = await remainingLines()
            return (await wait(), lines)
        } onCancel: {
            kill()
        }
    }

    /// Runs a program to its end.
    ///
    /// - Returns: its output.
    package static func run(_ path: String, _ arguments: [String]) async throws -> [String] {
        let (status, lines) = try await ChildProgram(path, arguments).outcome()
        guard status == 0 else { throw Failure(description: "\(path) ended with \(status): \(lines)") }
        return lines
    }

    /// A program of this package, which lies beside the tests.
    ///
    /// - Returns: its whole path: who starts it may be in another folder.
    package static func built(_ name: String) throws -> String {
        let own = CommandLine.arguments[0]
        var folder = (own.hasPrefix("/") ? own : Self.startFolder + "/" + own)[...]
        while let slash = folder.lastIndex(of: "/") {
            folder = folder[..<slash]
            let path = "\(folder)/\(name)"
            if access(path, X_OK) == 0 { return path }
        }
        throw Failure(description: "\(name) is not built")
    }
}
