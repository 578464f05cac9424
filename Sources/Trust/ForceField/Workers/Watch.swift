#if os(Linux)
    import CForceField
    import Files
    import Glibc
    import Scheduling

    /// Stage 0 and the warden of one worker, as the host sees them: their records, their ends, and the orders to them.
    ///
    /// Source: `forcefield` sections 4, 6, 13 and 16.
    struct Watch {
        let control: OpenFile
        private var conversation = ControlConversation()
        /// Stage 0 until it has been reaped, or has become the warden itself.
        private(set) var launcher: Int32?
        private(set) var wardenID: Int32?
        private(set) var warden: OpenFile?
        /// The warden where its descriptor found no room: as a child that has not been reaped it keeps its number.
        private var unheldWarden: Int32?
        /// Whether no record can come any more.
        private(set) var isAtEnd = false
        /// The order to kill that was given, with its reason.
        private var pendingKill: UInt32?
        /// When the warden itself is killed, if the order to kill has had no effect.
        private(set) var escalation: SteadyInstant?
        private var wasKilledOutright = false

        /// What a warden that is alive needs for an order.
        private static let patience = Duration.milliseconds(250)

        init(launcher: Int32, control: OpenFile) {
            self.launcher = launcher
            self.control = control
        }

        // MARK: Records

        /// - Returns: nil while there is no record, and at the end.
        /// - Throws: ``ControlFault``
        mutating func next() throws(ControlFault) -> WardenReport? {
            guard !isAtEnd else { return nil }
            var record = cforcefield_record()
            var pidfd: Int32 = -1
            let received = cforcefield_control_receive(control.number, &record, &pidfd)
            let descriptor = OpenFile(taking: pidfd, "the warden")
            guard received == 1 else {
                if received < 0, errno == EAGAIN { return nil }
                isAtEnd = true
                if received < 0 { throw .malformed(bytes: 0) }
                return nil
            }
            let report = try conversation.receive(withUnsafeBytes(of: record) { Array($0) })
            if case .warden(let process) = report {
                warden = descriptor
                wardenID = process
                // Without a PID namespace stage 0 itself is the warden.
                if launcher == process { launcher = nil }
                orderKill()
                if descriptor == nil {
                    unheldWarden = process
                    throw .noDescriptor
                }
            }
            return report
        }

        // MARK: Orders

        /// Asks the warden to kill, which then tells how the worker ended. Before there is a warden the order waits for
        /// it.
        mutating func kill(_ reason: UInt32, at now: SteadyInstant) {
            guard pendingKill == nil else { return }
            pendingKill = reason
            escalation = now + Self.patience
            if wardenID != nil { orderKill() }
        }

        private mutating func orderKill() {
            guard let pendingKill else { return }
            if !order(.kill(reason: pendingKill)) { killOutright() }
        }

        @discardableResult
        func order(_ order: WardenOrder) -> Bool { order.send(to: control) }

        /// The kernel then ends whatever is left of the worker.
        private mutating func killOutright() {
            escalation = nil
            wasKilledOutright = true
            if let warden {
                _ = cforcefield_kill_pidfd(warden.number)
            } else if let unheldWarden {
                // Not reaped yet, so the number is still its own.
                Glibc.kill(unheldWarden, SIGKILL)
            } else if let launcher {
                // Before it has a group of its own, and with a warden in it.
                Glibc.kill(launcher, SIGKILL)
                Glibc.kill(-launcher, SIGKILL)
            }
        }

        /// - Returns: whether an order to kill has had no effect in time, and the end is now to be looked for.
        mutating func escalate(at now: SteadyInstant) -> Bool {
            guard let time = escalation, time <= now else { return false }
            killOutright()
            return true
        }

        // MARK: Ends

        /// - Returns: whether stage 0 is no more, or has become the warden.
        mutating func reapLauncher() -> Bool {
            guard let launcher else { return true }
            // Stage 0 may have been killed when it had made a warden and not told of it. That one is in its group,
            // which keeps its number as long as one of them has not been reaped.
            guard reap(launcher), wardenID != nil || reap(-launcher) else { return false }
            self.launcher = nil
            return true
        }

        /// - Parameter children: a process, or minus a group.
        /// - Returns: whether there is none any more.
        private mutating func reap(_ children: Int32) -> Bool {
            while true {
                var status: Int32 = 0
                let ended = waitpid(children, &status, WNOHANG)
                if ended < 0, errno == EINTR { continue }
                guard ended != 0 else { return false }
                // ECHILD: there was none, or another part of the host has reaped it.
                guard ended > 0 else { return true }
                if ended == launcher { launcherStatus = WaitStatus(rawValue: status) }
                if children > 0 { return true }
            }
        }

        /// The status of stage 0, once it has been reaped.
        private(set) var launcherStatus: WaitStatus?

        enum End {
            case notYet
            /// Nil if another part of the host has reaped it.
            case ended(WaitStatus?)
        }

        /// How the warden ended; where there was none, stage 0.
        mutating func reap() -> End {
            if let unheldWarden {
                var status: Int32 = 0
                let ended = waitpid(unheldWarden, &status, WNOHANG)
                guard ended != 0, !(ended < 0 && errno == EINTR) else { return .notYet }
                self.unheldWarden = nil
                return .ended(ended > 0 ? WaitStatus(rawValue: status & ~0x80) : nil)
            }
            guard let warden else {
                guard isAtEnd || wasKilledOutright, reapLauncher() else { return .notYet }
                return .ended(launcherStatus)
            }
            var status: Int32 = 0
            switch cforcefield_reap_pidfd(warden.number, &status) {
            case 0: return .notYet
            case 1: return .ended(WaitStatus(rawValue: status & ~0x80))
            default: return .ended(nil)
            }
        }
    }
#endif
