#if canImport(CSystemd)
    import Glibc
    import MainKey

    /// A connection to the bus on which logind speaks, and what it says, judged. Used by one thread at a time.
    final class LogindConnection {
        private let bus: SystemBus
        /// The connection that has logind's name; nil while none has.
        private var owner: String?
        private(set) var isGoingToSleep = false
        /// The call for a delay of sleep that is not answered yet.
        private var delayCall: UInt64?

        private static let session = "org.freedesktop.login1.Session"
        private static let manager = BusObject.logind.interface
        private static let properties = "org.freedesktop.DBus.Properties"

        /// Connects and asks for what is to be heard. What comes from then on waits for ``next()``.
        init(at address: String) throws(SystemBus.Failure) {
            bus = try SystemBus(at: address)
            // The bus passes on only what comes from logind; who it is, is looked at again with each message, since
            // anybody may send one to this connection alone, past all rules.
            let rules = [
                "type='signal',sender='org.freedesktop.login1',interface='\(Self.session)',member='Lock'",
                // How a desktop tells that it has locked the screen by itself.
                "type='signal',sender='org.freedesktop.login1',interface='\(Self.properties)',"
                    + "member='PropertiesChanged',arg0='\(Self.session)'",
                "type='signal',sender='org.freedesktop.login1',interface='\(Self.manager)',member='PrepareForSleep'",
                "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',"
                    + "member='NameOwnerChanged',arg0='org.freedesktop.login1'",
            ]
            for rule in rules { _ = try bus.call(.bus, "AddMatch", with: [rule]) }
            owner = try Self.owner(of: BusObject.logind.service, on: bus)
            if owner != nil { isGoingToSleep = try preparesForSleep() }
        }

        /// What to wait on until something is there to read; the caller closes it. It is a copy: the library closes its
        /// own when the connection is lost, and another file may have its number then.
        func watchedDescriptor() throws(SystemBus.Failure) -> Int32 {
            let copy = fcntl(try bus.descriptor, F_DUPFD_CLOEXEC, 3)
            guard copy >= 0 else { throw SystemBus.Failure(action: "watching the bus", errno: errno) }
            return copy
        }

        /// What logind says, or its coming and going.
        enum Event: Equatable {
            case event(AutolockEvent)
            /// logind has gone: what it says from here on is not heard.
            case logindLeft
            case logindCame
            /// What ``askToDelaySleep()`` asked for: sleep is delayed until the descriptor, which is the receiver's, is
            /// closed. Nil where logind does not delay it, as while it is on its way.
            case delay(Int32?)
        }

        /// The next piece of news; nil once there is none.
        ///
        /// - Throws: once the connection is lost.
        func next() throws(SystemBus.Failure) -> Event? {
            while let message = try bus.next() {
                if let news = event(in: message) { return news }
            }
            return nil
        }

        private func event(in message: BusMessage) -> Event? {
            if let call = message.answeredCall {
                // Of a call that nobody waits for any more, what came with it is closed with the message.
                guard call == delayCall else { return nil }
                delayCall = nil
                return .delay(message.sender == owner ? message.descriptor() : nil)
            }
            if message.isSignal("NameOwnerChanged", of: BusObject.bus.interface) {
                // The bus itself gives senders their names.
                guard message.sender == BusObject.bus.service, message.string() == BusObject.logind.service else {
                    return nil
                }
                _ = message.string()
                let new = message.string() ?? ""
                owner = new.isEmpty ? nil : new
                isGoingToSleep = false
                delayCall = nil
                return owner == nil ? .logindLeft : .logindCame
            }
            guard let owner, message.sender == owner else { return nil }
            if message.isSignal("PrepareForSleep", of: Self.manager), message.path == BusObject.logind.path {
                // What cannot be read is no reason to keep a key.
                isGoingToSleep = message.bool() ?? true
                return .event(isGoingToSleep ? .sleep : .resume)
            }
            let saysLocked =
                message.isSignal("Lock", of: Self.session)
                || message.isSignal("PropertiesChanged", of: Self.properties)
                    && message.changedProperty("LockedHint", of: Self.session) == true
            return saysLocked && isOwnSession(message.path) ? .event(.systemLock) : nil
        }

        /// Whether a session is this program's own. It is asked each time: a program may come to a session, as a user's
        /// service does when somebody logs in.
        private func isOwnSession(_ path: String?) -> Bool {
            do throws(SystemBus.Failure) {
                guard let own = try Self.session(on: bus) else { return false }
                return own == path
            } catch {
                // Some session was locked, and nobody says that it was another.
                return true
            }
        }

        /// Asks logind to delay sleep. Nobody waits for the answer: on a busy machine it may take longer than a lock
        /// of the screen may wait to be heard, and it holds when it comes.
        func askToDelaySleep() {
            guard owner != nil, delayCall == nil else { return }
            delayCall = try? bus.send(
                .logind, "Inhibit", with: ["sleep", "MainKey", "Keys are removed from memory", "delay"])
        }

        private func preparesForSleep() throws(SystemBus.Failure) -> Bool {
            try Self.property("PreparingForSleep", of: Self.manager, at: BusObject.logind.path, on: bus) ?? false
        }

        /// Whether the screen of the own session is locked now. What cannot be told is no reason to keep a key.
        func isScreenLocked() -> Bool {
            do throws(SystemBus.Failure) {
                guard owner != nil, let own = try Self.session(on: bus) else { return false }
                return try Self.isLocked(own, on: bus)
            } catch {
                return true
            }
        }

        /// Whether a session's screen is locked, as its desktop says.
        static func isLocked(_ path: String, on bus: SystemBus) throws(SystemBus.Failure) -> Bool {
            try property("LockedHint", of: session, at: path, on: bus) ?? true
        }

        private static func property(
            _ name: String, of interface: String, at path: String, on bus: SystemBus
        ) throws(SystemBus.Failure) -> Bool? {
            let object = BusObject(service: BusObject.logind.service, path: path, interface: properties)
            return try bus.call(object, "Get", with: [interface, name]).boolInVariant()
        }

        /// Which connection has a name; nil if none has.
        static func owner(of name: String, on bus: SystemBus) throws(SystemBus.Failure) -> String? {
            do throws(SystemBus.Failure) {
                return try bus.call(.bus, "GetNameOwner", with: [name]).string()
            } catch {
                guard error.name == "org.freedesktop.DBus.Error.NameHasNoOwner" else { throw error }
                return nil
            }
        }

        /// The session of this process by logind's own books, not by the environment; else that of its user's display.
        /// Nil for none.
        static func session(on bus: SystemBus) throws(SystemBus.Failure) -> String? {
            do throws(SystemBus.Failure) {
                return try bus.call(.logind, "GetSession", with: ["auto"]).string("o")
            } catch {
                guard let name = error.name, name.hasPrefix("org.freedesktop.login1.No") else { throw error }
                return nil
            }
        }
    }
#endif
