import SCALE
import Substrate
import TextForms

/// A stored address: where its key comes from and in which networks it is used. The row's key is the public key.
public struct AddressDetails: Hashable, Sendable {
    /// The name of the seed that the key comes of.
    public var seedName: String
    /// The path without its password.
    public var path: String
    /// Whether a password belongs to the path.
    public var hasPassword: Bool
    /// Networks in which this key is enabled; a seed's root, and a key whose secret left the vault, may have none.
    public var networks: [NetworkKey]
    /// How the key signs, which the path does not tell.
    public var scheme: SignatureScheme
    /// Whether the secret may have left the vault.
    public var secretExposed: Bool

    package init(
        seedName: String, path: String, hasPassword: Bool, networks: [NetworkKey], scheme: SignatureScheme,
        secretExposed: Bool
    ) {
        self.seedName = seedName
        self.path = path
        self.hasPassword = hasPassword
        self.networks = networks
        self.scheme = scheme
        self.secretExposed = secretExposed
    }

    /// Whether this is a key that a seed has without any derivation: each scheme makes one.
    public var isRoot: Bool { path.isEmpty && !hasPassword }

    /// Whether this is the root by which other programs know the seed: the sr25519 one, whatever networks are here.
    package var isSeedRoot: Bool { isRoot && scheme == .sr25519 }

    /// Whether the row is there for its mark alone: the key was removed after its secret had left the vault. It is in
    /// no list, signs nothing, and comes back marked where it is derived again.
    package var isForgotten: Bool { networks.isEmpty && secretExposed && !isSeedRoot }

    /// Whether the row stays when the key is in no network any more.
    var outlivesNetworks: Bool { isSeedRoot || secretExposed }

    /// Whether the row is that of its key at a path as it is spelt, in a network of a scheme: a key has one row, with
    /// one spelling. One secp256k1 key can serve ecdsa or Ethereum networks; a row is for one scheme.
    func isKept(at path: String, for scheme: SignatureScheme) -> Bool {
        self.path == path && (networks.isEmpty || self.scheme == scheme)
    }
}

extension AddressDetails: ScaleCodable {
    /// Reads the SCALE encoding.
    public init(from decoder: inout ScaleDecoder) throws(ScaleError) {
        seedName = try decoder.string()
        path = try decoder.string()
        hasPassword = try decoder.bool()
        networks = try decoder.sequence { (decoder) throws(ScaleError) in
            let range = try decoder.byteSequenceRange()
            var inner = ScaleDecoder(decoder.bytes, in: range)
            let key = try NetworkKey(from: &inner)
            try inner.finish()
            return key
        }
        scheme = try SignatureScheme(from: &decoder)
        secretExposed = try decoder.bool()
    }

    /// Appends the SCALE encoding.
    public func encode(to encoder: inout ScaleEncoder) {
        encoder.string(seedName)
        encoder.string(path)
        encoder.bool(hasPassword)
        encoder.sequence(networks) { $0.byteSequence($1.scaleEncoded) }
        encoder.value(scheme)
        encoder.bool(secretExposed)
    }
}

/// An address with its public key.
public struct StoredKey: Hashable, Sendable {
    /// The public key and its scheme, by which rows of keys are found.
    public var signer: MultiSigner
    /// Where the key comes from and where it is used.
    public var details: AddressDetails

    package init(signer: MultiSigner, details: AddressDetails) {
        self.signer = signer
        self.details = details
    }

    /// The address in the form of a network.
    public func address(in network: NetworkSpecs) -> AccountAddress {
        .of(signer, scheme: network.scheme, prefix: network.base58Prefix)
    }
}

extension AccountAddress {
    /// How a public key is shown: as SS58, or for Ethereum networks as `0x` and 40 digits; as the bare key in hex where
    /// the network's prefix cannot be written.
    static func of(_ signer: MultiSigner, scheme: SignatureScheme, prefix: UInt16) -> AccountAddress {
        let identicon = signer.identicon(for: scheme)
        if case .blockies(let text) = identicon { return AccountAddress(text: text, identicon: identicon) }
        let text = (try? signer.ss58(prefix: prefix)) ?? "0x" + Hex.encode(signer.publicKey)
        return AccountAddress(text: text, identicon: identicon)
    }
}

extension MultiSigner {
    /// What the picture of the key's account is drawn from: the account, which is all that an address says. The key's
    /// own pages, a destination, a contact and other wallets draw the same, also of an ecdsa key.
    func identicon(for scheme: SignatureScheme) -> IdenticonSource {
        if scheme == .ethereum, let address = ethereumAddress { return .blockies("0x" + Hex.encode(address)) }
        return .dots(accountID)
    }
}
