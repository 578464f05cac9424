import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import MainKey

/// Opens a slot with what a known answer gives.
enum KnownCredential {
    /// - Returns: nil if the credential is none for this kind of slot.
    static func parts(_ credential: JSON, for slot: Slot) throws -> [Slot.Part]? {
        var parts: [Slot.Part] = []
        if !credential["pin"].isNull {
            guard let cost = slot.cost, slot.kind != .recovery else { return nil }
            parts.append(.pin(try Argon2id.stretch(Fixture.secret(credential["pin"]), salt: slot.salt, cost: cost)))
        }
        if !credential["recovery"].isNull {
            guard let cost = slot.cost, slot.kind == .recovery else { return nil }
            let code = try Fixture.secret(credential["recovery"])
            parts.append(.recovery(try Argon2id.stretch(code, salt: slot.salt, cost: cost)))
        }
        if !credential["hw"].isNull { parts.append(.hardware(try Fixture.secret(credential["hw"]))) }
        if !credential["item"].isNull { parts.append(.item(try Fixture.secret(credential["item"]))) }
        return parts
    }
}

@Suite("Slots of a key file")
struct SlotTests {
    static let cases = Fixture.known("slots")["cases"].array

    @Test("known slots open, or are refused for the known reason", arguments: cases.indices)
    func knownSlots(index: Int) throws {
        let known = Self.cases[index]
        let vault = try Fixture.vault(known)
        let keyID = try #require(known["mainKeyID"].hex)
        let bytes = try #require(known["slot"].hex)
        let found = code {
            let slot = try Slot(parsing: bytes[...])
            #expect(slot.bytes == bytes)
            let possible = try KnownCredential.parts(known["credential"], for: slot)
            let parts = try #require(possible)
            let mainKey = try slot.open(parts, vault: vault, mainKeyID: keyID)
            #expect(mainKey.testBytes == known["mainKey"].hex)
        }
        #expect(found == known["expect"].string, "\(known["name"].string ?? "")")
    }

    @Test(
        "the steps to a slot's key are the known ones", arguments: cases.indices.filter { !cases[$0]["trace"].isNull })
    func knownSteps(index: Int) throws {
        let known = Self.cases[index]
        let trace = known["trace"]
        let vault = try Fixture.vault(known)
        let bytes = try #require(known["slot"].hex)
        let slot = try Slot(parsing: bytes[...])
        let possible = try KnownCredential.parts(known["credential"], for: slot)
        let parts = try #require(possible)
        #expect(try Slot.input(parts).testBytes == trace["ikm"].hex)
        let keys = try Slot.keys(parts, salt: slot.salt, vault: vault, id: slot.id, kind: slot.kind)
        #expect(keys.pseudorandom.testBytes == trace["prk"].hex)
        #expect(keys.encryption.testBytes == trace["encKey"].hex)
        #expect(keys.commitment == trace["commitment"].hex)
        if let expected = trace["hwAuth"].hex, case .pin(let pin)? = parts.first {
            let found = try Slot.hardwareAuthorisation(
                pin: pin, salt: slot.salt, vault: vault, id: slot.id, kind: slot.kind)
            #expect(found.testBytes == expected)
        }
    }

    @Test("a slot that was made opens with what it was made with and with nothing else")
    func roundTrip() throws {
        let secrets = try MainKeySecrets.random(vault: .random())
        let item = try SecretBytes.random(count: 32)
        let draft = Slot.Draft(.none, cost: nil, createdAt: 7, avoiding: [])
        let slot = try Slot(
            draft, [.item(item)], hardwareKind: .keyItem, mainKey: secrets.mainKey, vault: secrets.vault,
            mainKeyID: secrets.id)
        let again = try Slot(parsing: slot.bytes[...])
        #expect(again == slot)
        #expect(try again.open([.item(item)], vault: secrets.vault, mainKeyID: secrets.id) == secrets.mainKey)
        let other = try SecretBytes.random(count: 32)
        #expect(throws: MainKeyError.wrongCredential(attemptsLeft: nil)) {
            try again.open([.item(other)], vault: secrets.vault, mainKeyID: secrets.id)
        }
    }

    @Test("a slot of a Secure Enclave is bound by its lockout, and a slot that takes its place, too")
    func enclave() throws {
        let secrets = try MainKeySecrets.random(vault: .random())
        let draft = Slot.Draft(.hardware, cost: nil, createdAt: 7, avoiding: [])
        let slot = try Slot(
            draft, [.hardware(try SecretBytes.random(count: 32))], hardwareKind: .secureEnclave,
            hardwareBlob: [1, 1, 0, 1, 7, 4] + [UInt8](repeating: 9, count: 64), mainKey: secrets.mainKey,
            vault: secrets.vault, mainKeyID: secrets.id)
        #expect(slot.binding == .lockout)
        #expect(try slot.bindingToKeep() == .lockout)
    }

    @Test("Argon2id gives the known keys", arguments: Fixture.known("argon2id")["cases"].array.indices)
    func argon2(index: Int) throws {
        let known = Fixture.known("argon2id")["cases"][index]
        let cost = Argon2Cost(
            passes: UInt32(try #require(known["t"].int)), memoryKiB: UInt32(try #require(known["m_kib"].int)))
        let salt = try #require(known["salt"].hex)
        let key = try Argon2id.stretch(Fixture.secret(known["pin_hex"]), salt: salt, cost: cost)
        #expect(key.testBytes == known["out"].hex)
    }

    @Test("4 GiB for Argon2id are refused before any of it is taken")
    func memory() throws {
        let cost = Argon2Cost(passes: 1, memoryKiB: 4 << 20)
        // Memory that the system did not give is told in other words.
        let refusal = MainKeyError.limitExceeded(reason: "1 passes over 4194304 KiB are not allowed for a PIN")
        #expect(throws: refusal) {
            try Argon2id.stretch(.random(count: 8), salt: .init(repeating: 0, count: 16), cost: cost)
        }
    }
}
