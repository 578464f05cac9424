import CSodium
import Foundation
import SCALE
import SecretMemory
import Substrate

@testable import Signer

/// A vault as the first versions made it: rows in the clear, seeds under a passphrase.
final class FirstKindVault {
    let folder: URL

    /// With the development phrase under the name `demo`.
    ///
    /// - Parameter bundle: nil takes that of the release.
    init(passphrase: SecretBytes, comment: String = "", bundle: NetworkBundle? = nil) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "casemate-first-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        let mnemonic = try Mnemonic(phrase: TestVault.secret(TestVault.phrase))
        let database = try ColdDatabase.create(at: folder.appending(path: "vault.sqlite").path)
        try database.write { trees in
            try trees.initialise(bundle ?? .shipped())
            try HistoryLog.append([.databaseInitiated, .userEntry(comment)], at: TestVault.time, to: trees)
            for network in try trees.networks().map(\.specs) {
                let pair = try Vault.derive(
                    mnemonic, path: Vault.path(network.pathID), password: nil, scheme: network.scheme)
                let events = try trees.enable(
                    pair.multiSigner, seed: "demo", path: network.pathID, hasPassword: false, in: network)
                try HistoryLog.append(events, at: TestVault.time, to: trees)
            }
        }
        try FirstSchema.turn(database)
        try Self.sealed([SeedList.NamedSeed(name: "demo", mnemonic: mnemonic)], passphrase)
            .write(to: folder.appending(path: "seeds.sealed"))
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: folder.appending(path: "seeds.sealed").path)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The file of seeds, with the least cost that it may have.
    private static func sealed(_ entries: [SeedList.NamedSeed], _ passphrase: SecretBytes) throws -> Data {
        let salt = random(SealingKeys.saltByteCount)
        let nonce = random(PassphraseSeedFile.nonceByteCount)
        let cost = PasswordHashCost(passes: 1, memory: 1 << 20)
        var header = ScaleEncoder()
        header.raw(PassphraseSeedFile.magic)
        header.integer(cost.passes)
        header.integer(cost.memory)
        header.raw(salt)
        let keys = try SealingKeys(credential: passphrase, salt: salt, cost: cost)
        let commitment = keys.commitment(to: header.bytes)
        header.raw(nonce)
        header.raw(commitment)
        let plain = try SeedList(entries: entries).sealedForm()
        var sealed = [UInt8](repeating: 0, count: plain.count + PassphraseSeedFile.tagByteCount)
        plain.withUnsafeBytes { plain in
            keys.withKey { key in
                _ = crypto_aead_xchacha20poly1305_ietf_encrypt(
                    &sealed, nil, plain.asBytes, UInt64(plain.count), header.bytes, UInt64(header.bytes.count), nil,
                    nonce, key.asBytes)
            }
        }
        return Data(header.bytes + sealed)
    }

    private static func random(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        randombytes_buf(&bytes, count)
        return bytes
    }
}
