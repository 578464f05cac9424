/// Decides when a vault locks by itself. It holds no clock and no timer: each event comes with the time since the
/// machine was started (``BootInstant/milliseconds()``), which counts sleep and which nobody can set.
///
///     var state = AutolockState(mode: .idle, timeout: .minutes(5))
///     state.handle(.unlock, at: now)
///     if let cause = state.handle(.access, at: later) { lock(cause) }
///
/// Source: `mainkey` section 21.
package struct AutolockState: Equatable, Sendable {
    package typealias Mode = AutolockMode

    package enum Event: Equatable, Sendable {
        case unlock
        case background, foreground
        case access
        /// The use that an access began is over.
        case scopeEnd
        /// The timer for ``AutolockState/deadline`` fired.
        case timer
        /// The machine is awake again.
        case resume
        /// The session's screen was locked.
        case systemLock
        /// The machine goes to sleep.
        case sleep
        /// Locking was asked for.
        case lock
        case set(AutolockTimeout)
    }

    package enum Cause: Equatable, Sendable {
        case request, timeout, background, scopeEnd, systemLock, sleep
        /// The clock went back, so this is a restored snapshot of the machine.
        case clockWentBack
    }

    let mode: Mode
    let locksOnSleep: Bool
    private(set) var timeout: AutolockTimeout
    package private(set) var isUnlocked = false
    /// When the time that counts began; nil while none is running.
    private var countdownStart: UInt64?
    private var lastSeen: UInt64 = 0

    package init(mode: Mode, timeout: AutolockTimeout, locksOnSleep: Bool = true) {
        self.mode = mode
        self.timeout = timeout
        self.locksOnSleep = locksOnSleep
    }

    /// When the timer has to fire, in milliseconds.
    var deadline: UInt64? {
        guard isUnlocked, let countdownStart else { return nil }
        switch timeout {
        case .never: return nil
        // Without a background each use ends with its scope.
        case .always: return mode == .foreground ? countdownStart : nil
        case .minutes(let minutes): return countdownStart + UInt64(minutes) * 60_000
        }
    }

    /// Takes note of an event.
    ///
    /// - Returns: why the vault locks now; nil if it stays as it is. After an access it may be used only if
    ///   ``isUnlocked`` still holds.
    @discardableResult
    package mutating func handle(_ event: Event, at now: UInt64) -> Cause? {
        defer { lastSeen = now }
        if event == .unlock {
            isUnlocked = true
            countdownStart = mode == .idle ? now : nil
            return nil
        }
        let cause = isUnlocked ? causeToLock(event, at: now) : nil
        if case .set(let timeout) = event { self.timeout = timeout }
        if cause != nil {
            isUnlocked = false
            countdownStart = nil
        }
        return cause
    }

    private mutating func causeToLock(_ event: Event, at now: UInt64) -> Cause? {
        if now < lastSeen { return .clockWentBack }
        if let cause = immediateCause(event) { return cause }
        if isOver(at: now) { return .timeout }
        switch (mode, event) {
        case (.foreground, .background):
            countdownStart = countdownStart ?? now
            return timeout == .always ? .background : nil
        case (.foreground, .foreground): countdownStart = nil
        case (.idle, .access), (.idle, .background): countdownStart = now
        case (_, .set(let timeout)):
            self.timeout = timeout
            return isOver(at: now) ? .timeout : nil
        default: break
        }
        return nil
    }

    /// Whether an event locks a vault in whatever state, so that an unlocking that is under way must not succeed
    /// either.
    func asksToLock(_ event: Event) -> Bool {
        switch event {
        case .lock, .systemLock: true
        case .sleep: locksOnSleep
        case .background: mode == .foreground && timeout == .always
        default: false
        }
    }

    /// The cause that locks whatever the time is.
    private func immediateCause(_ event: Event) -> Cause? {
        switch event {
        case .lock: .request
        case .systemLock: .systemLock
        case .sleep: locksOnSleep ? .sleep : nil
        case .scopeEnd: mode == .idle && timeout == .always ? .scopeEnd : nil
        default: nil
        }
    }

    private func isOver(at now: UInt64) -> Bool {
        deadline.map { now >= $0 } ?? false
    }
}
