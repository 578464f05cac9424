import Foundation
import SecretMemory
import Testing

@testable import MainKey

@Suite("A vault with a PIN")
struct VaultTests {
    @Test("it opens with its PIN and its recovery code, in another process too, and gives back what was sealed")
    func opens() throws {
        let folder = try VaultFolder()
        let (made, recovery) = try folder.make()
        let sealed = try made.seal("Guten Tag")
        #expect(made.state == .unlocked)
        made.lock()
        #expect(made.state == .locked)
        #expect(code { _ = try made.open(sealed) } == "locked")
        let again = try folder.open()
        try again.unlock(.pin(VaultFolder.pin()))
        #expect(try again.open(sealed) == "Guten Tag")
        let third = try folder.open()
        try third.unlock(.recovery(RecoveryCode(typed: recovery.grouped())))
        #expect(try third.open(sealed) == "Guten Tag")
    }

    @Test("it is never made by itself, nor over another")
    func creation() throws {
        let folder = try VaultFolder()
        #expect(code { _ = try folder.open() } == "notFound")
        _ = try folder.make()
        #expect(code { _ = try folder.make() } == "configError")
        // What cannot be read is not absent.
        let file = folder.path + "/keyring.mk"
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
        #expect(code { _ = try folder.open() } == "io")
        #expect(code { _ = try folder.make() } == "io")
    }

    @Test("weak PINs and impossible settings are refused before anything is made")
    func refusals() throws {
        let folder = try VaultFolder()
        for pin in ["12345", "123456", "111111", "121212", "password"] {
            #expect(code { _ = try Unwatched.create(at: folder.path, [.pin(SecretBytes(test: pin))]) } == "weakPIN")
        }
        #expect(code { _ = try Unwatched.create(at: folder.path, []) } == "configError")
        #expect(code { _ = try folder.make { $0.attemptLimit = 0 } } == "configError")
        #expect(code { _ = try folder.make { $0.autolock = .minutes(10081) } } == "configError")
        #expect(code { _ = try folder.make { $0.requiresHardware = true } } == "configError")
        #expect(code { _ = try folder.make { $0.cost = Argon2Cost(passes: 1, memoryKiB: 8192) } } == "configError")
        #expect(
            code { _ = try Unwatched.create(at: folder.path, [.hardware(.counter)], VaultFolder.options) }
                == "configError")
        // Each of the two is allowed alone; both together no reader takes.
        #expect(throws: MainKeyError.configError(reason: Self.tooMuch("8:1048576"))) {
            try folder.make { $0.cost = Argon2Cost(passes: 9, memoryKiB: 1 << 20) }
        }
        #expect(code { _ = try folder.open() } == "notFound")
    }

    private static func tooMuch(_ cost: String) -> String {
        "all PINs and recovery codes together would pass over more than 16 GiB: take \(cost) at the most"
    }

    @Test("ways whose costs no reader takes together are refused before anything is stretched, and nothing is changed")
    func costsTogether() throws {
        let folder = try VaultFolder()
        let (vault, _) = try folder.make()
        let ways = try vault.status().ways
        var options = VaultFolder.options
        options.cost = Argon2Cost(passes: 16, memoryKiB: 1 << 20)
        #expect(throws: MainKeyError.configError(reason: Self.tooMuch("15:1048576"))) {
            try vault.setProtections(
                keeping: [ways[1].id], adding: [.pin(VaultFolder.pin(VaultFolder.otherPIN))],
                authenticatedBy: .pin(VaultFolder.pin()), options)
        }
        #expect(throws: MainKeyError.configError(reason: Self.tooMuch("8:1048576"))) {
            try vault.rekey(
                [.pin(VaultFolder.pin()), .recovery(RecoveryCode.generate())],
                authenticatedBy: .pin(VaultFolder.pin()), options)
        }
        let status = try vault.status()
        #expect(throws: MainKeyError.configError(reason: Self.tooMuch("15:1048576"))) {
            try status.checkRoom(forAdding: 1, cost: options.cost) { $0.kind == "recovery" }
        }
        try status.checkRoom(forAdding: 1, cost: options.cost) { _ in false }
        try status.checkRoom(forAdding: 6, cost: nil) { _ in true }
        #expect(status.ways.map(\.id) == ways.map(\.id))
        try folder.open().unlock(.pin(VaultFolder.pin()))
    }

    @Test(
        "wrong PINs are counted before they are tried, in all processes, up to the limit; the recovery code then opens it"
    )
    func attempts() throws {
        let folder = try VaultFolder()
        let (_, recovery) = try folder.make { $0.attemptLimit = 4 }
        let vault = try folder.open()
        let wrong = try VaultFolder.pin("not the PIN")
        #expect(throws: MainKeyError.wrongCredential(attemptsLeft: 3)) { try vault.unlock(.pin(wrong)) }
        let other = try folder.open()
        #expect(throws: MainKeyError.wrongCredential(attemptsLeft: 2)) { try other.unlock(.pin(wrong)) }
        #expect(try vault.status().attemptsLeft == 2)
        #expect(throws: MainKeyError.wrongCredential(attemptsLeft: 1)) { try vault.verify(.pin(wrong)) }
        #expect(throws: MainKeyError.wrongCredential(attemptsLeft: 0)) { try vault.unlock(.pin(wrong)) }
        #expect(throws: MainKeyError.attemptsExhausted(byHardware: false)) { try vault.unlock(.pin(VaultFolder.pin())) }
        try vault.unlock(.recovery(RecoveryCode(typed: recovery.grouped())))
        #expect(try vault.status().attemptsLeft == 4)
        try vault.unlock(.pin(VaultFolder.pin()))
    }

    @Test("a right PIN forgets the wrong ones; a missing count waits as after five")
    func countForgotten() throws {
        let folder = try VaultFolder()
        _ = try folder.make()
        let vault = try folder.open()
        #expect(throws: MainKeyError.self) { try vault.unlock(.pin(VaultFolder.pin("not the PIN"))) }
        #expect(try vault.status().failedAttempts == 1)
        try vault.unlock(.pin(VaultFolder.pin()))
        #expect(try vault.status().failedAttempts == 0)
        try FileManager.default.removeItem(atPath: folder.path + "/attempts.mk")
        // Whoever were not asked before the wait is over would never make the attempt that begins it.
        #expect(try vault.status().secondsToWait == 30)
        #expect(try vault.status().secondsBeforeAsking == 0)
        #expect(code { try vault.unlock(.pin(VaultFolder.pin())) } == "throttled")
        #expect(try vault.status().failedAttempts == 5)
        #expect(try vault.status().secondsBeforeAsking > 0)
    }

    @Test("a lost count is no wrong PIN: the right one opens, and nothing is wiped", arguments: [1, 3, 5])
    func countLostAtLimit(limit: Int) throws {
        let folder = try VaultFolder()
        _ = try folder.make {
            $0.attemptLimit = limit
            $0.wipesOnLimit = true
        }
        let vault = try folder.open()
        try FileManager.default.removeItem(atPath: folder.path + "/attempts.mk")
        #expect(try vault.status().attemptsLeft == 1)
        try vault.unlock(.pin(VaultFolder.pin()))
        #expect(try vault.status().attemptsLeft == limit)
    }

    @Test("the limit wipes the vault where that was chosen")
    func wipeOnLimit() throws {
        let folder = try VaultFolder()
        _ = try folder.make {
            $0.attemptLimit = 1
            $0.wipesOnLimit = true
        }
        let vault = try folder.open()
        let error = #expect(throws: MainKeyError.self) { try vault.unlock(.pin(VaultFolder.pin("not the PIN"))) }
        #expect(error?.code == "notFound" && error?.description.contains("it was wiped") == true)
        #expect(vault.state == .wiped)
        #expect(code { _ = try folder.open() } == "notFound")
        #expect(try folder.files().keys.filter { !$0.hasPrefix("CACHEDIR") && $0 != "lock" && $0 != "items" }.isEmpty)
    }

    @Test("a changed PIN opens it and the old one does not; the recovery code stays")
    func changePIN() throws {
        let folder = try VaultFolder()
        let (vault, recovery) = try folder.make()
        let sealed = try vault.seal("x")
        let before = try vault.status()
        #expect(
            code {
                try vault.changePIN(from: VaultFolder.pin("not the PIN"), to: VaultFolder.pin(VaultFolder.otherPIN))
            }
                == "wrongCredential")
        #expect(code { try vault.changePIN(from: VaultFolder.pin(), to: VaultFolder.pin("123456")) } == "weakPIN")
        try vault.changePIN(from: VaultFolder.pin(), to: VaultFolder.pin(VaultFolder.otherPIN), VaultFolder.options)
        let after = try vault.status()
        #expect(after.generation == before.generation + 1)
        #expect(after.ways.map(\.kind).sorted() == ["pin", "recovery"])
        let again = try folder.open()
        #expect(code { try again.unlock(.pin(VaultFolder.pin())) } == "wrongCredential")
        try again.unlock(.pin(VaultFolder.pin(VaultFolder.otherPIN)))
        #expect(try again.open(sealed) == "x")
        try again.unlock(.recovery(recovery))
    }

    @Test("of several PINs the one is changed that was given, and by the recovery code none")
    func changeOneOfTwo() throws {
        let folder = try VaultFolder()
        let recovery = try RecoveryCode.generate()
        let (anna, bert, new) = (VaultFolder.pin, VaultFolder.otherPIN, "Linde 4711 c")
        let vault = try Unwatched.create(
            at: folder.path, [.pin(VaultFolder.pin(anna)), .pin(VaultFolder.pin(bert)), .recovery(recovery)],
            VaultFolder.options)
        #expect(
            code {
                try vault.changePIN(
                    to: VaultFolder.pin(new), authenticatedBy: .recovery(recovery), VaultFolder.options)
            } == "configError")
        try vault.changePIN(from: VaultFolder.pin(bert), to: VaultFolder.pin(new), VaultFolder.options)
        for pin in [anna, new] { try vault.verify(.pin(VaultFolder.pin(pin))) }
        #expect(code { try vault.verify(.pin(VaultFolder.pin(bert))) } == "wrongCredential")
        #expect(try vault.status().ways.map(\.kind).sorted() == ["pin", "pin", "recovery"])
    }

    @Test("from no protection to a PIN and back; the key item comes and goes with it")
    func protections() throws {
        let folder = try VaultFolder()
        let vault = try Unwatched.create(at: folder.path, [.none], VaultFolder.options)
        let sealed = try vault.seal("x")
        func items() throws -> Int { try folder.files().keys.filter { $0.hasSuffix(".item") }.count }
        #expect(try items() == 1)
        let again = try folder.open()
        try again.unlock(.none)
        #expect(try again.open(sealed) == "x")
        #expect(code { try again.unlock(.pin(VaultFolder.pin())) } == "noSuchSlot")
        try again.setProtections(
            keeping: [], adding: [.pin(VaultFolder.pin())], authenticatedBy: .none, VaultFolder.options)
        #expect(try items() == 0)
        #expect(code { try folder.open().unlock(.none) } == "noSuchSlot")
        try again.setItem("secret", SecretBytes(test: "s"), access: .whenPasscodeSetThisDeviceOnly)
        try again.setItem("other", SecretBytes(test: "o"))
        try again.setProtections(
            keeping: [], adding: [.none], authenticatedBy: .pin(VaultFolder.pin()), VaultFolder.options)
        #expect(try again.itemLabels() == ["other"])
        let last = try folder.open()
        try last.unlock(.none)
        #expect(try last.open(sealed) == "x")
        // A backup without the key item opens nothing.
        for name in try folder.files().keys where name.hasSuffix(".item") {
            try FileManager.default.removeItem(atPath: folder.path + "/" + name)
        }
        #expect(code { try folder.open().unlock(.none) } == "notFound")
    }

    @Test("settings and slots that were edited outside are noticed when it is unlocked")
    func edits() throws {
        let folder = try VaultFolder()
        _ = try folder.make()
        let file = URL(filePath: folder.path + "/keyring.mk")
        let bytes = Array(try Data(contentsOf: file))
        // Generation, creation, flags, attempts, autolock, key ID, epochs, MAC: one of each.
        for position in [39, 47, 55 - 4, 52, 59, 64, bytes.count - 40, bytes.count - 1] {
            var mauled = bytes
            mauled[position] ^= 1
            try Data(mauled).write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
            let found = code { try folder.open().unlock(.pin(VaultFolder.pin())) }
            #expect(["tampered", "malformed"].contains(found), "byte \(position): \(found)")
        }
    }

    @Test("a new MainKey opens old data, and no old copy of the vault opens what comes after")
    func rekey() throws {
        let folder = try VaultFolder()
        let (vault, _) = try folder.make()
        let sealed = try vault.seal("old")
        let yesterday = try folder.files()
        try vault.rekey(
            [.pin(VaultFolder.pin(VaultFolder.otherPIN))], authenticatedBy: .pin(VaultFolder.pin()), VaultFolder.options
        )
        #expect(try vault.open(sealed) == "old")
        try vault.rotate([])
        let new = try vault.seal("new")
        #expect(code { _ = try vault.open(sealed) } == "unknownEpoch")
        try folder.restore(yesterday)
        let restored = try folder.open()
        try restored.unlock(.pin(VaultFolder.pin()))
        #expect(code { _ = try restored.open(new) } == "unknownEpoch")
    }

    @Test("events tell what happens, to everybody who listens")
    func events() async throws {
        let folder = try VaultFolder()
        _ = try folder.make()
        let vault = try folder.open()
        var first = vault.events.makeAsyncIterator()
        var second = vault.events.makeAsyncIterator()
        #expect(throws: MainKeyError.self) { try vault.unlock(.none) }
        try vault.unlock(.pin(VaultFolder.pin()))
        vault.lock()
        // What the machine says of its memory is another matter.
        func next(_ events: inout AsyncStream<MainKeyEvent>.AsyncIterator) async -> MainKeyEvent? {
            let event = await events.next()
            return event == .memoryNotLocked ? await events.next() : event
        }
        for expected: MainKeyEvent in [
            .requestMainKey, .errorObtainingMainKey(.noSuchSlot("none")), .obtainedMainKey,
            .removedMainKeyFromMemory(.explicit),
        ] {
            #expect(await next(&first) == expected)
            #expect(await next(&second) == expected)
        }
    }
}
