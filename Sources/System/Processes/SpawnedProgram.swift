import CLibrary

/// Another program as a child of this process. It has nothing to read, nothing of this process but its outputs, and
/// signals as a program expects them: threads of Swift's pool block some, and a child would inherit that.
package struct SpawnedProgram: Sendable {
    /// Why a program was not started.
    package struct Failure: Error, CustomStringConvertible {
        package let path: String
        package let errno: Int32

        package var description: String { "\(path): \(String(cString: strerror(errno)))" }
    }

    /// Where what it writes goes.
    package enum Outputs: Sendable {
        case inherited
        case nowhere
        /// Its standard output nowhere, its errors into a file, which is made or emptied.
        case errors(to: String)
    }

    package let id: pid_t

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - path: of the program; nothing is looked for.
    ///   - arguments: without the program's own name.
    ///   - variables: its environment; nil for this process's.
    package init(
        _ path: String, _ arguments: [String], outputs: Outputs = .inherited,
        variables: [String: String]? = nil
    ) throws(Failure) {
        var actions = Self.actions(outputs)
        defer { posix_spawn_file_actions_destroy(&actions) }
        var attributes = Self.attributes()
        defer { posix_spawnattr_destroy(&attributes) }
        let words = ([path] + arguments).map { strdup($0) }
        let environment = variables?.map { strdup("\($0.key)=\($0.value)") }
        defer { for text in words + (environment ?? []) { free(text) } }
        var child = pid_t()
        let error = posix_spawn(
            &child, path, &actions, &attributes, words + [nil], environment.map { $0 + [nil] } ?? Self.inherited)
        guard error == 0 else { throw Failure(path: path, errno: error) }
        id = child
    }

    /// Waits for its end.
    ///
    /// - Returns: its status as `waitpid` tells it: 0 if it ended by itself with success, -1 if that was told before.
    @discardableResult
    package func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0 {
            guard errno == EINTR else { return -1 }
        }
        return status
    }

    /// Its status if it has ended, which is told once; nil while it runs.
    package func ended() -> Int32? {
        var status: Int32 = 0
        return waitpid(id, &status, WNOHANG) == id ? status : nil
    }

    private static var inherited: [UnsafeMutablePointer<CChar>?] {
        var variables: [UnsafeMutablePointer<CChar>?] = []
        var next = environ
        while let variable = next.pointee {
            variables.append(variable)
            next += 1
        }
        return variables + [nil]
    }

    #if canImport(Glibc)
        private typealias Actions = posix_spawn_file_actions_t
        private typealias Attributes = posix_spawnattr_t
        private static var noActions: Actions { Actions() }
        private static var noAttributes: Attributes { Attributes() }
    #else
        private typealias Actions = posix_spawn_file_actions_t?
        private typealias Attributes = posix_spawnattr_t?
        private static var noActions: Actions { nil }
        private static var noAttributes: Attributes { nil }
    #endif

    /// More than a process here has open at a time.
    private static let descriptors: Int32 = 4_096

    private static func actions(_ outputs: Outputs) -> Actions {
        var actions = noActions
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        switch outputs {
        case .inherited: break
        case .nowhere:
            posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
            posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        case .errors(let file):
            posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
            posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, file, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        }
        // Not each is closed by itself. Those that are not open are passed over.
        for descriptor in 3..<min(Int32(clamping: sysconf(Int32(_SC_OPEN_MAX))), descriptors) {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        return actions
    }

    private static func attributes() -> Attributes {
        var attributes = noAttributes
        posix_spawnattr_init(&attributes)
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        return attributes
    }
}
