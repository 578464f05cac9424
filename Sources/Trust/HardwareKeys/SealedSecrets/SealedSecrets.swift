import Logging
import SecretMemory

/// Small secrets of a program, by tag, that open on this machine only.
///
/// A secret is encrypted under a key that the Secure Enclave or the TPM releases on this machine to whoever reads the
/// file; where the policy allows it and there is no such hardware, under one of this installation and user. A PIN is
/// not asked for: for that there is a MainKey.
///
/// The kind of a tag's key is pinned: a secret of a weaker kind is neither stored nor opened until the pin is removed.
///
///     let kind = try secrets.seal(share, tag: "share.1")
///     let share = try secrets.open(tag: "share.1")
public struct SealedSecrets: Sendable {
    private let directory: StateDirectory
    private let hardware: (any SealingHardware)?
    private let policy: KeyPolicy
    private let machine: @Sendable () throws(HardwareKeyError) -> MachineIdentity
    private let logger: Logger

    /// The most bytes of a secret.
    public static let limit = 16 * 1024

    /// - Parameter tpm: where a TPM would be, on systems without a Secure Enclave; nil for none.
    public init(
        in directory: StateDirectory, tpm: TPMAddress?, policy: KeyPolicy, logger: Logger,
        machine: @escaping @Sendable () throws(HardwareKeyError) -> MachineIdentity = MachineIdentity.current
    ) {
        self.init(
            in: directory, hardware: Self.standardHardware(tpm: tpm), policy: policy, logger: logger, machine: machine)
    }

    /// - Parameter hardware: nil where there is none.
    init(
        in directory: StateDirectory, hardware: (any SealingHardware)?, policy: KeyPolicy, logger: Logger,
        machine: @escaping @Sendable () throws(HardwareKeyError) -> MachineIdentity
    ) {
        self.directory = directory
        self.hardware = hardware
        self.policy = policy
        self.logger = logger
        self.machine = machine
    }

    /// Stores a secret, in place of the one of the same tag.
    ///
    /// - Returns: where the key of the secret lives.
    /// - Throws: ``HardwareKeyError``: `hardwareRequired`; `downgrade` where only a weaker kind than the pinned one can
    ///   be had.
    @discardableResult
    public func seal(_ secret: SecretBytes, tag text: String) throws(HardwareKeyError) -> KeyKind {
        let tag = try KeyTag(text)
        guard secret.count <= Self.limit else { throw .invalidArgument("a secret has at most \(Self.limit) bytes") }
        return try directory.exclusively { () throws(HardwareKeyError) in
            let recorded = try directory.pinnedKind(in: tag.sealedPinName)
            let (kind, stored, material) = try makeKey(tag, pinned: pinnedKind(of: tag))
            let file = try SealedSecretFile.seal(secret, kind: kind, storedKey: stored, tag: tag) {
                (salt, info) throws(HardwareKeyError) in try key(material, salt: salt, info: info)
            }
            try directory.write(tag.sealedName, SecretBytes.joining([.plain(file)]))
            // The secret first: one that was stored before the pin was raised still opens after a crash in between, and
            // until the next one is stored its own kind counts.
            if kind != recorded { try directory.pin(kind, in: tag.sealedPinName) }
            if !kind.isHardware { logger.warning("\(kind.announcement)", metadata: ["tag": "\(text)"]) }
            return kind
        }
    }

    /// - Throws: ``HardwareKeyError``: `keyNotFound`, `downgrade` where the stored secret is of a weaker kind than the
    ///   pinned one, `cannotUnseal`, `malformed`, `unavailable`, `hardwareRequired`.
    public func open(tag text: String) throws(HardwareKeyError) -> SecretBytes {
        let tag = try KeyTag(text)
        let file = try stored(tag)
        guard file.kind.isHardware || !policy.requireHardware else { throw .hardwareRequired(.softwareKey) }
        let material = file.kind.isHardware ? try release(file) : nil
        return try file.open { (salt, info) throws(HardwareKeyError) in try key(material, salt: salt, info: info) }
    }

    /// Where the key of a stored secret lives. The hardware is not asked: that the secret opens, ``open(tag:)`` tells.
    ///
    /// - Throws: ``HardwareKeyError``: `keyNotFound`, `downgrade`, `cannotUnseal` for the file of another tag,
    ///   `malformed`.
    public func kind(tag text: String) throws(HardwareKeyError) -> KeyKind { try stored(KeyTag(text)).kind }

    /// Removes a secret; one that is missing is no error.
    ///
    /// - Parameter forgettingKind: also removes the pin, so that the next secret of this tag may be of a weaker kind.
    public func remove(tag text: String, forgettingKind: Bool = false) throws(HardwareKeyError) {
        let tag = try KeyTag(text)
        try directory.exclusively { () throws(HardwareKeyError) in
            if !forgettingKind, let kind = try pinnedKind(of: tag) { try directory.pin(kind, in: tag.sealedPinName) }
            try directory.remove(tag.sealedName)
            if forgettingKind { try directory.remove(tag.sealedPinName) }
        }
    }

    /// The file of a tag, which is not of a weaker kind than the pinned one.
    private func stored(_ tag: KeyTag) throws(HardwareKeyError) -> SealedSecretFile {
        guard let content = try directory.read(tag.sealedName) else { throw .keyNotFound(tag: tag.text) }
        let file = try SealedSecretFile(parsing: content, tag: tag)
        if let pinned = try directory.pinnedKind(in: tag.sealedPinName), file.kind.isWeaker(than: pinned) {
            throw .downgrade(tag: tag.text, pinned: pinned, found: file.kind)
        }
        return file
    }

    /// The pinned kind, or that of the stored secret where it is stronger: its pin may not have been raised yet.
    private func pinnedKind(of tag: KeyTag) throws(HardwareKeyError) -> KeyKind? {
        let pinned = try directory.pinnedKind(in: tag.sealedPinName)
        guard let content = try directory.read(tag.sealedName),
            // A damaged secret may be replaced.
            let kind = (try? SealedSecretFile(parsing: content, tag: tag))?.kind
        else { return pinned }
        guard let pinned, !pinned.isWeaker(than: kind) else { return kind }
        return pinned
    }

    /// A new key: its kind, how it is stored, and what it is derived from (nil: from the machine's identity).
    private func makeKey(
        _ tag: KeyTag, pinned: KeyKind?
    ) throws(HardwareKeyError) -> (KeyKind, [UInt8], SecretBytes?) {
        let obstacle: HardwareKeyError.Obstacle
        do throws(HardwareKeyError) {
            guard let hardware else { throw .unavailable(.none) }
            if let pinned, hardware.kind.isWeaker(than: pinned) {
                throw .downgrade(tag: tag.text, pinned: pinned, found: hardware.kind)
            }
            let made = try hardware.makeKey()
            return (hardware.kind, made.stored, made.key)
        } catch {
            guard case .unavailable(let reason) = error else { throw error }
            obstacle = reason
        }
        if policy.requireHardware { throw .hardwareRequired(obstacle) }
        if let pinned, pinned.isHardware { throw .downgrade(tag: tag.text, pinned: pinned, found: .software) }
        return (.software, [], nil)
    }

    private func release(_ file: SealedSecretFile) throws(HardwareKeyError) -> SecretBytes {
        guard let hardware, hardware.kind == file.kind else { throw .unavailable(.none) }
        return try hardware.release(file.storedKey)
    }

    private func key(_ material: SecretBytes?, salt: [UInt8], info: [UInt8]) throws(HardwareKeyError) -> SecretBytes {
        guard let material else { return try machine().key(salt: salt, info: info) }
        return try SecretBytes.guarded { () throws(SecretMemoryError) in
            try HKDFSHA256.derive(material, salt: salt, info: info)
        }
    }
}

extension KeyTag {
    fileprivate var sealedName: String { text + ".cmss" }
    /// The name of the pin, which is not that of the signing keys' pin: both may lie in one directory.
    fileprivate var sealedPinName: String { text + ".cmsk" }
}
