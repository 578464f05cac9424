import SecretMemory

/// The file of a sealed secret.
///
/// `CMSS` ‖ version 1 ‖ kind (0 software, 1 TPM, 2 Secure Enclave) ‖ length of the tag (2) ‖ tag ‖ salt (32) ‖ length
/// (2) ‖ stored key ‖ nonce (12) ‖ AES-256-GCM of the secret (its length + 16). All before the ciphertext is
/// authenticated with it.
///
/// The stored key is empty for software, a ``TPMSealedBlob`` for the TPM and an ``EnclaveBlob`` for the Secure Enclave.
/// The key that encrypts is HKDF-SHA-256 of what they release, or of the machine's identity, with the salt and
/// `casemate/sealed-secret/v1` ‖ 0 ‖ tag.
struct SealedSecretFile {
    let kind: KeyKind
    let storedKey: [UInt8]
    private let tag: KeyTag
    private let salt, nonce, clear, sealed: [UInt8]

    private static let head: [UInt8] = Array("CMSS".utf8) + [1]
    private static let label = Array("casemate/sealed-secret/v1\0".utf8)
    private static let saltCount = 32
    private static let nonceCount = 12
    private static let storedKeyLimit = 2048

    /// Derives the encrypting key from the salt and from what it is for.
    typealias KeyDerivation = (_ salt: [UInt8], _ info: [UInt8]) throws(HardwareKeyError) -> SecretBytes

    static func seal(
        _ secret: SecretBytes, kind: KeyKind, storedKey: [UInt8], tag: KeyTag, _ key: KeyDerivation
    ) throws(HardwareKeyError) -> [UInt8] {
        let salt = KernelRandom.bytes(saltCount)
        let nonce = KernelRandom.bytes(nonceCount)
        var clear = head + [kind.code] + tag.field + salt
        clear.append(sized: storedKey)
        clear += nonce
        return clear
            + (try SealedBytes.seal(secret, key: key(salt, info(tag)), nonce: nonce, authenticating: clear))
    }

    /// - Throws: ``HardwareKeyError``: `malformed`; `cannotUnseal` for the file of another tag.
    init(parsing file: SecretBytes, tag: KeyTag) throws(HardwareKeyError) {
        self = try ByteReader.read(file, as: .sealedSecretFile) { (reader) throws(HardwareKeyError) in
            try SealedSecretFile(from: &reader, tag: tag)
        }
    }

    private init(from reader: inout ByteReader, tag: KeyTag) throws(HardwareKeyError) {
        try reader.expect(Self.head, "CMSS, version 1")
        let code = try reader.integer(UInt8.self)
        guard let kind = KeyKind.allCases.first(where: { $0.code == code }) else {
            throw reader.malformed("kind 0, 1 or 2 expected")
        }
        let stored = try reader.sized(limit: 100)
        salt = try reader.take(Self.saltCount)
        storedKey = try reader.sized(limit: Self.storedKeyLimit)
        guard storedKey.isEmpty != kind.isHardware else { throw reader.malformed("the stored key is of another kind") }
        nonce = try reader.take(Self.nonceCount)
        clear = Array(reader.before)
        guard reader.left >= SealedBytes.tagCount else { throw reader.malformed("the ciphertext is cut off") }
        sealed = try reader.take(reader.left)
        guard stored == Array(tag.text.utf8) else { throw .cannotUnseal(tag: tag.text) }
        self.kind = kind
        self.tag = tag
    }

    /// - Throws: ``HardwareKeyError/cannotUnseal(tag:)``
    func open(_ key: KeyDerivation) throws(HardwareKeyError) -> SecretBytes {
        try SealedBytes.open(
            sealed, key: key(salt, Self.info(tag)), nonce: nonce, authenticating: clear, tag: tag)
    }

    private static func info(_ tag: KeyTag) -> [UInt8] { label + Array(tag.text.utf8) }
}

extension KeyKind {
    /// The kind in the file.
    fileprivate var code: UInt8 {
        switch self {
        case .software: 0
        case .tpm2: 1
        case .secureEnclave: 2
        }
    }
}
