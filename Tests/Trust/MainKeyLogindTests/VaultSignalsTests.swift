#if canImport(CSystemd)
    import Foundation
    import LogindTestSupport
    import SecretMemory
    import Synchronization
    import Testing

    @testable import MainKey
    @testable import MainKeyLogind

    @Suite("A vault that hears logind", .enabled(if: TestBus.isInstalled), .serialized)
    struct VaultSignalsTests {
        private let bus: TestBus
        private let logind: FakeLogind
        private let folder = URL(filePath: "/tmp/mainkey-logind-\(UUID().uuidString)")

        init() throws {
            bus = try TestBus()
            logind = try FakeLogind(on: bus.address)
        }

        private var opening: OpenOptions {
            var options = OpenOptions()
            options.lockSignals = LogindSignals(at: bus.address, firstPause: 1)
            return options
        }

        private static func pin() throws -> SecretBytes {
            var bytes = Array("805-Linden".utf8)
            return try SecretBytes(movingFrom: &bytes)
        }

        /// A vault that is unlocked, and holds sleep up if it is to lock by it.
        private func vault(_ change: (inout OpenOptions) -> Void = { _ in }) async throws -> MainKeyVault {
            var options = VaultOptions()
            options.cost = Argon2Cost(passes: 2, memoryKiB: 19456)
            var opening = opening
            change(&opening)
            let vault = try MainKeyVault.create(at: folder.path, [.pin(Self.pin())], options, opening: opening)
            #expect(await comes { opening.locksOnSleep ? logind.held == 1 : !logind.calling.isEmpty })
            return vault
        }

        private func over() { try? FileManager.default.removeItem(at: folder) }

        /// What a process would find in memory of an unlocked vault.
        private struct Keys {
            let epochs: EpochKeys
            weak var mainKey: SecretBytes?

            init(_ vault: MainKeyVault) throws {
                let unlocked = try vault.memory.unlocked().1
                epochs = unlocked.keys
                mainKey = unlocked.secrets.mainKey
            }

            var areGone: Bool { mainKey == nil && (try? epochs.active) == nil }
        }

        @Test("the screen's lock locks it, zeroises its keys, and lets sleep go; it can be unlocked again")
        func locks() async throws {
            defer { over() }
            let vault = try await vault()
            let keys = try Keys(vault)
            #expect(!keys.areGone)
            let events = vault.events
            logind.lock()
            #expect(await comes { vault.state == .locked })
            #expect(await comes { keys.areGone && logind.held == 0 })
            let reason = await events.first { $0 != .requestMainKey }
            #expect(reason == .removedMainKeyFromMemory(.systemLock))
            try vault.unlock(.pin(Self.pin()))
            #expect(await comes { logind.held == 1 })
            #expect(vault.state == .unlocked)
        }

        @Test("another session's lock, and whoever says what logind says, leave it open")
        func others() async throws {
            defer { over() }
            let vault = try await vault()
            let impostor = try FakeLogind(on: bus.address, ownsName: false)
            let victim = try #require(logind.calling.first)
            let before = logind.calling.count
            impostor.lock(to: victim)
            impostor.prepareForSleep(true, to: victim)
            logind.lock(FakeLogind.otherSession)
            // It asks whose session that is, after everything before has been judged.
            #expect(await comes { logind.calling.count > before })
            logind.lock(FakeLogind.otherSession)
            #expect(await comes { logind.calling.count > before + 1 })
            #expect(vault.state == .unlocked && logind.held == 1)
            logind.lock()
            #expect(await comes { vault.state == .locked })
        }

        @Test("sleep locks it, and goes on only when nobody uses its keys any more and they are zeroised")
        func sleep() async throws {
            defer { over() }
            let vault = try await vault()
            let keys = try Keys(vault)
            let isHeldInUse = Mutex(false)
            try vault.withUnlocked { _ in
                logind.prepareForSleep(true)
                let end = ContinuousClock.now + .seconds(120)
                while vault.state == .unlocked, ContinuousClock.now < end { sched_yield() }
                #expect(vault.state == .locked)
                isHeldInUse.withLock { $0 = logind.held == 1 && (try? keys.epochs.active) != nil }
            }
            #expect(isHeldInUse.withLock { $0 })
            // At the moment at which sleep may go on, nothing is left.
            #expect(await comes { logind.held == 0 })
            #expect(keys.areGone)
        }

        @Test("who uses the keys without end holds up neither their end nor sleep")
        func endlessUse() async throws {
            defer { over() }
            let vault = try await vault()
            let keys = try Keys(vault)
            try vault.withUnlocked { _ in
                logind.prepareForSleep(true)
                // The two seconds that uses get, and what a busy machine adds.
                let end = ContinuousClock.now + .seconds(120)
                while logind.held == 1, ContinuousClock.now < end { sched_yield() }
                #expect(logind.held == 0)
                #expect((try? keys.epochs.active) == nil)
            }
        }

        @Test("an unlocking on the way to sleep does not last")
        func unlockedMeanwhile() async throws {
            defer { over() }
            let vault = try await vault()
            logind.prepareForSleep(true)
            #expect(await comes { vault.state == .locked && logind.held == 0 })
            // It ends with `locked`, or is locked as soon as it is done.
            do throws(MainKeyError) { try vault.unlock(.pin(try! Self.pin())) } catch { #expect(error == .locked) }
            #expect(await comes { vault.state == .locked })
            logind.prepareForSleep(false)
            // As soon as that is heard, which is on another thread.
            #expect(await comes { (try? vault.unlock(.pin(Self.pin()))) != nil })
            #expect(await comes { logind.held == 1 })
            #expect(vault.state == .unlocked)
        }

        @Test("where sleep is set not to lock, it does not, and nothing holds sleep up; the screen's lock locks")
        func staysOpen() async throws {
            defer { over() }
            let vault = try await vault { $0.locksOnSleep = false }
            logind.prepareForSleep(true)
            logind.prepareForSleep(false)
            #expect(vault.state == .unlocked && logind.handedOut == 0)
            logind.lock()
            #expect(await comes { vault.state == .locked })
        }

        @Test("when the bus dies it locks")
        func busDies() async throws {
            defer { over() }
            let vault = try await vault()
            let keys = try Keys(vault)
            bus.stop()
            #expect(await comes { vault.state == .locked && keys.areGone })
        }

        @Test("without a bus it opens, and nothing is an error")
        func noBus() throws {
            defer { over() }
            bus.stop()
            var options = VaultOptions()
            options.cost = Argon2Cost(passes: 2, memoryKiB: 19456)
            let vault = try MainKeyVault.create(at: folder.path, [.pin(Self.pin())], options, opening: opening)
            #expect(vault.state == .unlocked)
            vault.lock()
            try vault.unlock(.pin(Self.pin()))
            #expect(vault.state == .unlocked)
        }

        @Test("what only looks at a vault asks nobody")
        func looking() throws {
            defer { over() }
            var options = VaultOptions()
            options.cost = Argon2Cost(passes: 2, memoryKiB: 19456)
            _ = try MainKeyVault.create(at: folder.path, [.pin(Self.pin())], options)
            _ = try MainKeyVault.look(at: folder.path, opening).status()
            #expect(logind.calling.isEmpty)
        }
    }
#endif
