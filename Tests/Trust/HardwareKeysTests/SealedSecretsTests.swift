import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import HardwareKeys

@Suite("Sealed secrets")
struct SealedSecretsTests {
    let folder = Scratch()
    let log = Lines()

    func secrets(_ tpm: TPMAddress?, requireHardware: Bool = false) throws -> SealedSecrets {
        SealedSecrets(
            in: try StateDirectory(path: folder.path("s")), tpm: tpm,
            policy: KeyPolicy(requireHardware: requireHardware),
            logger: log.logger, machine: { SoftwareKeyFileTests.machine })
    }

    #if canImport(CTSS2)
        @Test("a secret sealed by a TPM opens with it, and with no other", .enabled(if: SoftwareTPM.isInstalled))
        func tpm() throws {
            let simulator = try SoftwareTPM()
            let other = try SoftwareTPM()
            let content = try SecretBytes.random(count: 1000)
            let secrets = try secrets(TPMAddress(tcti: simulator.tcti), requireHardware: true)
            try secrets.seal(content, tag: "token")
            #expect(try secrets.open(tag: "token") == content)
            #expect(log.all == [])

            let elsewhere = try self.secrets(TPMAddress(tcti: other.tcti))
            #expect(throws: HardwareKeyError.unavailable(.otherHardware)) { try elsewhere.open(tag: "token") }
            let without = try self.secrets(nil)
            #expect(throws: HardwareKeyError.unavailable(.none)) { try without.open(tag: "token") }
            #expect(throws: HardwareKeyError.downgrade(tag: "token", pinned: .tpm2, found: .software)) {
                try without.seal(content, tag: "token")
            }
            #expect(try secrets.open(tag: "token") == content)
        }
    #endif

    @Test("without a TPM it is bound to the machine, where the policy allows that")
    func software() throws {
        let secrets = try secrets(nil)
        let strict = try self.secrets(nil, requireHardware: true)
        #expect(throws: HardwareKeyError.hardwareRequired(.none)) { try strict.seal(secret(of: 1), tag: "token") }
        try secrets.seal(secret(of: 1), tag: "token")
        #expect(try secrets.open(tag: "token") == secret(of: 1))
        #expect(log.all == ["warning: Using SOFTWARE key"])
        #expect(throws: HardwareKeyError.hardwareRequired(.softwareKey)) { try strict.open(tag: "token") }
        let moved = SealedSecrets(
            in: try StateDirectory(path: folder.path("s")), tpm: nil, policy: KeyPolicy(requireHardware: false),
            logger: log.logger, machine: { MachineIdentity(machineID: [UInt8](repeating: 4, count: 16), userID: 1000) })
        #expect(throws: HardwareKeyError.cannotUnseal(tag: "token")) { try moved.open(tag: "token") }
    }

    @Test("a file that is cut off, flipped or under another tag is refused")
    func damaged() throws {
        let secrets = try secrets(nil)
        let directory = try StateDirectory(path: folder.path("s"))
        try secrets.seal(secret([1, 2, 3]), tag: "token")
        let bytes = try #require(try directory.read("token.cmss")).withUnsafeBytes { Array($0) }
        for count in bytes.indices {
            try directory.write("token.cmss", secret(Array(bytes.prefix(count))))
            #expect(throws: HardwareKeyError.self) { try secrets.open(tag: "token") }
        }
        for byte in bytes.indices {
            try directory.write("token.cmss", secret(bytes.flipping(bit: byte * 8)))
            #expect(throws: HardwareKeyError.self) { try secrets.open(tag: "token") }
        }
        try directory.write("other.cmss", secret(bytes))
        #expect(throws: HardwareKeyError.cannotUnseal(tag: "other")) { try secrets.open(tag: "other") }
    }

    @Test("a removed secret is not found")
    func removed() throws {
        let secrets = try secrets(nil)
        try secrets.seal(secret(of: 1), tag: "token")
        try secrets.remove(tag: "token")
        #expect(throws: HardwareKeyError.keyNotFound(tag: "token")) { try secrets.open(tag: "token") }
    }
}
