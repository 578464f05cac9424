import Airgap
import Substrate
import TextForms

/// Why a payload is refused as a whole: nothing of it can be shown. Codes are those of `signer-wire` section 11.
public enum RefusedPayload: Error, Equatable, Sendable {
    /// The payload is malformed.
    case payload(PayloadError)
    /// The vault has no key of the author.
    case addrNotFound(address: String)
    /// The vault does not have the network.
    case unknownNetwork(genesis: Hash256, scheme: SignatureScheme)
    /// The vault has no metadata of the network.
    case noMetadata(network: String)
    /// Another network, with this genesis, has the name by which metadata are kept: whose they are cannot be told.
    case networkNameTaken(name: String, genesis: Hash256)
    /// The payload holds the genesis of another network, where the general verifier does not vouch for its own.
    case foreignGenesis(network: String, other: String, genesis: Hash256)
    /// Call and extensions cannot be told apart.
    case separateMethodExtensions
    /// The extensions fit no metadata that the vault has.
    case allExtensionsParsingFailed(network: String, attempts: [Attempt])
    /// The message is not in the form that may be signed.
    case invalidMessagePayload
    /// Metadata that the vault has cannot be used.
    case metadata(network: String, version: UInt32, MetadataError)
    /// No seed has this root, or the one that has it is locked.
    case noSeedFound(root: MultiSigner, seed: String?)
    /// The scheme has no key at the path.
    case invalidDerivation(path: DerivationPath, KeyError)
    /// The path is in another form of Unicode than the composed one: it looks like the path of another key.
    case pathNotComposed(path: DerivationPath)
    /// The network that keys are to be imported into is not in this vault.
    case networkForImport(genesis: Hash256, scheme: SignatureScheme)
    /// A path of an import, from 0, gives no key.
    case importPathMalformed(index: Int, path: String)
    /// A path of an import, from 0, has a password, which nobody has confirmed.
    case importPasswordNotAllowed(index: Int, path: String)
    /// The update is not taken.
    case update(UpdateRefusal)
    /// The metadata are compressed, and nothing here expands them.
    case metadataNotExpanded
    /// The compressed metadata are not what they say.
    case packedMetadataDamaged(reason: String)
    /// The member at `position`, from 0, of several transactions.
    indirect case bulkMember(position: Int, RefusedPayload)

    /// Why one of the stored versions does not fit.
    public struct Attempt: Equatable, Sendable {
        /// The version of the metadata that was tried.
        public var version: UInt32
        /// Why it did not fit.
        public var error: DecodingError
    }

    /// The name by which programs tell the cases apart.
    public var code: String {
        switch self {
        case .payload(let error): error.code
        case .addrNotFound: "AddrNotFound"
        case .unknownNetwork: "UnknownNetwork"
        case .noMetadata: "NoMetadata"
        case .networkNameTaken: "NetworkNameTaken"
        case .foreignGenesis: "ForeignGenesis"
        case .separateMethodExtensions: "SeparateMethodExtensions"
        case .allExtensionsParsingFailed: "AllExtensionsParsingFailed"
        case .invalidMessagePayload: "InvalidMessagePayload"
        case .metadata(_, _, let error): error.code
        case .noSeedFound: "NoSeedFound"
        case .invalidDerivation, .pathNotComposed: "InvalidDerivation"
        case .networkForImport: "NetworkForDerivationsImport"
        case .importPathMalformed: "InvalidDerivation"
        case .importPasswordNotAllowed: "ImportPasswordNotAllowed"
        case .update(let refusal): refusal.code
        case .metadataNotExpanded: "MetadataNotExpanded"
        case .packedMetadataDamaged: "PackedMetadataDamaged"
        case .bulkMember(_, let refused): refused.code
        }
    }
}

extension RefusedPayload: CustomStringConvertible {
    /// What happened, in plain words.
    public var description: String {
        switch self {
        case .payload(let error): "\(error)"
        case .addrNotFound(let address): "The author \(address) is not in this vault."
        case .unknownNetwork(let genesis, let scheme):
            "The payload is for a network that is not in this vault: genesis \(genesis.hex), \(scheme.name)."
        case .noMetadata(let network):
            "There is no metadata for \(network) in this vault, so its transactions cannot be shown."
        case .networkNameTaken(let name, let genesis):
            "Another network, with genesis \(genesis.hex), is called \(name) too, so that whose metadata are here cannot "
                + "be told. Remove the one that you do not trust, with the metadata of both, and load those of the other "
                + "anew."
        case .foreignGenesis(let network, let other, let genesis):
            "The payload says that it is for \(network), and holds the genesis of \(other), \(genesis.hex): signed, it "
                + "may be a transaction of \(other), whatever the metadata of \(network) make of it. Only a network that "
                + "the general verifier vouches for may do that."
        case .separateMethodExtensions:
            "The length of the call is wrong, so the payload cannot be taken apart. Scan the whole code again."
        case .allExtensionsParsingFailed(let network, let attempts): Self.explain(network, attempts)
        case .invalidMessagePayload:
            "Only text between <Bytes> and </Bytes> is signed as a message: anything else could be a transaction in disguise."
        case .metadata(let network, let version, let error):
            "The stored metadata \(network)\(version) cannot be used: \(error)"
        case .noSeedFound(let root, nil):
            "The payload is for a key of a seed that is not in this vault: its root is \(Hex.encode(root.publicKey))."
        case .noSeedFound(_, let seed?):
            "The payload is for a key that is derived from the seed \(seed), which takes the vault's PIN or passphrase."
        case .invalidDerivation(let path, let error):
            "The payload is for a key at \(Self.shown(path)), which there is none of: \(error)"
        case .pathNotComposed(let path):
            "The payload is for a key at \(Self.shown(path)), whose letters have their marks apart (Unicode NFD): it looks like another key's path. "
                + "Have the wallet write it composed (NFC)."
        case .networkForImport(let genesis, let scheme):
            "The keys are for a network that is not in this vault: genesis \(genesis.hex), \(scheme.name). Add the network first."
        case .importPathMalformed(let index, let path):
            "Path \(index + 1), \(Self.shown(path)), gives no key, so none of the others is made either."
        case .importPasswordNotAllowed(let index, let path):
            "Path \(index + 1), \(Self.shown(path)), has a password. A password comes from you alone: derive this key yourself."
        case .update(let refusal): "\(refusal)"
        case .metadataNotExpanded:
            "The metadata are compressed, and nothing here expands them where that does no harm. Read them as an update, or "
                + "have them sent uncompressed."
        case .packedMetadataDamaged(let reason):
            "The compressed metadata cannot be expanded: \(reason). Have them sent again, or uncompressed."
        case .bulkMember(let position, let refused): "Transaction \(position + 1) of the bulk: \(refused)"
        }
    }

    private static func shown(_ path: some CustomStringConvertible) -> String {
        ForeignName.shown("\(path)", as: .title)
    }

    /// Explains why no stored version fits. Where the version is the only trouble, it also tells which one is needed,
    /// which are held, and what has to be renewed.
    private static func explain(_ network: String, _ attempts: [Attempt]) -> String {
        let needed = attempts.compactMap { attempt -> UInt128? in
            if case .wrongNetworkVersion(let decoded, _) = attempt.error { decoded } else { nil }
        }
        let held = attempts.map { String($0.version) }.joined(separator: ", ")
        if let wanted = needed.first, needed.count == attempts.count, let newest = attempts.map(\.version).max() {
            let advice =
                wanted > newest
                ? "Get metadata for version \(wanted) first."
                : "Reload the wallet's page, so that it makes the transaction for the present version."
            return "This transaction is for version \(wanted) of \(network); held here: \(held). \(advice)"
        }
        let reasons = attempts.map { "version \($0.version): \($0.error)" }.joined(separator: " ")
        return "The end of the transaction fits none of the stored versions of \(network). \(reasons)"
    }
}
