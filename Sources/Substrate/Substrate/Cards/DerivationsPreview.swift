/// The derived keys of one seed that an import would add (`signer-wire` section 1.8).
public struct DerivationsPreview: Hashable, Sendable {
    /// The signer's own name for the seed.
    public var name: String
    /// The key of the seed itself.
    public var root: MultiSigner
    /// The keys derived from it.
    public var keys: [Key]

    package init(name: String, root: MultiSigner, keys: [Key]) {
        self.name = name
        self.root = root
        self.keys = keys
    }

    /// A key that would be made, by account and path.
    public struct Key: Hashable, Sendable {
        /// The account in its network.
        public var address: AccountAddress
        /// The derivation path; nil for the seed's own key.
        public var path: String?
        /// How the key signs, which the path does not tell.
        public var scheme: SignatureScheme
        /// The genesis of its network.
        public var genesisHash: Hash256
        /// Whether the path says so; nil where it does not, because the path has not been derived yet.
        public var hasPassword: Bool?
        /// nil for a network that is not stored.
        public var networkTitle: String?
        /// Whether it can be imported.
        public var status: Status

        package init(
            address: AccountAddress, path: String?, scheme: SignatureScheme, genesisHash: Hash256, hasPassword: Bool?,
            networkTitle: String?, status: Status
        ) {
            self.address = address
            self.path = path
            self.scheme = scheme
            self.genesisHash = genesisHash
            self.hasPassword = hasPassword
            self.networkTitle = networkTitle
            self.status = status
        }
    }

    /// What an import would do with a key.
    public enum Status: Hashable, Sendable {
        /// The vault has it.
        case alreadyExists
        /// It would be added.
        case importable
        /// The faults in the order in which they are checked; not empty.
        case invalid([Fault])
    }

    /// Why a key cannot be imported.
    public enum Fault: String, Hashable, Sendable {
        /// The path is malformed.
        case badFormat = "bad_format"
        /// The vault does not have its network.
        case networkMissing = "network_missing"
        /// The vault does not have its seed.
        case keySetMissing = "key_set_missing"
    }
}
