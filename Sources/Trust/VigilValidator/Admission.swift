import CodeMeasurement
import Synchronization
import Vigil

/// How many may connect, and how often.
///
/// Source: `vigil` section 7.8.
final class Admission: Sendable {
    private let limits: ValidatorPolicy.Limits
    private let state = Mutex(State())

    private struct State {
        var connections = 0
        var users: [UInt32: User] = [:]
    }

    private struct User {
        var connections = 0
        /// Of handshakes within the last second.
        var handshakes: [Deadline] = []
    }

    init(_ limits: ValidatorPolicy.Limits) {
        self.limits = limits
    }

    /// Takes a place for a connection.
    ///
    /// - Returns: false if there is none now; else ``leave(_:)`` has to follow.
    func enter(_ user: UInt32, at now: Deadline) -> Bool {
        state.withLock { state in
            var entry = state.users[user] ?? User()
            entry.handshakes.removeAll { $0.duration(to: now) >= .seconds(1) }
            defer { state.users[user] = entry.connections == 0 && entry.handshakes.isEmpty ? nil : entry }
            guard state.connections < limits.connections, entry.connections < limits.connectionsOfUser,
                entry.handshakes.count < limits.handshakesPerSecond
            else { return false }
            state.connections += 1
            entry.connections += 1
            entry.handshakes.append(now)
            return true
        }
    }

    func leave(_ user: UInt32) {
        state.withLock { state in
            state.connections -= 1
            state.users[user]?.connections -= 1
        }
    }
}
