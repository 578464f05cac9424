/// The derived keys of one seed that an import would add (`signer-wire` section 1.8).
public struct DerivationsPreview: Hashable, Sendable {
    /// The signer's own name for the seed.
    public var name: String
    public var root: MultiSigner
    public var keys: [Key]

    package init(name: String, root: MultiSigner, keys: [Key]) {
        self.name = name
        self.root = root
        self.keys = keys
    }

    public struct Key: Hashable, Sendable {
        public var address: AccountAddress
        public var path: String?
        public var scheme: SignatureScheme
        public var genesisHash: Hash256
        /// Whether the path says so; nil where it does not, because the path has not been derived yet.
        public var hasPassword: Bool?
        /// nil for a network that is not stored.
        public var networkTitle: String?
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

    public enum Status: Hashable, Sendable {
        case alreadyExists
        case importable
        /// The faults in the order in which they are checked; not empty.
        case invalid([Fault])
    }

    public enum Fault: String, Hashable, Sendable {
        case badFormat = "bad_format"
        case networkMissing = "network_missing"
        case keySetMissing = "key_set_missing"
    }
}
