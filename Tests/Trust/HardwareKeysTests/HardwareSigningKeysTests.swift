import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import HardwareKeys

@Suite("Signing keys")
struct HardwareSigningKeysTests {
    let fixture = SigningKeysFixture()

    @Test("without hardware a software key stands in, says so, and is loaded again")
    func softwareKey() throws {
        let keys = try fixture.keys(nil)
        let key = try keys.generate(tag: "app")
        #expect(key.kind == .software)
        try verify(key)
        #expect(try keys.load(tag: "app").publicKey == key.publicKey)
        #expect(fixture.log.all == ["warning: Using SOFTWARE key", "warning: Using SOFTWARE key"])
        #expect(try keys.list() == [.init(tag: "app", kind: .software)])
    }

    @Test("where the policy asks for hardware there is no software key, made or loaded")
    func hardwareRequired() throws {
        let strict = try fixture.keys(nil, requireHardware: true)
        #expect(throws: HardwareKeyError.hardwareRequired(.none)) { try strict.generate(tag: "app") }
        #expect(try strict.list() == [])
        _ = try fixture.keys(nil).generate(tag: "app")
        #expect(throws: HardwareKeyError.hardwareRequired(.softwareKey)) { try strict.load(tag: "app") }
    }

    @Test("hardware that fails otherwise leads to no software key")
    func otherFailures() throws {
        for failure in [HardwareKeyError.lockout(seconds: 5), .unexpectedResponse(command: "Create", code: 0x143)] {
            let keys = try fixture.keys(FakeHardware(kind: .tpm2, failure: failure))
            #expect(throws: failure) { try keys.generate(tag: "app") }
            #expect(try keys.list() == [])
        }
    }

    @Test("a tag keeps its kind: a weaker key is refused even after the key was removed, until the kind is forgotten")
    func pinnedKind() throws {
        let enclave = FakeHardware(kind: .secureEnclave)
        _ = try fixture.keys(enclave).generate(tag: "app")
        try fixture.keys(enclave).remove(tag: "app")
        let tpm = try fixture.keys(FakeHardware(kind: .tpm2))
        let none = try fixture.keys(nil)
        #expect(throws: HardwareKeyError.downgrade(tag: "app", pinned: .secureEnclave, found: .tpm2)) {
            try tpm.generate(tag: "app")
        }
        #expect(throws: HardwareKeyError.downgrade(tag: "app", pinned: .secureEnclave, found: .software)) {
            try none.generate(tag: "app")
        }
        _ = try fixture.keys(enclave).generate(tag: "app")
        try fixture.keys(enclave).remove(tag: "app", forgettingKind: true)
        #expect(try none.generate(tag: "app").kind == .software)
    }

    @Test("a software key put in a hardware key's place is refused")
    func swapped() throws {
        let hardware = FakeHardware(kind: .tpm2)
        let keys = try fixture.keys(hardware)
        _ = try keys.generate(tag: "app")
        try FileManager.default.removeItem(atPath: fixture.path + "/app.vgtk")
        let file = try SoftwareSigningKey.random().file(tag: KeyTag("app"), machine: SoftwareKeyFileTests.machine)
        try StateDirectory(path: fixture.path).write("app.vgsk", secret(file))
        #expect(throws: HardwareKeyError.downgrade(tag: "app", pinned: .tpm2, found: .software)) {
            try keys.load(tag: "app")
        }
    }

    @Test("a tag is used once, and one that is not there is not found")
    func tags() throws {
        let keys = try fixture.keys(nil)
        _ = try keys.generate(tag: "app")
        #expect(throws: HardwareKeyError.keyExists(tag: "app")) { try keys.generate(tag: "app") }
        #expect(throws: HardwareKeyError.keyNotFound(tag: "other")) { try keys.load(tag: "other") }
        #expect(throws: HardwareKeyError.keyNotFound(tag: "other")) { try keys.remove(tag: "other") }
        #expect(throws: HardwareKeyError.invalidTag("../app")) { try keys.generate(tag: "../app") }
        try keys.remove(tag: "app")
        #expect(throws: HardwareKeyError.keyNotFound(tag: "app")) { try keys.load(tag: "app") }
    }

    @Test("a record of the kind that says nothing is refused")
    func damagedPin() throws {
        let keys = try fixture.keys(nil)
        _ = try keys.generate(tag: "app")
        try StateDirectory(path: fixture.path).write("app.kind", secret(Array("tpm3\n".utf8)))
        #expect(throws: HardwareKeyError.self) { try keys.load(tag: "app") }
    }
}

/// Hardware that keeps its scalar in the file.
private struct FakeHardware: SigningHardware {
    let kind: KeyKind
    var failure: HardwareKeyError?

    func makeKey(tag: String) throws(HardwareKeyError) -> SecretFile {
        if let failure { throw failure }
        return SecretFile(try SecretBytes.joining([.plain([UInt8](repeating: 1, count: 32))]))
    }

    func openKey(tag: String, file: SecretFile) throws(HardwareKeyError) -> any SigningKey {
        guard let key = SoftwareSigningKey(scalar: file.content) else { throw .cannotUnseal(tag: tag) }
        return key
    }
}
