import Crypto
import Foundation
import Logging
import SecretMemory

/// Small secrets of a program, by tag, that open on this machine only.
///
/// A secret is encrypted under a key that the TPM releases on this machine to whoever reads the file; where the policy allows it
/// and there is no TPM, under one of this installation and user. A PIN is not asked for: for that there is a MainKey.
///
/// File: `CMSS` ‖ version 1 ‖ kind (0 software, 1 TPM) ‖ length of the tag (2) ‖ tag ‖ salt (32) ‖ length (2) ‖ sealed key (empty
/// for software) ‖ nonce (12) ‖ AES-256-GCM of the secret. All before the ciphertext is authenticated with it.
public struct SealedSecrets: Sendable {
    private let directory: StateDirectory
    private let tpm: TPMAddress?
    private let policy: KeyPolicy
    private let machine: @Sendable () throws(HardwareKeyError) -> MachineIdentity
    private let logger: Logger

    /// Bytes that a secret may have.
    public static let limit = 16 * 1024

    private static let head: [UInt8] = Array("CMSS".utf8) + [1]
    private static let label = Array("casemate/sealed-secret/v1\0".utf8)
    private static let saltCount = 32
    private static let nonceCount = 12

    /// - Parameter tpm: where the TPM is; nil for none.
    public init(
        in directory: StateDirectory, tpm: TPMAddress?, policy: KeyPolicy, logger: Logger,
        machine: @escaping @Sendable () throws(HardwareKeyError) -> MachineIdentity = MachineIdentity.current
    ) {
        self.directory = directory
        self.tpm = tpm
        self.policy = policy
        self.logger = logger
        self.machine = machine
    }

    /// Stores a secret, in place of the one of the same tag.
    ///
    /// - Throws: ``HardwareKeyError``: `hardwareRequired`; `downgrade` where the stored secret is sealed by a TPM that does not
    ///   answer now.
    public func seal(_ secret: SecretBytes, tag text: String) throws(HardwareKeyError) {
        let tag = try KeyTag(text)
        guard secret.count <= Self.limit else { throw .invalidArgument("a secret has at most \(Self.limit) bytes") }
        try directory.exclusively { () throws(HardwareKeyError) in
            let (kind, sealedKey, material) = try makeKey(tag)
            let salt = random(Self.saltCount)
            let nonce = random(Self.nonceCount)
            var clear = Self.head + [kind == .tpm2 ? 1 : 0] + tag.field + salt
            clear.append(sized: sealedKey)
            clear += nonce
            let key = try key(material, salt: salt, tag: tag)
            let sealed = try SealedBytes.seal(secret, key: key, nonce: nonce, authenticating: clear)
            try directory.write(tag.sealedName, SecretBytes.joining([.plain(clear + sealed)]))
            if kind == .software { logger.warning("\(kind.announcement)", metadata: ["tag": "\(text)"]) }
        }
    }

    /// - Throws: ``HardwareKeyError``: `keyNotFound`, `cannotUnseal`, `malformed`, `unavailable`, `hardwareRequired`.
    public func open(tag text: String) throws(HardwareKeyError) -> SecretBytes {
        let tag = try KeyTag(text)
        guard let file = try directory.read(tag.sealedName) else { throw .keyNotFound(tag: text) }
        let parts = try Parts(file)
        guard parts.tag == Array(text.utf8) else { throw .cannotUnseal(tag: text) }
        guard parts.kind == .tpm2 || !policy.requireHardware else { throw .hardwareRequired(.softwareKey) }
        let material = parts.kind == .tpm2 ? try release(parts.sealedKey) : nil
        return try SealedBytes.open(
            parts.sealed, key: key(material, salt: parts.salt, tag: tag), nonce: parts.nonce,
            authenticating: parts.clear,
            tag: tag)
    }

    /// Removes a secret; one that is missing is no error.
    public func remove(tag text: String) throws(HardwareKeyError) {
        let tag = try KeyTag(text)
        try directory.remove(tag.sealedName)
    }
}

extension SealedSecrets {
    /// The fields of a file.
    private struct Parts {
        let kind: KeyKind
        let tag, salt, sealedKey, nonce, clear, sealed: [UInt8]

        init(_ file: SecretBytes) throws(HardwareKeyError) {
            self = try ByteReader.read(file, as: .sealedSecretFile) { (reader) throws(HardwareKeyError) in
                try Parts(from: &reader)
            }
        }

        private init(from reader: inout ByteReader) throws(HardwareKeyError) {
            try reader.expect(SealedSecrets.head, "CMSS, version 1")
            switch try reader.integer(UInt8.self) {
            case 0: kind = .software
            case 1: kind = .tpm2
            default: throw reader.malformed("kind 0 or 1 expected")
            }
            tag = try reader.sized(limit: 100)
            salt = try reader.take(SealedSecrets.saltCount)
            sealedKey = try reader.sized(limit: 1024)
            guard sealedKey.isEmpty == (kind == .software) else {
                throw reader.malformed("the sealed key is of another kind")
            }
            nonce = try reader.take(SealedSecrets.nonceCount)
            clear = Array(reader.before)
            guard reader.left >= SealedBytes.tagCount else { throw reader.malformed("the ciphertext is cut off") }
            sealed = try reader.take(reader.left)
        }
    }

    /// A new key: its kind, how it is stored, and what it is derived from (nil: from the machine's identity).
    private func makeKey(_ tag: KeyTag) throws(HardwareKeyError) -> (KeyKind, [UInt8], SecretBytes?) {
        let obstacle: HardwareKeyError.Obstacle
        do throws(HardwareKeyError) {
            let material = try SecretBytes.guarded { () throws(SecretMemoryError) in try SecretBytes.random(count: 32) }
            return (.tpm2, try sealByTPM(material), material)
        } catch {
            guard case .unavailable(let reason) = error else { throw error }
            obstacle = reason
        }
        if policy.requireHardware { throw .hardwareRequired(obstacle) }
        if let file = try directory.read(tag.sealedName), try Parts(file).kind == .tpm2 {
            throw .downgrade(tag: tag.text, pinned: .tpm2, found: .software)
        }
        return (.software, [], nil)
    }

    private func key(_ material: SecretBytes?, salt: [UInt8], tag: KeyTag) throws(HardwareKeyError) -> SymmetricKey {
        let info = Self.label + Array(tag.text.utf8)
        guard let material else { return try machine().key(salt: salt, info: info) }
        return HKDF<SHA256>.deriveKey(
            inputKeyMaterial: material.withUnsafeBytes { SymmetricKey(data: $0) }, salt: salt, info: info,
            outputByteCount: 32)
    }

    private func random(_ count: Int) -> [UInt8] {
        var random = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    #if canImport(CTSS2)
        private func sealByTPM(_ material: SecretBytes) throws(HardwareKeyError) -> [UInt8] {
            guard let tpm else { throw .unavailable(.none) }
            return try TPM(at: tpm).seal(material, auth: nil, policy: .authorisation).serialised
        }

        private func release(_ sealedKey: [UInt8]) throws(HardwareKeyError) -> SecretBytes {
            guard let tpm else { throw .unavailable(.none) }
            return try TPM(at: tpm).unseal(TPMSealedBlob(parsing: sealedKey), auth: nil)
        }
    #else
        private func sealByTPM(_: SecretBytes) throws(HardwareKeyError) -> [UInt8] { throw .unavailable(.none) }
        private func release(_: [UInt8]) throws(HardwareKeyError) -> SecretBytes { throw .unavailable(.none) }
    #endif
}

extension KeyTag {
    fileprivate var sealedName: String { text + ".cmss" }
}
