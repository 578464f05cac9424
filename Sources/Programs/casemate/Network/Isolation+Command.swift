import BasicFoundation
import InstalledSigner

extension Isolation {
    static let command = "isolated"

    /// Takes what asks for isolation from the arguments, before anything secret is there and before there is another
    /// thread: `--isolated` as the first argument isolates this program, `isolated -- COMMAND` that command.
    static func take(from arguments: [String]) throws -> [String] {
        guard arguments.first == command, arguments.dropFirst().first == "--", arguments.count > 2 else {
            return try takeFlag(from: arguments)
        }
        try enter()
        try execute(Array(arguments.dropFirst(2)))
    }

    /// Becomes the command. Its terminal, signals, exit status and open descriptors are those of this process.
    private static func execute(_ words: [String]) throws -> Never {
        let name = words[0]
        // The environment that names places of programs is not taken over by this program.
        let own = CommandLine.arguments[0].split(separator: "/").last.map(String.init)
        let places =
            name.contains("/")
            ? [name]
            : (name == own || name == "casemate" ? ["/proc/self/exe"] : [])
                + ["/usr/local/bin/", "/usr/bin/", "/bin/", "/usr/local/sbin/", "/usr/sbin/", "/sbin/"].map {
                    $0 + name
                }
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        var worst = ENOENT
        for place in places {
            execv(place, &arguments)
            if errno != ENOENT { worst = errno }
        }
        throw Failure.notStarted(command: name, reason: String(cString: strerror(worst)))
    }
}
