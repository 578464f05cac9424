import BasicFoundation

/// A process without ForceField that echoes messages on a socket pair: bare, or inside of another sandbox.
final class PlainProcess {
    private let socket: Int32
    private let process: pid_t

    /// - Parameter arguments: the program first, by its path.
    init(_ arguments: [String]) throws {
        var pair: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0 else { throw POSIXError(.ENFILE) }
        _ = fcntl(pair[0], F_SETFD, FD_CLOEXEC)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, pair[1], 0)
        posix_spawn_file_actions_adddup2(&actions, pair[1], 1)
        posix_spawn_file_actions_addclose(&actions, pair[1])
        let words = arguments.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        let environment = [
            "SWIFT_ROOT=/", "SWIFT_BACKTRACE=enable=no", "PATH=/usr/bin:/bin", "HOME=/tmp", "BENCH_ECHO=plain",
        ]
        let variables = environment.map { strdup($0) } + [nil]
        defer { for variable in variables { free(variable) } }
        let error = posix_spawn(&process, arguments[0], &actions, nil, words, variables)
        close(pair[1])
        guard error == 0 else {
            close(pair[0])
            throw Failure.usage("\(arguments[0]) cannot be started: \(String(cString: strerror(error))).")
        }
        self.process = process
        socket = pair[0]
    }

    deinit {
        close(socket)
        // Other sandboxes do not always end with what they run.
        kill(process, SIGKILL)
        var status: Int32 = 0
        waitpid(process, &status, 0)
    }

    /// Sends a message and waits for it to come back.
    func echo(_ message: [UInt8], into reply: inout [UInt8]) throws {
        var length = UInt32(message.count).littleEndian
        let head = withUnsafeBytes(of: &length) { Array($0) }
        guard CommandFiles.write(head + message, to: socket) == nil else { throw POSIXError(.EPIPE) }
        try reply.withUnsafeMutableBytes { reply in
            var done = 0
            while done < message.count {
                let count = read(socket, reply.baseAddress! + done, message.count - done)
                guard count > 0 else { throw POSIXError(.EPIPE) }
                done += count
            }
        }
    }
}

/// Another sandbox, asked for what comes nearest: all namespaces, no capabilities, nothing to see.
enum Peer: String, CaseIterable {
    case bwrap, firejail

    private var program: String? {
        ["/usr/bin/\(rawValue)", "/usr/local/bin/\(rawValue)"].first(where: FileManager.default.isExecutableFile)
    }

    /// The command that runs a static program.
    func command(_ echo: String) throws(Failure) -> [String] {
        guard let program else { throw .peerMissing(self == .bwrap ? "bubblewrap" : rawValue) }
        return switch self {
        case .bwrap:
            [
                program, "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--ro-bind", echo,
                "/echo", "--", "/echo",
            ]
        case .firejail:
            [
                program, "--quiet", "--noprofile", "--net=none", "--private", "--private-dev", "--caps.drop=all",
                "--nonewprivs", "--noroot", "--", echo,
            ]
        }
    }
}
