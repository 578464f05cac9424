import CodeMeasurement
import Synchronization
import Vigil

/// How many may connect, and how often, and which connection ends when there is no place left: one that says nothing
/// must not keep others waiting.
///
/// A connection is pending while it is found out who is at the other end, then takes a place, and is a session once a
/// verdict was given. Where no place is left, the oldest connection that has said nothing since it was challenged goes:
/// of the same user where that one has its share, else of the user who has the most of them. Sessions stay, and so does
/// what is being answered.
///
/// Source: `vigil` section 7.8.
final class Admission: Sendable {
    private let limits: ValidatorPolicy.Limits
    private let state = Mutex(State())

    /// The place of one connection.
    struct Place: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    private struct State {
        var pending: [UInt32: Int] = [:]
        var places: [Place: Entry] = [:]
        /// The times of handshakes within the last second, by users.
        var handshakes: [UInt32: [Deadline]] = [:]
        var count: UInt64 = 0
    }

    private struct Entry {
        let user: UInt32
        let end: @Sendable () -> Void
        var phase = Phase.answered
    }

    private enum Phase {
        /// A challenge is out.
        case idle
        /// The challenge is being made, or what it said is being looked at.
        case answered
        /// A positive verdict was given.
        case session
    }

    init(_ limits: ValidatorPolicy.Limits) {
        self.limits = limits
    }

    /// Counts a connection as pending, for as long as it takes to know which process it is of.
    ///
    /// - Returns: false where too many of the user do; else ``endPending(_:)`` has to follow.
    func admitPending(_ user: UInt32) -> Bool {
        state.withLock { state in
            let ofAll = state.pending.values.reduce(0, +)
            let ofUser = state.pending[user] ?? 0
            guard ofAll < limits.connections, ofUser < limits.pendingOfUser else { return false }
            state.pending[user] = ofUser + 1
            return true
        }
    }

    func endPending(_ user: UInt32) {
        state.withLock { state in
            let left = (state.pending[user] ?? 0) - 1
            state.pending[user] = left > 0 ? left : nil
        }
    }

    /// Takes a place for a connection, for which another one may have to end.
    ///
    /// - Parameter end: ends the connection, from whatever thread; is called at most once.
    /// - Returns: nil if there is none now; else ``leave(_:)`` has to follow.
    func enter(_ user: UInt32, at now: Deadline, end: @escaping @Sendable () -> Void) -> Place? {
        let (place, endOther) = state.withLock { state -> (Place?, (@Sendable () -> Void)?) in
            var recent = state.handshakes[user] ?? []
            recent.removeAll { $0.duration(to: now) >= .seconds(1) }
            defer { state.handshakes[user] = recent.isEmpty ? nil : recent }
            guard recent.count < limits.handshakesPerSecond else { return (nil, nil) }
            var endOther: (@Sendable () -> Void)?
            if let crowded = crowdedUser(for: user, state) {
                guard let leaving = oldestIdle(of: crowded, state) else { return (nil, nil) }
                endOther = state.places.removeValue(forKey: leaving)?.end
            }
            recent.append(now)
            state.count += 1
            let place = Place(number: state.count)
            state.places[place] = Entry(user: user, end: end)
            return (place, endOther)
        }
        endOther?()
        return place
    }

    /// The user who has to give up a connection for one of `user`; nil where there is place. A user without an idle
    /// connection gives none up.
    private func crowdedUser(for user: UInt32, _ state: State) -> UInt32? {
        if isFull(for: user, state) { return user }
        return state.places.count < limits.connections ? nil : busiest(state) ?? user
    }

    private func isFull(for user: UInt32, _ state: State) -> Bool {
        let own = state.places.values.filter { $0.user == user }
        return own.count >= limits.connectionsOfUser
            || own.count { $0.phase != .session } >= limits.halfOpenOfUser
    }

    private func oldestIdle(of user: UInt32, _ state: State) -> Place? {
        state.places.filter { $0.value.user == user && $0.value.phase == .idle }.keys.min { $0.number < $1.number }
    }

    /// The user with the most connections that have said nothing.
    private func busiest(_ state: State) -> UInt32? {
        var idle: [UInt32: Int] = [:]
        for entry in state.places.values where entry.phase == .idle { idle[entry.user, default: 0] += 1 }
        return idle.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    }

    /// Takes note that something came over a connection, which stays until it is answered.
    ///
    /// - Returns: false where it had to go in the meantime, and what came is not to be answered any more.
    func answering(_ place: Place) -> Bool {
        state.withLock { state in
            guard let entry = state.places[place] else { return false }
            if entry.phase == .idle { state.places[place]?.phase = .answered }
            return true
        }
    }

    /// - Parameter isSession: whether a positive verdict stands.
    func answered(_ place: Place, isSession: Bool) {
        state.withLock { $0.places[place]?.phase = isSession ? .session : .idle }
    }

    func leave(_ place: Place) { state.withLock { _ = $0.places.removeValue(forKey: place) } }
}
