import CLibrary

#if canImport(Glibc)
    import CLinux
#endif

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
        var actions = Self.noActions
        try Self.require(posix_spawn_file_actions_init(&actions), path)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for error in Self.add(outputs, to: &actions) { try Self.require(error, path) }
        var attributes = Self.noAttributes
        try Self.require(posix_spawnattr_init(&attributes), path)
        defer { posix_spawnattr_destroy(&attributes) }
        for error in Self.set(&attributes) { try Self.require(error, path) }
        let words = ([path] + arguments).map { strdup($0) }
        let environment = variables?.map { strdup("\($0.key)=\($0.value)") }
        defer { for text in words + (environment ?? []) { free(text) } }
        var child = pid_t()
        let error = posix_spawn(
            &child, path, &actions, &attributes, words + [nil], environment.map { $0 + [nil] } ?? Self.inherited)
        try Self.require(error, path)
        id = child
    }

    private static func require(_ error: CInt, _ path: String) throws(Failure) {
        guard error == 0 else { throw Failure(path: path, errno: error) }
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

    /// - Returns: the errors of what is prepared, 0 for none.
    private static func add(_ outputs: Outputs, to actions: inout Actions) -> [CInt] {
        var errors = [posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)]
        let nowhere = (path: "/dev/null", flags: O_WRONLY)
        switch outputs {
        case .inherited: errors += keepOutputs(&actions)
        case .nowhere:
            errors += [open(STDOUT_FILENO, nowhere, in: &actions), open(STDERR_FILENO, nowhere, in: &actions)]
        case .errors(let file):
            let file = (path: file, flags: O_WRONLY | O_CREAT | O_TRUNC)
            errors += [open(STDOUT_FILENO, nowhere, in: &actions), open(STDERR_FILENO, file, in: &actions)]
        }
        return errors + closeOthers(&actions)
    }

    private static func open(_ number: CInt, _ file: (path: String, flags: CInt), in actions: inout Actions) -> CInt {
        posix_spawn_file_actions_addopen(&actions, number, file.path, file.flags, 0o600)
    }

    #if canImport(Glibc)
        private static let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF

        private static func keepOutputs(_ actions: inout Actions) -> [CInt] { [] }

        /// All at once: four thousand that are closed one by one, open or not, take longer than the start itself.
        private static func closeOthers(_ actions: inout Actions) -> [CInt] {
            [clinux_spawn_closing_from(&actions, STDERR_FILENO + 1)]
        }
    #else
        // Closing what is not open would fail the start: the flag closes all that is not named.
        private static let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_CLOEXEC_DEFAULT

        private static func keepOutputs(_ actions: inout Actions) -> [CInt] {
            let outputs = [STDOUT_FILENO, STDERR_FILENO].filter { fcntl($0, F_GETFD) >= 0 }
            return outputs.map { posix_spawn_file_actions_addinherit_np(&actions, $0) }
        }

        private static func closeOthers(_ actions: inout Actions) -> [CInt] { [] }
    #endif

    /// - Returns: the errors of what is prepared, 0 for none.
    private static func set(_ attributes: inout Attributes) -> [CInt] {
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        return [
            posix_spawnattr_setsigmask(&attributes, &none), posix_spawnattr_setsigdefault(&attributes, &all),
            posix_spawnattr_setflags(&attributes, Int16(flags)),
        ]
    }
}
