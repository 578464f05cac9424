#if os(Linux)
    import CLinux
    import Foundation
    import Glibc

    /// A network namespace that holds nothing but a loopback, for the time of a test.
    enum FreshNamespace {
        /// Whether this process may make one, and links in it.
        static let isPossible: Bool = {
            let done = DispatchSemaphore(value: 0)
            let answer = Answer()
            Thread.detachNewThread {
                answer.isYes = enter() && (try? ip("link add probe0 type veth peer name probe1")) != nil
                done.signal()
            }
            done.wait()
            return answer.isYes
        }()
        /// Why a test is skipped where none can be made.
        static let reason = "this process may make no network namespace with links, or there is no ip(8)"

        /// Written before the semaphore is raised, read after it.
        private final class Answer: @unchecked Sendable { var isYes = false }

        /// Runs `body` on a thread of its own in a new namespace.
        static func run<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
            try await withCheckedThrowingContinuation { continuation in
                Thread.detachNewThread {
                    guard enter() else { return continuation.resume(throwing: POSIXError(.EPERM)) }
                    continuation.resume(with: Result { try body() })
                }
            }
        }

        private static func enter() -> Bool { clinux_network_isolate() == 0 }

        private static let program = ["/usr/sbin/ip", "/sbin/ip", "/usr/bin/ip", "/bin/ip"].first(
            where: FileManager.default.isExecutableFile(atPath:))

        /// Runs ip(8) in the namespace of this thread.
        ///
        /// - Parameter input: for its standard input, with `-batch -`.
        static func ip(_ arguments: String, input: String = "") throws {
            guard let program else { throw POSIXError(.ENOENT) }
            let words = ["ip"] + arguments.split(separator: " ").map(String.init)
            let copies: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
            defer { for copy in copies { free(copy) } }
            var ends: [CInt] = [-1, -1]
            // Another child that a test starts at this moment must not keep the end for writing open.
            let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
            guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw POSIXError(.EMFILE) }
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
            posix_spawn_file_actions_addclose(&actions, ends[0])
            posix_spawn_file_actions_addclose(&actions, ends[1])
            posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
            var child = pid_t()
            let code = posix_spawn(&child, program, &actions, nil, copies + [nil], environ)
            close(ends[0])
            let isWritten = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
            try? isWritten.write(contentsOf: Data(input.utf8))
            try? isWritten.close()
            guard code == 0 else { throw POSIXError(.ENOEXEC) }
            var status: CInt = 0
            while waitpid(child, &status, 0) < 0, errno == EINTR {}
            guard status == 0 else { throw POSIXError(.EINVAL) }
        }
    }
#endif
