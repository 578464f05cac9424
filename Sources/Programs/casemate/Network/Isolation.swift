import CLinux
import Console
import Files
import Foundation

/// A network namespace of this process's own, which holds a loopback that is switched off and nothing else: what runs
/// in it reaches no network, whatever the machine is connected to.
///
/// It keeps the process from leaking. It says nothing of the machine, which others may use from the network meanwhile.
///
/// Source: `signer-product` section 5.
enum Isolation {
    static let flag = "--isolated"
    static let command = "isolated"

    /// Whether this program was to isolate itself.
    static var isAskedFor: Bool { CommandLine.arguments.dropFirst().first == flag }

    /// Takes what asks for isolation from the arguments, before anything secret is there and before there is another
    /// thread: `--isolated` as the first argument isolates this program, `isolated -- COMMAND` that command.
    static func take(from arguments: [String]) throws -> [String] {
        switch arguments.first {
        case flag:
            try enter()
            return Array(arguments.dropFirst())
        case command where arguments.dropFirst().first == "--" && arguments.count > 2:
            try enter()
            try execute(Array(arguments.dropFirst(2)))
        default: return arguments
        }
    }

    /// Moves this process to a namespace of its own, as root at once, else by a namespace of users in which it has its
    /// own number and no other. What it starts has no more rights than it.
    ///
    /// - Throws: ``Failure/notIsolated(reason:)``; the process is of no use then.
    static func enter() throws {
        #if os(Linux)
            guard clinux_started_elevated() == 0 else {
                throw Failure.notIsolated(
                    reason:
                        "this program runs set-group-ID, which the kernel allows nobody to take along. Start it from a process "
                        + "that root has isolated (ip netns exec), or disconnect the machine")
            }
            let (user, group) = (geteuid(), getegid())
            if clinux_network_isolate() != 0 {
                guard clinux_network_isolate_as_user() == 0 else { throw refused("unshare") }
                try write("deny", to: "setgroups")
                try write("\(user) \(user) 1", to: "uid_map")
                try write("\(group) \(group) 1", to: "gid_map")
                guard geteuid() == user, getegid() == group else { throw refused("the map of users") }
            }
            guard clinux_keep_rights_to_look() == 0, clinux_forbid_new_privileges() == 0 else { throw refused("prctl") }
        #else
            throw Failure.notIsolated(reason: "this system has no network namespaces")
        #endif
    }

    #if os(Linux)
        private static func refused(_ what: String) -> Failure {
            .notIsolated(
                reason:
                    "\(what): \(String(cString: strerror(errno))). See sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone "
                    + "and kernel.apparmor_restrict_unprivileged_userns, or disconnect the machine")
        }

        private static func write(_ text: String, to name: String) throws {
            do throws(FileError) {
                let file = try OpenFile(FilePath("/proc/self/\(name)"), for: .writeOnly, rules: .anything)
                try file.write(Array(text.utf8))
            } catch {
                throw Failure.notIsolated(reason: "\(error)")
            }
        }
    #endif

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
