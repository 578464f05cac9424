import BasicFoundation
import MainKey
import Substrate

/// What a bulk costs in a vault with many keys, for measuring.
@_spi(Benchmarks)
public enum BulkBenchmark {
    private static let unlocking = Unlocking { _ in throw SignerError.vaultKey(.locked) }

    /// Makes a vault that asks for nothing, with so many made-up keys and the given one, all of Westend.
    ///
    /// - Parameter signer: a public key of sr25519, 32 bytes.
    public static func make(in folder: URL, keyCount: Int, signer: [UInt8]) throws {
        try Vault.create(in: folder, protections: [.none], options: VaultOptions(), bundle: .shipped())
        let vault = try Vault.open(folder, unlocking: unlocking)
        let networks = try vault.networks().filter { $0.name == "westend" }.map(\.key)
        try vault.database.write { trees in
            for number in 0...keyCount {
                let name = withUnsafeBytes(of: UInt64(number).littleEndian) { Array($0) }
                let key = number == keyCount ? signer : name + [UInt8](repeating: 1, count: 24)
                try trees.put(
                    StoredKey(
                        signer: .sr25519(key),
                        details: AddressDetails(
                            seedName: "bench", path: "//\(number)", hasPassword: false, networks: networks,
                            scheme: .sr25519, secretExposed: false)))
            }
        }
    }

    /// Opens the vault and reads a payload for a decision, as `casemate sign` does.
    ///
    /// - Returns: how many signatures the payload asks for.
    public static func propose(_ payload: [UInt8], in folder: URL) throws -> Int {
        try Vault.open(folder, unlocking: unlocking).propose(payload).answer.requests.count
    }
}
