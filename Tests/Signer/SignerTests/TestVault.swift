import Foundation
import SecretMemory
import Substrate
import TestSupport

@testable import Signer

/// A vault in a folder of its own, gone with the test.
final class TestVault {
    static let phrase = "bottom drive obey lake curtain smoke basket hold race lonely fit walk"
    static let cost = PasswordHashCost(passes: 1, memory: 1 << 20)
    /// 2025-11-21 00:00:00.5 UTC.
    static let time = Date(timeIntervalSince1970: 1_763_683_200.5)

    let folder: URL
    let pin: SecretBytes

    /// - Parameter bundle: nil takes that of the release.
    init(_ bundle: NetworkBundle? = nil) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "casemate-test-\(UUID().uuidString)")
        pin = try Self.secret("passphrase")
        try Vault.create(in: folder, credential: pin, bundle: bundle ?? .shipped(), cost: Self.cost, now: { Self.time })
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    func open(_ access: Vault.Access = .write) throws -> Vault {
        try Vault.open(folder, for: access, cost: Self.cost, now: { Self.time })
    }

    /// With the development phrase under the name `demo`.
    func withSeed() throws -> Vault {
        let vault = try open()
        try vault.recoverSeed(named: "demo", phrase: Self.secret(Self.phrase), credential: pin)
        return vault
    }

    /// What a person does after reading a payload.
    func sign(
        _ payload: [UInt8], in vault: Vault, passwords: [MultiSigner: SecretBytes] = [:], confirmations: [String] = []
    ) throws -> SignedAnswer {
        try vault.sign(
            itemID: vault.setPending(payload), credential: pin, passwords: passwords, confirmations: confirmations,
            comment: "")
    }

    static func secret(_ text: String) throws -> SecretBytes {
        var bytes = Array(text.utf8)
        return try SecretBytes(movingFrom: &bytes)
    }

    /// Every file of the vault with its bytes.
    func files() throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            files[name] = try Data(contentsOf: folder.appending(path: name))
        }
        return files
    }

    /// A transfer on Westend 9122 by the demo seed's //westend, as a wallet sends it.
    static func transfer(specVersion: UInt32 = 9122, author: String? = nil) throws -> [UInt8] {
        let me = author ?? "3efeca331d646d8a2986374bb3bb8d6e9e3cfcdd7c45c2b69104fab5d61d3f34"
        let genesis = "e143f23803ac50e8f6f8e62695d1ce9e4e1d68aa36c1cd2cfd15340213f3423e"
        let bob = "8eaf04151687736326c9fea17e25fc5287613693c912909cb226aa4794f26a48"
        let version = (0..<4).map { UInt8(truncatingIfNeeded: specVersion >> (8 * $0)) }
        let hex =
            "530102\(me)a4040300\(bob)0700e8764817b501b800\(Hex.encode(version))07000000\(genesis)"
            + String(repeating: "53", count: 32) + genesis
        return Hex.decode(hex) ?? []
    }
}
