import BasicFoundation
import CLinux
import Files

/// A network namespace of this process's own, which holds a loopback that is switched off and nothing else: what runs
/// in it reaches no network, whatever the machine is connected to.
///
/// It keeps the process from leaking. It says nothing of the machine, which others may use from the network meanwhile.
///
/// Source: `signer-product` section 5.
package enum Isolation {
    package static let flag = "--isolated"

    /// Whether this program was to isolate itself.
    package static var isAskedFor: Bool { CommandLine.arguments.dropFirst().first == flag }

    /// Takes `--isolated` from the arguments, where it is the first of them, and isolates this program: before anything
    /// secret is there and before there is another thread.
    ///
    /// - Throws: ``InstallationError/notIsolated(reason:)``; the process is of no use then.
    package static func takeFlag(from arguments: [String]) throws -> [String] {
        guard arguments.first == flag else { return arguments }
        try enter()
        return Array(arguments.dropFirst())
    }

    /// Moves this process to a namespace of its own, as root at once, else by a namespace of users in which it has its
    /// own number and no other. What it starts has no more rights than it.
    ///
    /// - Throws: ``InstallationError/notIsolated(reason:)``; the process is of no use then.
    package static func enter() throws {
        #if os(Linux)
            guard clinux_started_elevated() == 0 else {
                throw InstallationError.notIsolated(
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
            throw InstallationError.notIsolated(reason: "this system has no network namespaces")
        #endif
    }

    #if os(Linux)
        private static func refused(_ what: String) -> InstallationError {
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
                throw InstallationError.notIsolated(reason: "\(error)")
            }
        }
    #endif
}
