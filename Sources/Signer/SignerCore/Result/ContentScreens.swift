import SCALE
import Signer
import Substrate
import TextForms

/// The keys, one of which is to sign content for other vaults.
package struct SignContentData: Sendable, Encodable {
    /// A key that can sign.
    package struct Key: Sendable, Encodable {
        /// The seed's name.
        package var seed: String
        /// The address key in hex, by which actions name it.
        package var addressKey: String
        /// The public key in hex, from which its picture is drawn.
        package var publicKey: String
        /// The path without its password.
        package var path: String
        /// Whether a password belongs to it.
        package var hasPassword: Bool
        /// Whether its secret has left the vault, or follows from one that has.
        package var isExposed: Bool

        init(_ key: StoredKey, atRisk: Set<MultiSigner>) {
            seed = key.details.seedName
            addressKey = Hex.encode(key.signer.scaleEncoded)
            publicKey = Hex.encode(key.signer.publicKey)
            path = key.details.path
            hasPassword = key.details.hasPassword
            isExposed = key.details.secretExposed || atRisk.contains(key.signer)
        }
    }

    /// What is signed, in words.
    package var content: String
    /// What it is exactly, where nothing of it is in this vault.
    package var refused: RefusedContentData?
    /// Keys of the seed that are in this network.
    package var keys: [Key]
}

/// The signature of content.
package struct ContentReadyData: Sendable, Encodable {
    /// What was signed, in words.
    package var content: String
    /// Who signed it.
    package var author: SignContentData.Key
    /// The record with the signature.
    package var code: CodeData
}

extension CoreState.Content {
    /// In words.
    func text(in vault: Vault) throws -> String {
        switch self {
        case .specs(let key):
            let title = try vault.networks().first { $0.key == key }?.title
            return "the network \(title ?? key.genesisHash.hex)"
        case .metadata(let name, let version): return "the metadata \(name)\(version)"
        case .types: return "the types"
        case .refused(let content): return try RefusedContentData(content, vault: vault).text
        }
    }
}
