#if canImport(CSystemd)
    import Foundation
    import LogindTestSupport
    import MainKey
    import Synchronization
    import Testing

    @testable import MainKeyLogind

    /// What was told, in its order.
    final class Heard: Sendable {
        private let events = Mutex<[AutolockEvent]>([])

        func note(_ event: AutolockEvent) { events.withLock { $0.append(event) } }

        var all: [AutolockEvent] { events.withLock { $0 } }
    }

    /// Waits until something holds; whether it came to hold within ten minutes, which is long also for a busy machine.
    func comes(_ condition: () -> Bool) async -> Bool {
        let end = ContinuousClock.now + .seconds(600)
        while !condition() {
            guard ContinuousClock.now < end else { return false }
            // Others need the processor more.
            try? await Task.sleep(for: .milliseconds(1))
        }
        return true
    }

    @Suite("What logind says", .enabled(if: TestBus.isInstalled), .serialized)
    struct LogindListeningTests {
        private let bus: TestBus
        private let logind: FakeLogind
        private let heard = Heard()

        init() throws {
            bus = try TestBus()
            logind = try FakeLogind(on: bus.address)
        }

        private func listening() async throws -> LogindListening {
            let signals = LogindSignals(at: bus.address, firstPause: 1)
            let listening = LogindListening(to: signals) { [heard] in heard.note($0) }
            // It stands once it has asked whether the machine goes to sleep.
            #expect(await comes { !logind.calling.isEmpty })
            listening.settle()
            return listening
        }

        @Test("the screen's lock, by the signal and by the desktop's word, and sleep are heard")
        func signals() async throws {
            let listening = try await listening()
            logind.lock()
            logind.hint(true)
            logind.prepareForSleep(true)
            logind.prepareForSleep(false)
            #expect(await comes { heard.all == [.systemLock, .systemLock, .sleep, .resume] }, "\(heard.all)")
            withExtendedLifetime(listening) {}
        }

        @Test("what is said of another session, of an unlocking or of something else is nothing")
        func others() async throws {
            let listening = try await listening()
            logind.lock(FakeLogind.otherSession)
            logind.hint(true, of: FakeLogind.otherSession)
            logind.hint(false)
            logind.hint(true, named: "IdleHint")
            logind.prepareForSleep(false)
            #expect(await comes { !heard.all.isEmpty })
            #expect(heard.all == [.resume])
            withExtendedLifetime(listening) {}
        }

        @Test("who does not own logind's name is not heard, neither by all nor by this connection alone")
        func impostor() async throws {
            let listening = try await listening()
            let impostor = try FakeLogind(on: bus.address, ownsName: false)
            let victim = try #require(logind.calling.first)
            for destination in [nil, victim] {
                impostor.lock(to: destination)
                impostor.prepareForSleep(true, to: destination)
            }
            logind.prepareForSleep(false)
            #expect(await comes { !heard.all.isEmpty })
            #expect(heard.all == [.resume])
            // The bus does pass on what is meant for one connection: the same from logind is heard.
            logind.lock(to: victim)
            #expect(await comes { heard.all == [.resume, .systemLock] })
            withExtendedLifetime(listening) {}
        }

        @Test("without a session of its own a program hears of sleep only, until there is one")
        func noSession() async throws {
            logind.setSession(nil)
            let listening = try await listening()
            logind.lock()
            logind.prepareForSleep(false)
            #expect(await comes { heard.all == [.resume] })
            logind.setSession(FakeLogind.ownSession)
            logind.lock()
            #expect(await comes { heard.all == [.resume, .systemLock] })
            withExtendedLifetime(listening) {}
        }

        @Test("sleep waits while keys are in memory, and for nothing else")
        func delay() async throws {
            let listening = try await listening()
            #expect(logind.handedOut == 0)
            listening.keysAppear()
            listening.keysAppear()
            #expect(await comes { logind.held == 1 })
            logind.prepareForSleep(true)
            #expect(await comes { heard.all == [.sleep] })
            listening.keysAreGone()
            listening.settle()
            #expect(logind.held == 1)
            listening.keysAreGone()
            #expect(await comes { logind.held == 0 })
            // Opened on the way to sleep: told at once, and not delayed anew.
            listening.keysAppear()
            #expect(await comes { heard.all == [.sleep, .sleep] })
            listening.settle()
            #expect(logind.handedOut == 1)
            logind.prepareForSleep(false)
            #expect(await comes { logind.held == 1 && logind.handedOut == 2 })
            withExtendedLifetime(listening) {}
        }

        @Test("a delay that is late is none that is missed, and keeps nothing else from being heard")
        func lateDelay() async throws {
            let listening = try await listening()
            logind.holdBackDelays()
            listening.keysAppear()
            #expect(await comes { logind.heldBack == 1 })
            logind.lock()
            #expect(await comes { heard.all == [.systemLock] })
            // Not asked for twice.
            listening.keysAppear()
            listening.settle()
            #expect(logind.heldBack == 1)
            logind.answerDelays()
            #expect(await comes { logind.held == 1 })
            // What comes next finds the answer read, and kept.
            logind.prepareForSleep(true)
            #expect(await comes { heard.all == [.systemLock, .sleep] })
            #expect(logind.held == 1 && logind.handedOut == 1)
            listening.keysAreGone()
            listening.keysAreGone()
            #expect(await comes { logind.held == 0 })

            // One that comes when the keys are gone is given back.
            logind.prepareForSleep(false)
            #expect(await comes { heard.all.last == .resume })
            logind.holdBackDelays()
            listening.keysAppear()
            #expect(await comes { logind.heldBack == 1 })
            listening.keysAreGone()
            listening.settle()
            logind.answerDelays()
            #expect(logind.handedOut == 2)
            #expect(await comes { logind.held == 0 })
            withExtendedLifetime(listening) {}
        }

        @Test("when the bus dies sleep waits for the keys all the same")
        func busDiesWithKeys() async throws {
            let listening = try await listening()
            listening.keysAppear()
            #expect(await comes { logind.held == 1 })
            // What comes next finds the answer read: until then it may be on its way, and be lost with the bus.
            logind.lock()
            #expect(await comes { heard.all == [.systemLock] })
            bus.stop()
            #expect(await comes { heard.all == [.systemLock, .systemLock] })
            listening.settle()
            #expect(logind.held == 1)
            listening.keysAreGone()
            #expect(await comes { logind.held == 0 })
        }

        @Test("who connects while the machine is on its way to sleep is told")
        func late() async throws {
            logind.setPreparing(true)
            let listening = try await listening()
            #expect(await comes { heard.all == [.sleep] })
            listening.keysAppear()
            listening.settle()
            #expect(logind.handedOut == 0)
        }

        @Test("when logind goes the vault locks, and when it comes again it is heard, by its new name only")
        func restart() async throws {
            let listening = try await listening()
            listening.keysAppear()
            #expect(await comes { logind.held == 1 })
            logind.giveNameUp()
            #expect(await comes { heard.all == [.systemLock] && logind.held == 0 })
            let next = try FakeLogind(on: bus.address)
            #expect(await comes { next.held == 1 })
            listening.settle()
            // One that is slow to say whether the screen is locked has locked the vault.
            let before = heard.all
            logind.lock()
            next.prepareForSleep(false)
            #expect(await comes { heard.all == before + [.resume] })
            next.lock()
            #expect(await comes { heard.all == before + [.resume, .systemLock] })
            withExtendedLifetime(listening) {}
        }

        @Test("when the bus dies the vault locks, and it is connected again when there is one again")
        func busDies() async throws {
            let listening = try await listening()
            bus.stop()
            #expect(await comes { heard.all == [.systemLock] })
            let again = try TestBus(in: bus.folder)
            let next = try FakeLogind(on: again.address)
            #expect(await comes { !next.calling.isEmpty })
            listening.settle()
            let before = heard.all
            next.lock()
            #expect(await comes { heard.all == before + [.systemLock] })
            withExtendedLifetime((listening, again)) {}
        }

        @Test("a listening that is over lets sleep go, and hears nothing more")
        func over() async throws {
            var listening: LogindListening? = try await listening()
            listening?.keysAppear()
            #expect(await comes { logind.held == 1 })
            listening = nil
            #expect(await comes { logind.held == 0 })
            logind.lock()
            #expect(heard.all.isEmpty)
            _ = listening
        }

        @Test("a status says what is heard: the session, sleep alone, or nothing and why")
        func state() throws {
            let signals = LogindSignals(at: bus.address)
            #expect(signals.state() == .session(FakeLogind.ownSession))
            logind.setSession(nil)
            #expect(signals.state() == .sleepOnly)
            logind.giveNameUp()
            #expect(signals.state() == .nothing(reason: "there is no logind on the system bus"))
            let nowhere = LogindSignals(at: "unix:path=/nonexistent/socket")
            guard case .nothing(let reason) = nowhere.state() else {
                Issue.record("a bus that is not there")
                return
            }
            #expect(reason.contains("/nonexistent/socket"))
        }

        @Test("whether the screen is locked is asked of this program's session; without one, or a bus, nobody knows")
        func screen() throws {
            let signals = LogindSignals(at: bus.address)
            #expect(!signals.isScreenLocked())
            logind.setLocked(true)
            #expect(signals.isScreenLocked())
            logind.setSession(nil)
            #expect(!signals.isScreenLocked())
            #expect(!LogindSignals(at: "unix:path=/nonexistent/socket").isScreenLocked())
        }

        @Test("the address is the system's, and no variable of the environment another")
        func address() {
            #expect(LogindSignals().address == "unix:path=/run/dbus/system_bus_socket")
        }

        @Test("a bus that breaks off at first is tried again, and a screen that was locked meanwhile locks")
        func brokenBus() async throws {
            bus.stop()
            let broken = try BrokenBus(at: bus.folder.appending(path: "socket").path)
            let listening = LogindListening(to: LogindSignals(at: bus.address, firstPause: 1)) { [heard] in
                heard.note($0)
            }
            await broken.breaksOff()
            broken.stop()
            let again = try TestBus(in: bus.folder)
            let next = try FakeLogind(on: again.address, isLocked: true)
            #expect(await comes { heard.all.contains(.systemLock) })
            withExtendedLifetime((listening, again, next)) {}
        }

        @Test("a logind that comes is asked whether the screen is locked by now")
        func lateLogind() async throws {
            let listening = try await listening()
            logind.giveNameUp()
            #expect(await comes { heard.all == [.systemLock] })
            let next = try FakeLogind(on: bus.address, isLocked: true)
            #expect(await comes { heard.all == [.systemLock, .systemLock] }, "\(heard.all)")
            withExtendedLifetime((listening, next)) {}
        }
    }
#endif
