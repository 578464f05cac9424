import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import HardwareKeys

@Suite("Sealed secrets")
struct SealedSecretsTests {
    let folder = Scratch()
    let log = Lines()

    private var directory: StateDirectory { get throws { try StateDirectory(path: folder.path("s")) } }

    func secrets(_ tpm: TPMAddress?, requireHardware: Bool = false) throws -> SealedSecrets {
        SealedSecrets(
            in: try directory, tpm: tpm, policy: KeyPolicy(requireHardware: requireHardware), logger: log.logger,
            machine: { SoftwareKeyFileTests.machine })
    }

    private func secrets(on hardware: FakeSealingHardware) throws -> SealedSecrets {
        SealedSecrets(
            in: try directory, hardware: hardware, policy: KeyPolicy(requireHardware: false), logger: log.logger,
            machine: { SoftwareKeyFileTests.machine })
    }

    private func file(_ tag: String = "token") throws -> [UInt8] {
        try #require(try directory.read("\(tag).cmss")).withUnsafeBytes { Array($0) }
    }

    #if canImport(CTSS2)
        @Test("a secret sealed by a TPM opens with it, and with no other", .enabled(if: SoftwareTPM.isInstalled))
        func tpm() throws {
            let simulator = try SoftwareTPM()
            let other = try SoftwareTPM()
            let content = try SecretBytes.random(count: 1000)
            let secrets = try secrets(TPMAddress(tcti: simulator.tcti), requireHardware: true)
            #expect(try secrets.seal(content, tag: "token") == .tpm2)
            #expect(try secrets.open(tag: "token") == content)
            #expect(log.all == [])

            let elsewhere = try self.secrets(TPMAddress(tcti: other.tcti))
            #expect(throws: HardwareKeyError.unavailable(.otherHardware)) { try elsewhere.open(tag: "token") }
            let without = try self.secrets(nil)
            #expect(throws: HardwareKeyError.unavailable(.none)) { try without.open(tag: "token") }
            #expect(try without.kind(tag: "token") == .tpm2)
            #expect(throws: HardwareKeyError.downgrade(tag: "token", pinned: .tpm2, found: .software)) {
                try without.seal(content, tag: "token")
            }
            #expect(try secrets.open(tag: "token") == content)
        }
    #endif

    @Test("without hardware it is bound to the machine, where the policy allows that")
    func software() throws {
        let secrets = try secrets(nil)
        let strict = try self.secrets(nil, requireHardware: true)
        #expect(throws: HardwareKeyError.hardwareRequired(.none)) { try strict.seal(secret(of: 1), tag: "token") }
        #expect(try secrets.seal(secret(of: 1), tag: "token") == .software)
        #expect(try secrets.kind(tag: "token") == .software)
        #expect(try secrets.open(tag: "token") == secret(of: 1))
        #expect(log.all == ["warning: Using SOFTWARE key"])
        #expect(throws: HardwareKeyError.hardwareRequired(.softwareKey)) { try strict.open(tag: "token") }
        let moved = SealedSecrets(
            in: try directory, tpm: nil, policy: KeyPolicy(requireHardware: false),
            logger: log.logger, machine: { MachineIdentity(machineID: [UInt8](repeating: 4, count: 16), userID: 1000) })
        #expect(throws: HardwareKeyError.cannotUnseal(tag: "token")) { try moved.open(tag: "token") }
    }

    @Test("the file has its documented bytes", arguments: zip(KeyKind.allCases, [2, 1, 0] as [UInt8]))
    func bytes(kind: KeyKind, code: UInt8) throws {
        let secrets = try kind == .software ? secrets(nil) : secrets(on: FakeSealingHardware(kind: kind))
        #expect(try secrets.seal(secret([1, 2, 3]), tag: "token") == kind)
        let stored: [UInt8] = kind == .software ? [0, 0] : [0, 32] + [UInt8](repeating: 7, count: 32)
        let file = try file()
        #expect(file.starts(with: Array("CMSS".utf8) + [1, code, 0, 5] + Array("token".utf8)))
        #expect(Array(file[45..<45 + stored.count]) == stored)
        #expect(file.count == 45 + stored.count + 12 + 3 + 16)
        #expect(try secrets.open(tag: "token") == secret([1, 2, 3]))
        #expect(try directory.read("token.cmsk") == secret(Array("\(kind.rawValue)\n".utf8)))
    }

    @Test("a tag keeps its kind: a weaker one neither takes its place nor opens, until the kind is forgotten")
    func pinnedKind() throws {
        let enclave = try secrets(on: FakeSealingHardware(kind: .secureEnclave))
        let tpm = try secrets(on: FakeSealingHardware(kind: .tpm2))
        let none = try secrets(nil)
        let downgrade = { HardwareKeyError.downgrade(tag: "token", pinned: .secureEnclave, found: $0) }
        try tpm.seal(secret(of: 1), tag: "token")
        let weaker = try file()
        #expect(try enclave.seal(secret(of: 2), tag: "token") == .secureEnclave)
        let stronger = try file()
        #expect(throws: downgrade(.tpm2)) { try tpm.seal(secret(of: 3), tag: "token") }
        #expect(throws: downgrade(.software)) { try none.seal(secret(of: 3), tag: "token") }
        #expect(try enclave.open(tag: "token") == secret(of: 2))

        try directory.write("token.cmss", secret(weaker))
        #expect(throws: downgrade(.tpm2)) { try tpm.open(tag: "token") }
        #expect(throws: downgrade(.tpm2)) { try tpm.kind(tag: "token") }
        try directory.write("token.cmss", secret(stronger))
        try enclave.remove(tag: "token")
        #expect(throws: downgrade(.software)) { try none.seal(secret(of: 3), tag: "token") }
        try enclave.remove(tag: "token", forgettingKind: true)
        #expect(try none.seal(secret(of: 3), tag: "token") == .software)
    }

    @Test("a secret that was stored when the process died before its kind was pinned counts by its own kind")
    func killedBeforePin() throws {
        let tpm = try secrets(on: FakeSealingHardware(kind: .tpm2))
        try tpm.seal(secret(of: 1), tag: "token")
        try directory.remove("token.cmsk")
        let none = try secrets(nil)
        #expect(throws: HardwareKeyError.downgrade(tag: "token", pinned: .tpm2, found: .software)) {
            try none.seal(secret(of: 2), tag: "token")
        }
        // Nor does the record of a weaker kind, from before, say otherwise.
        try directory.pin(.software, in: "token.cmsk")
        #expect(throws: HardwareKeyError.downgrade(tag: "token", pinned: .tpm2, found: .software)) {
            try none.seal(secret(of: 2), tag: "token")
        }
        #expect(try tpm.open(tag: "token") == secret(of: 1))
        try none.remove(tag: "token")
        #expect(throws: HardwareKeyError.downgrade(tag: "token", pinned: .tpm2, found: .software)) {
            try none.seal(secret(of: 2), tag: "token")
        }
    }

    @Test(
        "the kind that was not pinned when the process died is pinned with the next secret",
        arguments: [nil, .software] as [KeyKind?])
    func pinnedLater(recorded: KeyKind?) throws {
        let tpm = try secrets(on: FakeSealingHardware(kind: .tpm2))
        try tpm.seal(secret(of: 1), tag: "token")
        try directory.remove("token.cmsk")
        if let recorded { try directory.pin(recorded, in: "token.cmsk") }
        try tpm.seal(secret(of: 2), tag: "token")
        #expect(try directory.pinnedKind(in: "token.cmsk") == .tpm2)
        // A damaged secret may be replaced, and does not say what its kind was.
        try directory.write("token.cmss", secret(Array(file().prefix(20))))
        let none = try secrets(nil)
        #expect(throws: HardwareKeyError.downgrade(tag: "token", pinned: .tpm2, found: .software)) {
            try none.seal(secret(of: 3), tag: "token")
        }
    }

    @Test(
        "another kind than the one that was sealed is refused", arguments: KeyKind.allCases,
        0...3 as ClosedRange<UInt8>)
    func flippedKind(kind: KeyKind, code: UInt8) throws {
        let hardware = FakeSealingHardware(kind: kind)
        let secrets = try kind == .software ? secrets(nil) : secrets(on: hardware)
        try secrets.seal(secret(of: 1), tag: "token")
        try directory.remove("token.cmsk")
        var file = try file()
        guard file[5] != code else { return }
        file[5] = code
        try directory.write("token.cmss", secret(file))
        // Also by the hardware that the file now names, and that would release the same key.
        let named = try self.secrets(on: FakeSealingHardware(kind: code == 2 ? .secureEnclave : .tpm2))
        #expect(throws: HardwareKeyError.self) { try secrets.open(tag: "token") }
        #expect(throws: HardwareKeyError.self) { try named.open(tag: "token") }
    }

    @Test("a file that is cut off, flipped or under another tag is refused")
    func damaged() throws {
        let secrets = try secrets(nil)
        try secrets.seal(secret([1, 2, 3]), tag: "token")
        let bytes = try file()
        for count in bytes.indices {
            try directory.write("token.cmss", secret(Array(bytes.prefix(count))))
            #expect(throws: HardwareKeyError.self) { try secrets.open(tag: "token") }
        }
        for byte in bytes.indices {
            try directory.write("token.cmss", secret(bytes.flipping(bit: byte * 8)))
            #expect(throws: HardwareKeyError.self) { try secrets.open(tag: "token") }
        }
        #expect(try secrets.seal(secret(of: 1), tag: "token") == .software)
        try directory.write("other.cmss", secret(bytes))
        #expect(throws: HardwareKeyError.cannotUnseal(tag: "other")) { try secrets.open(tag: "other") }
        #expect(throws: HardwareKeyError.cannotUnseal(tag: "other")) { try secrets.kind(tag: "other") }
    }

    @Test("a removed secret is not found, nor is its kind")
    func removed() throws {
        let secrets = try secrets(nil)
        #expect(throws: HardwareKeyError.keyNotFound(tag: "token")) { try secrets.kind(tag: "token") }
        try secrets.seal(secret(of: 1), tag: "token")
        try secrets.remove(tag: "token")
        try secrets.remove(tag: "token")
        #expect(throws: HardwareKeyError.keyNotFound(tag: "token")) { try secrets.open(tag: "token") }
        #expect(throws: HardwareKeyError.keyNotFound(tag: "token")) { try secrets.kind(tag: "token") }
    }
}

/// Hardware that keeps its key in the file.
private struct FakeSealingHardware: SealingHardware {
    let kind: KeyKind

    func makeKey() throws(HardwareKeyError) -> (key: SecretBytes, stored: [UInt8]) {
        let stored = [UInt8](repeating: 7, count: 32)
        return (try release(stored), stored)
    }

    func release(_ stored: [UInt8]) throws(HardwareKeyError) -> SecretBytes {
        try SecretBytes.joining([.plain(stored)])
    }
}
