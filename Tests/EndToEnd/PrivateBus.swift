#if canImport(CSystemd)
    import Foundation
    import LogindTestSupport
    import TestSupport
    import Testing

    /// The system bus, with a logind that a test speaks for, as the programs find it that are run here.
    ///
    /// They ask for the bus at its one place, and no option or variable names another. So they get a place of their
    /// own: a mount namespace in which the test's socket lies there. Only an administrator may make one.
    final class PrivateBus {
        static let isPossible =
            geteuid() == 0 && TestBus.isInstalled
            && (try? Program.shell("exec unshare -m sh -c 'mount -t tmpfs none /run'").exitCode) == 0
        static let reason: Comment = "it takes dbus-daemon, and an administrator who may make mount namespaces"

        private let bus: TestBus
        let logind: FakeLogind

        init() throws {
            bus = try TestBus()
            logind = try FakeLogind(on: bus.address)
        }

        /// A program, where it sees this bus as the system's.
        func words(_ program: Program, _ arguments: [String]) -> [String] {
            let script = """
                mount --make-rprivate / && mount -t tmpfs none /run && mkdir /run/dbus \
                && : > /run/dbus/system_bus_socket && mount --bind "$0" /run/dbus/system_bus_socket && exec "$@"
                """
            return ["unshare", "-m", "sh", "-c", script, bus.socket, program.path] + arguments
        }

        /// Runs a program to its end.
        func run(
            _ program: Program, _ arguments: [String], secrets: [Int: String] = [:]
        ) throws -> Program.Outcome {
            let descriptors = try LentDescriptors(secrets, taking: [])
            let command = words(program, arguments).map(Program.quoted).joined(separator: " ")
            return try Program.shell("exec \(command)\(descriptors.redirections)")
        }

        /// Waits until something holds that a program does by itself; whether it came to hold within ten minutes.
        func comes(_ condition: () throws -> Bool) rethrows -> Bool {
            for _ in 0..<30_000 {
                if try condition() { return true }
                usleep(20_000)
            }
            return false
        }
    }
#endif
