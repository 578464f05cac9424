/// What a derived key or authenticated content is for: the list of `mainkey` section 4, `tpm/indices` and `wipe`. One
/// key, one purpose.
struct KeyLabel: Sendable, Hashable {
    private let name: String

    private init(_ name: String) {
        self.name = name
    }

    /// The name in ASCII with a zero byte behind it.
    var bytes: [UInt8] { Array(name.utf8) + [0] }

    static let slotEncryption = KeyLabel("mainkey/v1/slot/enc")
    static let slotCommitment = KeyLabel("mainkey/v1/slot/commit")
    static let hardwareAuthorisation = KeyLabel("mainkey/v1/slot/hw-auth")
    static let keyID = KeyLabel("mainkey/v1/keyfile/key-id")
    static let fileCode = KeyLabel("mainkey/v1/keyfile/mac")
    static let epochWrapping = KeyLabel("mainkey/v1/epoch/wrap")
    static let counterAuthorisation = KeyLabel("mainkey/v1/tpm/counter-auth")
    static let indexJournal = KeyLabel("mainkey/v1/tpm/indices")
    static let wipe = KeyLabel("mainkey/v1/wipe")
    static let fileKey = KeyLabel("mainkey/v1/file/key")
    static let fileCommitment = KeyLabel("mainkey/v1/file/commit")

    static func subkey(_ purpose: String) -> KeyLabel { KeyLabel("mainkey/v1/sub/\(purpose)") }

    // Prefixes of authenticated data.
    static let slot = KeyLabel("mainkey/v1/slot")
    static let epoch = KeyLabel("mainkey/v1/epoch")
    static let session = KeyLabel("mainkey/v1/session")
    static let sealedValue = KeyLabel("mainkey/v1/sealed")
}
