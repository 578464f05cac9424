import MainKey

/// Hears from systemd's logind that the screen of this program's session is locked and that the machine goes to sleep.
///
///     var options = OpenOptions()
///     options.lockSignals = LogindSignals()
///
/// What it promises: a vault that is open when logind sends `Lock` for the session of this process, or
/// `PrepareForSleep`, is locked at once, and the machine sleeps only after the keys are zeroised (by a delay inhibitor,
/// which logind honours for five seconds unless it is set otherwise). Nobody but who owns logind's name on the system's
/// bus is listened to. When the connection or logind is lost, something may have been missed: the vault is locked, and
/// the connection is tried anew until it stands.
///
/// What it does not: a machine without a system bus, or without logind, tells nothing, which ``state()`` says and which
/// is no error. A program that belongs to no session and whose user has none with a display, such as a service, hears
/// of sleep only. Who puts the machine to sleep without logind (`/sys/power/state`), or locks the screen without
/// telling logind, is not heard.
///
/// Source: org.freedesktop.login1(5); `mainkey` section 21.
public struct LogindSignals: LockSignals {
    /// The signals that can be heard here.
    public enum State: Equatable, Sendable {
        /// The screen of a session, by the path of its object, and sleep.
        case session(String)
        /// Sleep alone is heard: this program belongs to no session.
        case sleepOnly
        /// Nothing is heard, and why.
        case nothing(reason: String)
    }

    let address: String
    /// How long after a loss it is tried again for the first time, in milliseconds.
    let firstPause: Int

    /// The system's bus, at its fixed place.
    public init() {
        #if canImport(CSystemd)
            self.init(at: SystemBus.address)
        #else
            self.init(at: "")
        #endif
    }

    /// - Parameter address: of another bus, for tests.
    package init(at address: String, firstPause: Int = 1000) {
        self.address = address
        self.firstPause = firstPause
    }
}

extension LogindSignals.State: CustomStringConvertible {
    /// The state for machines: `session`, `sleep` or `none`.
    public var name: String {
        switch self {
        case .session: "session"
        case .sleepOnly: "sleep"
        case .nothing: "none"
        }
    }

    public var description: String {
        switch self {
        case .session: "the screen's lock and the machine's sleep lock it"
        case .sleepOnly: "the machine's sleep locks it; this program belongs to no session whose screen could be locked"
        case .nothing(let reason): "neither the screen's lock nor sleep is heard: \(reason)"
        }
    }
}

#if canImport(CSystemd)
    extension LogindSignals {
        public func listen(_ told: @escaping @Sendable (AutolockEvent) -> Void) -> any LockListening {
            LogindListening(to: self, told)
        }

        public func isScreenLocked() -> Bool {
            guard let bus = try? SystemBus(at: address), let session = try? LogindConnection.session(on: bus) else {
                return false
            }
            // Which session it is, is known; if not whether its screen is locked, it is.
            return (try? LogindConnection.isLocked(session, on: bus)) ?? true
        }

        /// Asks what a vault that is opened now would hear.
        public func state() -> State {
            do throws(SystemBus.Failure) {
                let bus = try SystemBus(at: address)
                guard try LogindConnection.owner(of: BusObject.logind.service, on: bus) != nil else {
                    return .nothing(reason: "there is no logind on the system bus")
                }
                return try LogindConnection.session(on: bus).map(State.session) ?? .sleepOnly
            } catch {
                return .nothing(reason: "\(error)")
            }
        }
    }
#else
    extension LogindSignals {
        private final class Silence: LockListening {
            func keysAppear() {}
            func keysAreGone() {}
        }

        public func listen(_ told: @escaping @Sendable (AutolockEvent) -> Void) -> any LockListening { Silence() }

        public func state() -> State { .nothing(reason: "this program was built without logind") }
    }
#endif
