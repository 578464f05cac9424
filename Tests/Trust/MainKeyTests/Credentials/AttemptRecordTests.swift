import TestSupport
import Testing

@testable import MainKey

@Suite("AttemptRecord")
struct AttemptRecordTests {
    private static let known = Result { try Fixture.json("attempts.json") }

    @Test("gives the known delays")
    func knownDelays() throws {
        let schedule = try Self.known.get()["schedule_s"].object
        #expect(schedule.count == 13)
        for (failures, delay) in schedule {
            let failed = try #require(UInt32(failures))
            #expect(Int(AttemptRecord.delaySeconds(afterFailures: failed)) == delay.int)
        }
        #expect(AttemptRecord.delaySeconds(afterFailures: .max) == 3600)
    }

    @Test("gives the known times that remain")
    func knownRemaining() throws {
        let cases = try Self.known.get()["remaining"].array
        #expect(cases.count == 13)
        for known in cases {
            let record = AttemptRecord(
                vaultID: [UInt8](repeating: 1, count: 16), failed: UInt32(try #require(known["failed"].int)),
                lastFailure: BootInstant(
                    bootID: try #require(known["bootID"].hex),
                    milliseconds: UInt64(try #require(known["lastFailureBoottimeMs"].int))))
            let now = BootInstant(
                bootID: try #require(known["nowBootID"].hex),
                milliseconds: UInt64(try #require(known["nowBoottimeMs"].int)))
            #expect(Int(record.remainingMilliseconds(at: now)) == known["remainingMs"].int, "\(known["name"])")
        }
    }

    @Test("reads and writes the known files")
    func knownFiles() throws {
        let known = try Self.known.get()
        let vaultID = try #require(known["vaultID"].hex)
        #expect(known["files"].array.count == 8)
        for known in known["files"].array {
            let bytes = try #require(known["hex"].hex)
            guard known["expect"].string == "ok" else {
                #expect("\(known["name"])") { try AttemptRecord(parsing: bytes, vaultID: vaultID) } throws: {
                    ($0 as? MainKeyError)?.code == known["expect"].string
                }
                continue
            }
            let record = try AttemptRecord(parsing: bytes, vaultID: vaultID)
            #expect(Int(record.failed) == known["failed"].int)
            #expect(record.lastFailure.bootID == known["bootID"].hex)
            #expect(Int(record.lastFailure.milliseconds) == known["lastFailureBoottimeMs"].int)
            #expect(record.encoded == bytes)
        }
    }

    @Test("reads and writes that a wipe is due, as one byte that is 1, and takes no other there")
    func wipeDue() throws {
        let known = try Self.known.get()
        let vaultID = try #require(known["vaultID"].hex)
        let plain = try #require(known["files"][0]["hex"].hex)
        /// - Parameter checksum: by Python's hashlib.
        func changed(_ offset: Int, to value: UInt8, checksum: [UInt8]) -> [UInt8] {
            var bytes = plain
            bytes[offset] = value
            return Array(bytes[..<56]) + checksum
        }
        let due = changed(28, to: 1, checksum: [0x3c, 0x44, 0xd6, 0x88, 0x79, 0xcf, 0xbd, 0xda])
        var record = try AttemptRecord(parsing: due, vaultID: vaultID)
        #expect(record.isWipeDue && record.failed == 3 && record.encoded == due)
        record.isWipeDue = false
        #expect(record.encoded == plain)
        let others = [
            changed(28, to: 2, checksum: [0x71, 0x1c, 0x8a, 0x18, 0xb3, 0x56, 0xa5, 0xa5]),
            changed(29, to: 1, checksum: [0x26, 0x43, 0x21, 0xe7, 0x2e, 0x77, 0x81, 0xde]),
            changed(31, to: 1, checksum: [0x05, 0xeb, 0x07, 0x4d, 0xf7, 0x9e, 0x2b, 0x2a]),
        ]
        for bytes in others {
            #expect(throws: MainKeyError.malformed(.attempts, reason: "fixed bytes have other values")) {
                try AttemptRecord(parsing: bytes, vaultID: vaultID)
            }
        }
    }

    @Test("refuses a file with any one bit changed")
    func bits() throws {
        let known = try Self.known.get()
        let vaultID = try #require(known["vaultID"].hex)
        let bytes = try #require(known["files"][0]["hex"].hex)
        for bit in 0..<bytes.count * 8 {
            #expect(throws: MainKeyError.self) {
                try AttemptRecord(parsing: bytes.flipping(bit: bit), vaultID: vaultID)
            }
        }
    }

    @Test("reads back what it writes")
    func roundTrip() throws {
        var random = SplitMix64(state: 12)
        for _ in 0..<1000 {
            var record = AttemptRecord(
                vaultID: (0..<16).map { _ in random.byte() }, failed: UInt32(truncatingIfNeeded: random.next()),
                lastFailure: BootInstant(bootID: (0..<16).map { _ in random.byte() }, milliseconds: random.next()))
            record.isWipeDue = random.byte() < 128
            #expect(record.encoded.count == AttemptRecord.byteCount)
            #expect(try AttemptRecord(parsing: record.encoded, vaultID: record.vaultID) == record)
        }
    }

    @Test("the system's clock gives the same start of the machine and a time that does not go back")
    func systemClock() throws {
        let first = try BootInstant.now()
        let second = try BootInstant.now()
        #expect(first.bootID.count == BootInstant.bootIDByteCount)
        #expect(first.bootID == second.bootID)
        #expect(first.milliseconds > 0 && first.milliseconds <= second.milliseconds)
    }
}
