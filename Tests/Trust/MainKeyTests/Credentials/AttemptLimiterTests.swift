import Testing

@testable import MainKey

@Suite("AttemptLimiter")
struct AttemptLimiterTests {
    /// Keeps the bytes and a list of what happened.
    private final class Memory: AttemptStore {
        var bytes: [UInt8]?
        var saved: [UInt32] = []
        var loadError: MainKeyError?
        /// Which save fails, counted from 0.
        var failingSave: Int?

        func load() throws(MainKeyError) -> [UInt8]? {
            if let loadError { throw loadError }
            return bytes
        }

        func save(_ bytes: [UInt8]) throws(MainKeyError) {
            let record = try AttemptRecord(parsing: bytes, vaultID: AttemptLimiterTests.vaultID)
            saved.append(record.failed)
            if failingSave == saved.count - 1 { throw .io(path: "attempts.mk", reason: "the disk is full") }
            self.bytes = bytes
        }
    }

    private static let vaultID = [UInt8](repeating: 7, count: 16)
    private static let boot = [UInt8](repeating: 9, count: 16)

    private final class Clock {
        var milliseconds: UInt64 = 1_000_000
        var bootID = AttemptLimiterTests.boot
        func now() -> BootInstant { BootInstant(bootID: bootID, milliseconds: milliseconds) }
    }

    private let memory = Memory()
    private let clock = Clock()

    private func limiter(limit: Int = 10, wipes: Bool = false) -> AttemptLimiter<Memory> {
        let clock = clock
        return AttemptLimiter(vaultID: Self.vaultID, limit: limit, wipesAtLimit: wipes, store: memory) { clock.now() }
    }

    private func record(failed: UInt32) {
        memory.bytes = AttemptRecord(vaultID: Self.vaultID, failed: failed, lastFailure: clock.now()).encoded
    }

    private func failed() throws -> UInt32 {
        try AttemptRecord(parsing: #require(memory.bytes), vaultID: Self.vaultID).failed
    }

    private func guessWrongly(
        _ credential: AttemptLimiter<Memory>.Credential = .pin, limit: Int = 10, wipes: Bool = false
    ) -> MainKeyError? {
        do throws(MainKeyError) {
            try limiter(limit: limit, wipes: wipes).attempt(credential) { () throws(MainKeyError) in
                throw .wrongCredential(attemptsLeft: nil)
            }
            return nil
        } catch { return error }
    }

    @Test("counts an attempt on disk before it is tried")
    func countedFirst() throws {
        record(failed: 2)
        var atTry: UInt32?
        let answer = try limiter().attempt(.pin) { () throws(MainKeyError) -> Int in
            atTry = try? failed()
            return 42
        }
        #expect(answer == 42)
        #expect(atTry == 3)
        #expect(memory.saved == [3, 0])
        #expect(try failed() == 0)
    }

    @Test("an end of the process in the middle of an attempt leaves it counted")
    func interrupted() throws {
        record(failed: 0)
        var state: [UInt8]?
        try limiter().attempt(.pin) { state = memory.bytes }
        #expect(try AttemptRecord(parsing: #require(state), vaultID: Self.vaultID).failed == 1)
    }

    /// An attempt in whose middle the process ends: the record stays as it is then.
    private func interrupt(_ credential: AttemptLimiter<Memory>.Credential, limit: Int) throws {
        var state: [UInt8]?
        try limiter(limit: limit, wipes: true).attempt(credential) { state = memory.bytes }
        memory.bytes = state
    }

    @Test("attempts that were interrupted reach the limit, and no wipe is due: nobody typed anything wrong")
    func interruptedToLimit() throws {
        record(failed: 0)
        for count in 1...3 as ClosedRange<UInt32> {
            try interrupt(.pin, limit: 3)
            #expect(try failed() == count)
        }
        #expect(guessWrongly(limit: 3, wipes: true) == .attemptsExhausted(byHardware: false))
        #expect(!limiter(limit: 3, wipes: true).isWipeDue)
        try limiter(limit: 3, wipes: true).attempt(.recoveryCode) {}
        #expect(try failed() == 0)
    }

    @Test("a wrong one that reaches the limit leaves word that a wipe is due, until something opens the vault")
    func wipeDue() throws {
        record(failed: 1)
        #expect(guessWrongly(limit: 3, wipes: true) == .wrongCredential(attemptsLeft: 1))
        #expect(!limiter().isWipeDue)
        #expect(guessWrongly(limit: 3, wipes: true) == .wrongCredential(attemptsLeft: 0))
        #expect(limiter().isWipeDue)
        #expect(memory.saved == [2, 3, 3])
        #expect(guessWrongly(limit: 3, wipes: true) == .attemptsExhausted(byHardware: false))
        try interrupt(.recoveryCode, limit: 3)
        #expect(try failed() == 4 && limiter().isWipeDue)
        try limiter(limit: 3, wipes: true).attempt(.recoveryCode) {}
        #expect(!limiter().isWipeDue)
    }

    @Test("no such word is left where the vault is not wiped, and none of a lost record")
    func noWipeDue() {
        record(failed: 2)
        #expect(guessWrongly(limit: 3) == .wrongCredential(attemptsLeft: 0))
        #expect(memory.saved == [3] && !limiter().isWipeDue)
        memory.bytes = nil
        #expect(!limiter().isWipeDue)
    }

    @Test("that a wrong one reached the limit is told also where no word of it can be left")
    func wordFails() throws {
        record(failed: 2)
        memory.failingSave = 1
        #expect(guessWrongly(limit: 3, wipes: true) == .wrongCredential(attemptsLeft: 0))
        #expect(try failed() == 3 && !limiter().isWipeDue)
    }

    @Test("tries nothing when the count cannot be written")
    func unwritable() throws {
        record(failed: 0)
        memory.failingSave = 0
        #expect(throws: MainKeyError.io(path: "attempts.mk", reason: "the disk is full")) {
            try limiter().attempt(.pin) { Issue.record("it was tried") }
        }
    }

    @Test("keeps the count of wrong ones, tells what is left, and waits ever longer")
    func schedule() throws {
        record(failed: 0)
        for (left, wait) in zip((0..<10).reversed(), [0, 0, 0, 0, 30, 60, 300, 900, 3600, 3600]) {
            #expect(guessWrongly() == .wrongCredential(attemptsLeft: left))
            #expect(try limiter().status().remainingSeconds == wait)
            guard wait > 0, left > 0 else { continue }
            clock.milliseconds += UInt64(wait) * 1000 - 1
            #expect(guessWrongly() == .throttled(seconds: 1))
            clock.milliseconds += 1
        }
        clock.milliseconds += 1_000_000_000
        #expect(guessWrongly() == .attemptsExhausted(byHardware: false))
        #expect(try failed() == 10)
    }

    @Test("a refusal computes nothing and writes nothing")
    func refusals() throws {
        record(failed: 5)
        #expect(throws: MainKeyError.throttled(seconds: 30)) {
            try limiter().attempt(.pin) { Issue.record("it was tried") }
        }
        record(failed: 10)
        #expect(throws: MainKeyError.attemptsExhausted(byHardware: false)) {
            try limiter().attempt(.pin) { Issue.record("it was tried") }
        }
        #expect(memory.saved.isEmpty)
    }

    @Test("a restart of the machine does not shorten the wait")
    func restart() throws {
        record(failed: 8)
        clock.bootID = [UInt8](repeating: 1, count: 16)
        clock.milliseconds = 60_000
        #expect(guessWrongly() == .throttled(seconds: 840))
    }

    @Test("a right credential clears the count")
    func success() throws {
        record(failed: 4)
        try limiter().attempt(.pin) {}
        #expect(try limiter().status() == .init(failed: 0, attemptsLeft: 10, remainingSeconds: 0, isLost: false))
    }

    @Test("an error that is no wrong credential restores the record")
    func otherErrors() throws {
        clock.milliseconds = 5000
        record(failed: 4)
        let before = memory.bytes
        clock.milliseconds = 900_000
        #expect(throws: MainKeyError.limitExceeded(reason: "no memory")) {
            try limiter().attempt(.pin) { () throws(MainKeyError) in
                throw .limitExceeded(reason: "no memory")
            }
        }
        #expect(memory.saved == [5, 4])
        #expect(memory.bytes == before)
    }

    @Test("the first error is told when restoring fails too")
    func restoringFails() throws {
        record(failed: 1)
        memory.failingSave = 1
        #expect(throws: MainKeyError.locked) {
            try limiter().attempt(.pin) { () throws(MainKeyError) in throw .locked }
        }
        #expect(try failed() == 2)
    }

    @Test(
        "a missing or damaged record counts as five failures now, and the wait for it ends", arguments: [nil, [1, 2]])
    func lost(bytes: [UInt8]?) throws {
        memory.bytes = bytes
        #expect(try limiter().status() == .init(failed: 5, attemptsLeft: 5, remainingSeconds: 30, isLost: true))
        #expect(memory.saved.isEmpty)
        var told = 0
        var limiter = limiter()
        limiter.stateLost = { told += 1 }
        #expect(throws: MainKeyError.throttled(seconds: 30)) {
            try limiter.attempt(.pin) { Issue.record("it was tried") }
        }
        clock.milliseconds += 30_000
        try limiter.attempt(.pin) {}
        #expect(told == 1)
        #expect(memory.saved == [5, 6, 0])
    }

    @Test("a lost record leaves one attempt, however few the limit allows", arguments: [1, 2, 5, 6])
    func lostAtLimit(limit: Int) throws {
        #expect(try limiter(limit: limit).status().attemptsLeft == 1)
        #expect(try limiter(limit: limit).status().failed == limit - 1)
        clock.milliseconds += 30_000
        if limit > 5 { #expect(guessWrongly(limit: limit) == .throttled(seconds: 30)) }
        clock.milliseconds += 30_000
        #expect(guessWrongly(limit: limit) == .wrongCredential(attemptsLeft: 0))
    }

    @Test("a record that cannot be read is not a missing one")
    func unreadable() {
        memory.loadError = .io(path: "attempts.mk", reason: "Permission denied")
        #expect(throws: MainKeyError.io(path: "attempts.mk", reason: "Permission denied")) {
            try limiter().attempt(.pin) { Issue.record("it was tried") }
        }
        #expect(throws: MainKeyError.self) { try limiter().status() }
        #expect(memory.saved.isEmpty)
    }

    @Test("the recovery code waits, but opens behind the limit")
    func recovery() throws {
        record(failed: 10)
        #expect(guessWrongly(.recoveryCode) == .throttled(seconds: 3600))
        clock.milliseconds += 3_600_000
        #expect(guessWrongly(.recoveryCode) == .wrongCredential(attemptsLeft: 0))
        #expect(guessWrongly() == .attemptsExhausted(byHardware: false))
        clock.milliseconds += 3_600_000
        try limiter().attempt(.recoveryCode) {}
        #expect(try failed() == 0)
    }

    @Test("the hardware's count is told where it is lower")
    func hardwareCount() throws {
        record(failed: 0)
        #expect(throws: MainKeyError.wrongCredential(attemptsLeft: 2)) {
            try limiter().attempt(.pin) { () throws(MainKeyError) in
                throw .wrongCredential(attemptsLeft: 2)
            }
        }
    }

    @Test("the count stops at its end instead of beginning anew")
    func saturation() throws {
        record(failed: .max)
        clock.milliseconds += 3_600_000
        #expect(guessWrongly(.recoveryCode) == .wrongCredential(attemptsLeft: 0))
        #expect(try failed() == .max)
    }

    @Test("a new vault begins with no failures")
    func reset() throws {
        try limiter().reset()
        #expect(try limiter().status() == .init(failed: 0, attemptsLeft: 10, remainingSeconds: 0, isLost: false))
    }
}
