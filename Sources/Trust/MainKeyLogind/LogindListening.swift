#if canImport(CSystemd)
    import Dispatch
    import Glibc
    import MainKey
    import Sockets

    /// Listens for one vault on a queue of its own, and delays sleep while keys are in memory.
    final class LogindListening: LockListening {
        private let listener: Listener

        init(to signals: LogindSignals, _ told: @escaping @Sendable (AutolockEvent) -> Void) {
            listener = Listener(to: signals, told)
            listener.queue.async { [listener] in listener.connect() }
        }

        deinit {
            listener.queue.async { [listener] in listener.end() }
        }

        func keysAppear() { listener.queue.async { [listener] in listener.keysAppear() } }

        func keysAreGone() { listener.queue.async { [listener] in listener.keysAreGone() } }

        /// What has been done before this was called is over when it returns; for tests.
        func settle() { listener.queue.sync {} }
    }

    /// What a listening has, all of which is used on its queue.
    // @unchecked: only closures of the queue, which runs one at a time, touch what changes.
    private final class Listener: @unchecked Sendable {
        let queue = DispatchQueue(label: "casemate.mainkey.logind", qos: .userInitiated)
        private let signals: LogindSignals
        private let told: @Sendable (AutolockEvent) -> Void

        private var connection: LogindConnection?
        private var watch: DescriptorWatch?
        /// How many times keys are in memory.
        private var keys = 0
        /// The descriptor that delays sleep until it is closed.
        private var delay: Int32?
        /// How long to wait before it connects again, in milliseconds.
        private var pause: Int
        private var isOver = false

        private static let longestPause = 60_000

        init(to signals: LogindSignals, _ told: @escaping @Sendable (AutolockEvent) -> Void) {
            self.signals = signals
            self.told = told
            pause = signals.firstPause
        }

        // MARK: The connection

        /// A machine that has no bus is left alone; a bus that does not answer in time is tried again.
        func connect() {
            do throws(SystemBus.Failure) { try tryToConnect() } catch {
                if !error.isAbsence { tryAgain() }
            }
        }

        private func tryToConnect() throws(SystemBus.Failure) {
            let connection = try LogindConnection(at: signals.address)
            let descriptor = try connection.watchedDescriptor()
            let watch = DescriptorWatch(
                descriptor, on: queue, onReadable: { [weak self] in self?.read() },
                onEnd: { Glibc.close(descriptor) })
            guard let watch else {
                Glibc.close(descriptor)
                throw SystemBus.Failure(action: "watching the bus", errno: EMFILE)
            }
            pause = signals.firstPause
            self.connection = connection
            self.watch = watch
            if connection.isGoingToSleep { told(.sleep) }
            delayOrNot()
            read()
        }

        private func read() {
            guard let connection else { return }
            do throws(SystemBus.Failure) {
                while let news = try connection.next() { take(news) }
            } catch {
                lose()
            }
        }

        private func take(_ event: LogindConnection.Event) {
            switch event {
            case .event(.sleep):
                told(.sleep)
                // Keys that are in use yet, or come now, are counted; without any nothing waits.
                delayOrNot()
            case .event(let event):
                told(event)
                delayOrNot()
            case .logindLeft:
                told(.systemLock)
                letSleep()
            case .logindCame:
                lockWithScreen()
                delayOrNot()
            case .delay(let descriptor):
                letSleep()
                delay = descriptor
                if keys == 0 { letSleep() }
            }
        }

        /// Locks, since something may be missed from here on, and then tries the connection again until it stands.
        /// Sleep is delayed until the keys are gone all the same.
        private func lose() {
            told(.systemLock)
            close()
            tryAgain()
        }

        private func tryAgain() {
            guard !isOver else { return }
            let wait = pause
            pause = min(pause * 2, Self.longestPause)
            queue.asyncAfter(deadline: .now() + .milliseconds(wait)) { [weak self] in
                guard let self, !self.isOver, self.connection == nil else { return }
                do throws(SystemBus.Failure) {
                    try self.tryToConnect()
                    self.lockWithScreen()
                    // What came during the call is read already, and wakes nobody.
                    self.read()
                } catch {
                    self.tryAgain()
                }
            }
        }

        /// Locks where the screen is locked: that may have been while nothing was heard, and the vault unlocked before.
        private func lockWithScreen() {
            if connection?.isScreenLocked() == true { told(.systemLock) }
        }

        private func close() {
            watch?.cancel()
            watch = nil
            connection = nil
        }

        func end() {
            isOver = true
            close()
            letSleep()
        }

        // MARK: Sleep

        func keysAppear() {
            keys += 1
            // Opened between the word that it goes to sleep and the sleep.
            if connection?.isGoingToSleep == true { told(.sleep) }
            delayOrNot()
            // What came during a call is read already, and wakes nobody.
            read()
        }

        func keysAreGone() {
            keys -= 1
            delayOrNot()
        }

        private func delayOrNot() {
            guard keys > 0 else { return letSleep() }
            // On its way, it is delayed no more by whoever comes late.
            if delay == nil, let connection, !connection.isGoingToSleep { connection.askToDelaySleep() }
        }

        private func letSleep() {
            if let delay { Glibc.close(delay) }
            delay = nil
        }
    }
#endif
