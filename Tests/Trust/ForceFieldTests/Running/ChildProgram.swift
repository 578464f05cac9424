import Glibc
import Synchronization
import Threads

/// A program that a test starts, and that ends with the last reference to it at the latest.
///
/// It gets nothing of this process but its error output: what another child keeps open never ends for whoever reads it.
/// What waits for it waits on a thread of its own, as those of Swift's pool are few and other tests need them.
final class ChildProgram: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let id: pid_t
    private let output: Int32
    private let isReaped = Atomic(false)

    /// More than this process has open at a time.
    private static let descriptors: Int32 = 4_096

    /// - Parameter command: the program, looked for as a shell does, and its arguments.
    init(_ command: [String]) throws {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw Failure(description: "no socket: \(errno)")
        }
        defer { close(ends[1]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        for descriptor in 3..<Self.descriptors { posix_spawn_file_actions_addclose(&actions, descriptor) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Threads of the pool block signals, and whoever runs the tests may ignore some.
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let words = command.map { strdup($0) }
        defer { for word in words { free(word) } }
        var child: pid_t = 0
        let error = posix_spawnp(&child, command[0], &actions, &attributes, words + [nil], environ)
        guard error == 0 else {
            close(ends[0])
            throw Failure(description: "\(command): \(String(cString: strerror(error)))")
        }
        (id, output) = (child, ends[0])
    }

    deinit {
        kill(SIGKILL)
        if !isReaped.load(ordering: .acquiring) { _ = reap() }
        close(output)
    }

    func kill(_ signal: Int32) {
        if !isReaped.load(ordering: .acquiring) { Glibc.kill(id, signal) }
    }

    /// The next line of its output, or what is left of it.
    func nextLine() async -> String {
        await onThread { program in
            var line: [UInt8] = []
            var byte: UInt8 = 0
            while program.read(&byte, 1) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
            return String(decoding: line, as: UTF8.self)
        }
    }

    /// Waits for its end; once.
    ///
    /// - Returns: its exit code, or 128 and its signal, and the rest of its output.
    func end() async -> (status: Int32, text: String) {
        await onThread { program in
            var text: [UInt8] = []
            var piece = [UInt8](repeating: 0, count: 4_096)
            while case let count = program.read(&piece, piece.count), count > 0 { text += piece[..<count] }
            return (program.reap(), String(decoding: text, as: UTF8.self))
        }
    }

    private func read(_ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
        while true {
            let read = Glibc.read(output, bytes, count)
            if read >= 0 || errno != EINTR { return read }
        }
    }

    private func reap() -> Int32 {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        isReaped.store(true, ordering: .releasing)
        return status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f
    }

    /// A test whose time is over ends the program, and so the wait.
    private func onThread<Value: Sendable>(_ body: @escaping @Sendable (ChildProgram) -> Value) async -> Value {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                SystemThread.start { continuation.resume(returning: body(self)) }
            }
        } onCancel: {
            kill(SIGKILL)
        }
    }

    /// Runs a program to its end.
    static func run(_ command: [String]) async throws -> (status: Int32, text: String) {
        try await ChildProgram(command).end()
    }
}
