import Console
import Synchronization
import Threads
import Vigil

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What the configuration has run when something was found: a program and its arguments, without a shell. The reason
/// follows as the last argument.
final class TamperCommand: Sendable {
    private let arguments: [String]
    private let isRunning = Atomic(false)

    /// - Throws: `ConfigurationError` for a program that others may exchange.
    init(_ arguments: [String]) throws(ConfigurationError) {
        self.arguments = arguments
        if let program = arguments.first { try TrustedPath().check(program) }
    }

    /// Starts the command and does not wait for it. One runs at a time, so that an app that causes findings cannot fill
    /// the machine with processes.
    func run(_ refusal: Refusal) {
        guard let program = arguments.first else { return }
        guard !isRunning.exchange(true, ordering: .acquiringAndReleasing) else {
            return Self.log("\(program) still runs, and is not run again for: \(refusal.reason)")
        }
        do {
            try TrustedPath().check(program)
            let child = try Self.start(program, arguments + ["\(refusal.reason)"])
            SystemThread.start { [self] in
                var status: Int32 = 0
                while waitpid(child, &status, 0) < 0, errno == EINTR {}
                isRunning.store(false, ordering: .releasing)
            }
        } catch {
            isRunning.store(false, ordering: .releasing)
            Self.log("\(program) cannot be run: \(error)")
        }
    }

    /// A number above the descriptors that a validator has open at a time.
    private static let descriptors: Int32 = 1_024

    /// Starts a program with nothing to read, nothing of this process but its outputs, and signals as a program expects
    /// them.
    private static func start(_ program: String, _ arguments: [String]) throws(Failure) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        // The TPM's, say, is not closed by itself. Those that are not open are passed over.
        for descriptor in 3..<min(Int32(clamping: sysconf(Int32(_SC_OPEN_MAX))), descriptors) {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let texts = arguments.map { strdup($0) }
        let environment = ProcessInfo.processInfo.environment.map { strdup("\($0.key)=\($0.value)") }
        defer { for text in texts + environment { free(text) } }
        var child = pid_t()
        let error = posix_spawn(&child, program, &actions, &attributes, texts + [nil], environment + [nil])
        guard error == 0 else { throw Failure(.inputOutput, String(cString: strerror(error))) }
        return child
    }

    private static func log(_ text: String) {
        StandardError.write("vigil-validator: \(text)\n")
    }
}
