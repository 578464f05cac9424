import SecretMemory
import TestSupport
import Testing

@testable import HardwareKeys

@Suite("Files of software keys")
struct SoftwareKeyFileTests {
    @Test("the known files open, or are refused for their reason", arguments: 0..<6)
    func knownAnswers(number: Int) throws {
        let known = try Fixture.json("softkey-vectors")[number]
        let machine = MachineIdentity(
            machineID: try #require(known["machineId"].hex), userID: UInt32(try #require(known["uid"].int)))
        let tag = try KeyTag(#require(known["tag"].string))
        let file = try secret(#require(known["blob"].hex))
        switch known["expect"].string {
        case nil:
            let key = try SoftwareKeyFile.open(file, tag: tag, machine: machine)
            #expect(key.publicKey == known["publicKeyX963"].hex)
        case "cannotUnseal":
            #expect(throws: HardwareKeyError.cannotUnseal(tag: tag.text)) {
                try SoftwareKeyFile.open(file, tag: tag, machine: machine)
            }
        default:
            #expect(known["expect"].string == "malformedKeyFile")
            let error = #expect(throws: HardwareKeyError.self) {
                try SoftwareKeyFile.open(file, tag: tag, machine: machine)
            }
            guard case .malformed(.softwareKeyFile, _, _) = error else {
                Issue.record("refused for another reason: \(String(describing: error))")
                return
            }
        }
    }

    static let machine = MachineIdentity(machineID: [UInt8](repeating: 3, count: 16), userID: 1000)

    @Test("a new key's file opens, for its tag alone")
    func roundTrip() throws {
        let key = try SoftwareSigningKey.random()
        let file = try secret(key.file(tag: KeyTag("a"), machine: Self.machine))
        #expect(try SoftwareKeyFile.open(file, tag: KeyTag("a"), machine: Self.machine).publicKey == key.publicKey)
        #expect(throws: HardwareKeyError.cannotUnseal(tag: "b")) {
            try SoftwareKeyFile.open(file, tag: KeyTag("b"), machine: Self.machine)
        }
    }

    @Test("a file that is cut off or flipped anywhere is refused")
    func damaged() throws {
        let file = try SoftwareSigningKey.random().file(tag: KeyTag("tag"), machine: Self.machine)
        for count in file.indices {
            #expect(throws: HardwareKeyError.self) {
                try SoftwareKeyFile.open(secret(Array(file.prefix(count))), tag: KeyTag("tag"), machine: Self.machine)
            }
        }
        for bit in 0..<file.count * 8 {
            #expect(throws: HardwareKeyError.self) {
                try SoftwareKeyFile.open(secret(file.flipping(bit: bit)), tag: KeyTag("tag"), machine: Self.machine)
            }
        }
    }

    @Test("zero and the curve's order are no keys")
    func impossibleScalars() throws {
        let order = try #require(
            JSON.string("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551").hex)
        #expect(try SoftwareSigningKey(scalar: secret(of: 0)) == nil)
        #expect(try SoftwareSigningKey(scalar: secret(order)) == nil)
    }

    @Test(
        "a machine's number is 32 hexadecimal digits",
        arguments: [
            "", "4a87", "+a8721a99a01ad219eb59cf6a15ef6f1", "zz8721a99a01ad219eb59cf6a15ef6f1",
            "4a8721a99a01ad219eb59cf6a15ef6f100",
        ])
    func machineNumbers(text: String) throws {
        #expect(throws: HardwareKeyError.self) { try MachineIdentity(text: text, path: "/id", userID: 0) }
        let machine = try MachineIdentity(text: "4a8721a99a01ad219eb59cf6a15ef6f1\n", path: "/id", userID: 0)
        #expect(machine.machineID.first == 0x4a && machine.machineID.last == 0xf1)
    }
}

extension SoftwareSigningKey: Equatable {
    public static func == (left: Self, right: Self) -> Bool { left.publicKey == right.publicKey }
}
