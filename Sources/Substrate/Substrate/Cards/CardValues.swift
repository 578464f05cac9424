/// What the picture beside a key or a blob is drawn from.
public enum IdenticonSource: Hashable, Sendable {
    /// The bytes of a public key or a hash.
    case dots([UInt8])
    /// An Ethereum address, `0x` and 40 hex digits.
    case blockies(String)
}

/// An account as people see it.
public struct AccountAddress: Hashable, Sendable {
    /// SS58 with the network's prefix, or `0x` and 40 lower-case hex digits.
    public var text: String
    /// What its picture is drawn from.
    public var identicon: IdenticonSource

    package init(text: String, identicon: IdenticonSource) {
        self.text = text
        self.identicon = identicon
    }
}

/// The stored key that a payload names as its author (`signer-wire` section 1.11).
public struct AuthorInfo: Hashable, Sendable {
    /// The address in the network's form.
    public var base58: String
    /// The key of the address in the database (`signer-wire` section 7.2).
    public var addressKey: [UInt8]
    /// The name of the seed that the key comes of.
    public var seedName: String
    /// The derivation path below the seed, without a password.
    public var path: String
    /// Whether a password belongs to the path.
    public var hasPassword: Bool
    /// Whether the secret key was shown outside the vault.
    public var secretExposed: Bool
    /// What its picture is drawn from.
    public var identicon: IdenticonSource

    package init(
        base58: String, addressKey: [UInt8], seedName: String, path: String, hasPassword: Bool, secretExposed: Bool,
        identicon: IdenticonSource
    ) {
        self.base58 = base58
        self.addressKey = addressKey
        self.seedName = seedName
        self.path = path
        self.hasPassword = hasPassword
        self.secretExposed = secretExposed
        self.identicon = identicon
    }
}

/// The key that signed an update.
public struct VerifierInfo: Hashable, Sendable {
    /// 32 bytes; 33 of a secp256k1 key, which is compressed.
    public var publicKey: [UInt8]
    /// What its picture is drawn from.
    public var identicon: IdenticonSource
    /// How the key signs, which its bytes do not tell.
    public var scheme: SignatureScheme

    package init(publicKey: [UInt8], identicon: IdenticonSource, scheme: SignatureScheme) {
        self.publicKey = publicKey
        self.identicon = identicon
        self.scheme = scheme
    }
}

/// A metadata blob on offer.
public struct MetadataInfo: Hashable, Sendable {
    /// The name of the runtime.
    public var specName: String
    /// The version as a decimal number.
    public var specVersion: String
    /// blake2_256 of the blob; also what its picture is drawn from.
    public var hash: Hash256

    package init(specName: String, specVersion: String, hash: Hash256) {
        self.specName = specName
        self.specVersion = specVersion
        self.hash = hash
    }
}

/// A types table on offer.
public struct TypesInfo: Hashable, Sendable {
    /// Whether the vault has them already.
    package var isOnFile: Bool
    /// blake2_256 of the table; also what its picture is drawn from.
    public var hash: Hash256?

    package init(isOnFile: Bool, hash: Hash256?) {
        self.isOnFile = isOnFile
        self.hash = hash
    }
}
