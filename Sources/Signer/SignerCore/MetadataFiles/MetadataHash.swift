import Signer
import Substrate

/// The metadata hash that a chain checks, and what it is made of (RFC-0078).
package struct MetadataHash: Sendable, Encodable {
    /// What the hash says beside the types.
    package struct Token: Sendable, Encodable {
        /// The name of the runtime.
        package var specName: String
        /// The version of that runtime: another one has another hash.
        package var specVersion: UInt32
        /// The prefix of addresses.
        package var prefix: UInt16
        /// Decimal places of the token.
        package var decimals: UInt8
        /// The token's symbol.
        package var unit: String

        /// Takes it from what goes into a hash.
        package init(_ info: MetadataExtraInfo) {
            specName = info.specName
            specVersion = info.specVersion
            prefix = info.base58Prefix
            decimals = info.decimals
            unit = info.tokenSymbol
        }
    }

    /// The hash in hex.
    package var hash: String
    /// The root of the tree of types in hex.
    package var typesTreeRoot: String
    /// The hash of what describes the extrinsic, in hex.
    package var extrinsicMetadataHash: String
    /// Leaves of the tree.
    package var leaves: Int
    /// The version of the metadata's own form.
    package var formatVersion: UInt8
    /// What it says beside the types.
    package var extraInfo: Token

    /// Computes it of metadata.
    package init(_ metadata: RuntimeMetadata, _ tree: MerkleizedMetadata, extraInfo: MetadataExtraInfo) {
        let digest = tree.digest(extraInfo)
        hash = digest.hash.hex
        typesTreeRoot = digest.typesTreeRoot.hex
        extrinsicMetadataHash = digest.extrinsicMetadataHash.hex
        leaves = tree.leafCount
        formatVersion = metadata.formatVersion
        self.extraInfo = Token(extraInfo)
    }

    /// Whether the chain's own hash may be another one: chains compute it of version 15, and 14 may number its types
    /// otherwise.
    package var isDoubtful: Bool { formatVersion == 14 }
    /// What to say then.
    package static let doubt =
        "these are metadata 14; the chain's own hash comes from 15 and may be another"
}

/// What a person says of a token, where the network's own record is not to be taken.
package struct TokenOverride: Sendable {
    /// Decimal places.
    package var decimals: UInt8?
    /// The symbol of the token; nil takes that of the record.
    package var unit: String?
    /// The prefix of addresses.
    package var prefix: UInt16?

    package init(decimals: UInt8? = nil, unit: String? = nil, prefix: UInt16? = nil) {
        (self.decimals, self.unit, self.prefix) = (decimals, unit, prefix)
    }
}

extension Vault {
    /// What a metadata hash says beside the types: as a person says, or from the record of the network with the
    /// metadata's name.
    ///
    /// - Returns: nil where neither tells the token.
    package func extraInfo(of metadata: RuntimeMetadata, _ token: TokenOverride) throws -> MetadataExtraInfo? {
        let known = try networks().first { $0.name == metadata.specName }
        guard let decimals = token.decimals ?? known?.decimals, let unit = token.unit ?? known?.unit,
            let prefix = token.prefix ?? metadata.base58Prefix ?? known?.base58Prefix
        else { return nil }
        return MetadataExtraInfo(
            specVersion: metadata.specVersion, specName: metadata.specName, base58Prefix: prefix, decimals: decimals,
            tokenSymbol: unit)
    }
}
