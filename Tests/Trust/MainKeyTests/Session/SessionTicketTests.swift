import SecretMemory
import Testing

@testable import MainKey

@Suite("The ticket of a session")
struct SessionTicketTests {
    private let secrets: MainKeySecrets
    private let key: SecretBytes
    private let bootID = [UInt8](repeating: 3, count: 16)

    init() throws {
        secrets = try .random(vault: .random())
        key = try .random(count: 32)
    }

    private func ticket(until deadline: UInt64 = 1000) throws -> SessionTicket {
        try SessionTicket(secrets, bootID: bootID, deadline: deadline, asleep: 5000, under: key)
    }

    @Test("it gives the MainKey back with its key, and with no other")
    func roundTrip() throws {
        let bytes = try ticket().bytes
        #expect(bytes.count == SessionTicket.byteCount)
        let read = try #require(SessionTicket(parsing: bytes))
        #expect(read.vault == secrets.vault && read.mainKeyID == secrets.id && read.deadline == 1000)
        #expect(try read.mainKey(under: key) == secrets.mainKey)
        #expect(try read.mainKey(under: .random(count: 32)) == nil)
        #expect(try read.mainKey(under: .random(count: 16)) == nil)
        #expect(bytes.firstRange(of: secrets.mainKey.withUnsafeBytes { Array($0) }) == nil)
    }

    @Test("no flipped bit goes unnoticed, and a ticket of another length is none")
    func mauled() throws {
        let whole = try ticket().bytes
        for index in whole.indices {
            var bytes = whole
            bytes[index] ^= 1
            #expect(try SessionTicket(parsing: bytes)?.mainKey(under: key) == nil, "byte \(index)")
        }
        #expect(SessionTicket(parsing: whole.dropLast()) == nil && SessionTicket(parsing: whole + [0]) == nil)
        #expect(SessionTicket(parsing: []) == nil)
    }

    @Test("it is over once the machine has slept, by clocks that are not read in the same instant")
    func sleep() throws {
        let ticket = try ticket()
        let read = try #require(SessionTicket(parsing: ticket.bytes))
        #expect(read.asleep == 5000)
        for asleep: UInt64 in [4990, 5000, 5999] { #expect(!ticket.isBeforeSleep(asleep)) }
        // The last two are those of a machine whose snapshot was restored.
        for asleep: UInt64 in [6000, 65_000, .max, 4000, 0] { #expect(ticket.isBeforeSleep(asleep)) }
    }

    @Test("it is over at its time, and with another start of the machine")
    func deadline() throws {
        let ticket = try ticket(until: 1000)
        #expect(!ticket.isOver(at: BootInstant(bootID: bootID, milliseconds: 999)))
        #expect(ticket.isOver(at: BootInstant(bootID: bootID, milliseconds: 1000)))
        #expect(ticket.isOver(at: BootInstant(bootID: [UInt8](repeating: 4, count: 16), milliseconds: 1)))
        #expect(try !self.ticket(until: .max).isOver(at: BootInstant(bootID: bootID, milliseconds: .max - 1)))
    }

    @Test("it holds for the vault and MainKey that it was made for, and no longer than autolock allows")
    func holding() throws {
        let folder = try VaultFolder()
        let vault = try folder.make().0
        let (file, unlocked) = try vault.memory.unlocked()
        func holds(_ minutes: Int32, until deadline: UInt64 = 60_000, _ change: (inout KeyFile) -> Void = { _ in })
            throws -> Bool
        {
            let ticket = try SessionTicket(
                unlocked.secrets, bootID: bootID, deadline: deadline, asleep: 0, under: key)
            var file = file
            file.autolockMinutes = minutes
            change(&file)
            return ticket.holds(for: file, at: BootInstant(bootID: bootID, milliseconds: 0))
        }
        #expect(try holds(1) && holds(-1) && !holds(0))
        #expect(try !holds(1, until: 60_001) && holds(2, until: 60_001) && holds(-1, until: .max))
        #expect(try !holds(1) { $0.vault = secrets.vault })
        #expect(try !holds(1) { $0.mainKeyID = secrets.id })
    }
}
