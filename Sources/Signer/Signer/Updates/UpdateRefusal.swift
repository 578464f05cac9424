import Substrate
import TextForms

/// Why an update is refused. Nothing was written.
///
/// Source: `signer-product` section 9.
public enum UpdateRefusal: Error, Equatable, Sendable {
    /// What an update has in it, for messages.
    public enum Subject: String, Sendable {
        /// A network, or metadata of one.
        case network
        /// The types of old networks.
        case types
    }

    // Any update of a network
    /// The network was blocked.
    case networkBlocked(genesis: Hash256)
    /// The network's own verifier is the general one, which the vault never writes.
    case customVerifierIsGeneral(genesis: Hash256)
    /// The network has records and no verifier, which the vault never writes.
    case unexpectedGenesisHash(Hash256)
    /// The network takes only what its own verifier signed; nobody signed this.
    case needVerifier(name: String, MultiSigner)
    /// Only what the general verifier signed is taken; nobody signed this.
    case needGeneralVerifier(Subject, MultiSigner)
    /// Only what the general verifier signed is taken; somebody else signed this.
    case generalVerifierChanged(Subject, known: MultiSigner, signer: MultiSigner)
    // Networks
    /// The network's record cannot be one.
    case specsMalformed(SpecsFault)
    /// The network is here just so.
    case specsKnown(name: String, SignatureScheme)
    /// What addresses, amounts and signatures depend on differs from what is here.
    case importantSpecsChanged(name: String)
    /// The network has another name here.
    case specsDifferentName(known: String, given: String)
    /// The network's addresses have another prefix here.
    case specsDifferentPrefix(known: UInt16, given: UInt16)
    /// Another network, with this genesis, has the name by which metadata are kept.
    case networkNameTaken(name: String, genesis: Hash256)
    /// A person could take the network for one with another genesis, by title or name.
    case networkLookalike(title: String, other: String, genesis: Hash256)
    /// Somebody else than the network's verifier signed.
    case specsVerifierChanged(name: String, known: MultiSigner, signer: MultiSigner)
    /// The vault is full of networks.
    case tooManyNetworks(limit: Int)
    // Metadata
    /// The metadata cannot be used.
    case metadataBroken(MetadataError)
    /// Nothing is known of the network that the metadata are said to be of.
    case metadataUnknownNetwork(name: String)
    /// The network that the metadata are said to be of was removed.
    case metadataNoSpecs(name: String, follows: MultiSigner?)
    /// The metadata are of a network of another name.
    case metadataWrongName(stated: String, known: String)
    /// The metadata are of a network whose addresses have another prefix.
    case metadataPrefixDiffers(stated: UInt16, known: UInt16)
    /// The network follows nobody yet, and metadata set no verifier.
    case metadataSetsVerifier(name: String, MultiSigner)
    /// Somebody else than the network's verifier signed.
    case metadataVerifierChanged(name: String, known: MultiSigner, signer: MultiSigner)
    /// There is no general verifier yet, and metadata set none.
    case metadataSetsGeneralVerifier(name: String, MultiSigner)
    /// Somebody else than the general verifier signed.
    case metadataGeneralVerifierChanged(name: String, known: MultiSigner, signer: MultiSigner)
    /// The metadata are here already.
    case metadataKnown(name: String, version: UInt32)
    /// Other metadata of this name and version are here.
    case metadataDiffer(name: String, version: UInt32)
    // Types
    /// The table of types cannot be one.
    case typesMalformed(TypesFault)
    /// The types are here already.
    case typesKnown

    /// The name by which tables, programs and tests call it.
    public var code: String {
        switch self {
        case .networkBlocked: "NetworkBlocked"
        case .customVerifierIsGeneral: "DatabaseDamaged.CustomVerifierIsGeneral"
        case .unexpectedGenesisHash: "DatabaseDamaged.UnexpectedGenesisHash"
        case .needVerifier: "NeedVerifier"
        case .needGeneralVerifier(let subject, _): "NeedGeneralVerifier(\(subject.rawValue))"
        case .generalVerifierChanged(let subject, _, _): "GeneralVerifierChanged(\(subject.rawValue))"
        case .specsMalformed: "SpecsMalformed"
        case .specsKnown: "SpecsKnown"
        case .importantSpecsChanged: "ImportantSpecsChanged"
        case .specsDifferentName: "AddSpecsDifferentName"
        case .specsDifferentPrefix: "AddSpecsDifferentBase58"
        case .networkNameTaken: "NetworkNameTaken"
        case .networkLookalike: "NetworkLookalike"
        case .specsVerifierChanged: "AddSpecsVerifierChanged"
        case .tooManyNetworks: "TooManyNetworks"
        case .metadataBroken(let error): error.code
        case .metadataUnknownNetwork: "LoadMetaUnknownNetwork"
        case .metadataNoSpecs: "LoadMetaNoSpecs"
        case .metadataWrongName: "LoadMetaWrongGenesisHash"
        case .metadataPrefixDiffers: "Base58PrefixSpecsMismatch"
        case .metadataSetsVerifier: "LoadMetaSetVerifier"
        case .metadataVerifierChanged: "LoadMetaVerifierChanged"
        case .metadataSetsGeneralVerifier: "LoadMetaSetGeneralVerifier"
        case .metadataGeneralVerifierChanged: "LoadMetaGeneralVerifierChanged"
        case .metadataKnown: "MetadataKnown"
        case .metadataDiffer: "SameNameVersionDifferentMeta"
        case .typesMalformed: "TypesMalformed"
        case .typesKnown: "TypesKnown"
        }
    }
}

extension UpdateRefusal: CustomStringConvertible {
    /// What happened, and what can be done. Names in it are as they came: ``ScreenText`` escapes them.
    public var description: String {
        switch self {
        case .networkBlocked(let genesis):
            "The network with genesis \(genesis.hex) is blocked in this vault."
        case .customVerifierIsGeneral(let genesis):
            "What is stored of the network with genesis \(genesis.hex) contradicts itself: its own verifier is the general one."
        case .unexpectedGenesisHash(let genesis):
            "What is stored of the network with genesis \(genesis.hex) contradicts itself: it has records and no verifier."
        case .needVerifier(let name, let known):
            "\(name) takes only what its verifier \(Self.text(known)) signed, and nobody signed this."
        case .needGeneralVerifier(let subject, let known):
            "\(subject.title) only what the general verifier \(Self.text(known)) signed, and nobody signed this. Get it from "
                + "whoever holds that key. A vault that follows nobody takes it by your word."
        case .generalVerifierChanged(let subject, let known, let signer):
            "\(subject.title) only what the general verifier \(Self.text(known)) signed; \(Self.text(signer)) signed this."
        case .specsMalformed(let fault): "The record of the network cannot be one: \(fault)."
        case .specsKnown(let name, let scheme): "\(name) with \(scheme.name) keys is in this vault just so already."
        case .importantSpecsChanged(let name):
            "The record of \(name) differs from the stored one in what addresses, amounts or signatures depend on (prefix, decimals, "
                + "unit). That never changes in a network that lives. If you trust this one more, remove the stored one first."
        case .specsDifferentName(let known, let given):
            "A network with this genesis is stored as \(known); the update calls it \(given)."
        case .specsDifferentPrefix(let known, let given):
            "The addresses of this network have prefix \(known) here; the update says \(given)."
        case .networkNameTaken(let name, let genesis):
            "Another network is called \(name) here, with genesis \(genesis.hex): it would take the metadata of this one "
                + "for its own. Where this one takes its place, remove it first."
        case .specsVerifierChanged(let name, let known, let signer),
            .metadataVerifierChanged(let name, let known, let signer):
            "\(name) takes only what its verifier \(Self.text(known)) signed; \(Self.text(signer)) signed this."
        case .networkLookalike(let title, let other, let genesis):
            "\(title) looks like \(other), which is here with genesis \(genesis.hex), by title or name: one would be "
                + "taken for the other. Where this one takes its place, remove it first."
        case .tooManyNetworks(let limit): "A vault holds \(limit) networks at the most. Remove one first."
        case .metadataBroken(let error): "The metadata cannot be used: \(error)"
        case .metadataUnknownNetwork(let name):
            "Nothing is known of \(name) here. Add the network first, then its metadata."
        case .metadataNoSpecs(let name, let known):
            "\(name) was removed from this vault. Add the network again first, then its metadata"
                + (known.map { "; it follows \(Self.text($0))." } ?? ".")
        case .metadataWrongName(let stated, let known):
            "The metadata are of \(stated), the network that they are sent for is \(known)."
        case .metadataPrefixDiffers(let stated, let known):
            "The metadata state address prefix \(stated), the network has \(known)."
        case .metadataSetsVerifier(let name, let signer):
            "\(Self.text(signer)) signed the metadata of \(name), whose record nobody signed. Add the network once more, signed by that key; "
                + "then its metadata are taken."
        case .metadataSetsGeneralVerifier(let name, let signer):
            "\(Self.text(signer)) signed the metadata of \(name), and there is no general verifier yet. Add the network once more, signed by "
                + "that key; then its metadata are taken."
        case .metadataGeneralVerifierChanged(let name, let known, let signer):
            "\(name) takes only what the general verifier \(Self.text(known)) signed; \(Self.text(signer)) signed this."
        case .metadataKnown(let name, let version): "The metadata \(name)\(version) are in this vault already."
        case .metadataDiffer(let name, let version):
            "Other metadata are in this vault as \(name)\(version). One of the two is wrong: find out which, and remove that one if it is here."
        case .typesMalformed(let fault): "The types cannot be taken: \(fault)."
        case .typesKnown: "These types are in this vault already."
        }
    }

    private static func text(_ key: MultiSigner) -> String { "\(key.scheme.name) \(Hex.encode(key.publicKey))" }
}

extension UpdateRefusal.Subject {
    fileprivate var title: String {
        switch self {
        case .network: "This network takes"
        case .types: "Of types, this vault takes"
        }
    }
}
