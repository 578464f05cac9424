import Logging
import SecretMemory

/// Whether a key may live outside hardware.
public struct KeyPolicy: Hashable, Sendable {
    /// Whether there is no key without hardware, rather than a software key.
    public var requireHardware: Bool

    /// A policy that requires hardware or allows software.
    public init(requireHardware: Bool) {
        self.requireHardware = requireHardware
    }
}

/// The signing keys of a program, by tag, in the best place there is: Secure Enclave, then TPM 2.0, then, where the
/// policy allows it, this process.
///
/// The kind of a tag's first key is pinned: a later key of a weaker kind is refused until the pin is removed.
///
///     let keys = HardwareSigningKeys(
///         in: try StateDirectory(path: path), hardware: HardwareSigningKeys.standardHardware(tpm: .standard),
///         policy: policy, logger: logger)
///     let key = try keys.generate(tag: "com.example.app")
///     let signature = try key.sign(message)
///
/// Source: `vigil` section 5.
public struct HardwareSigningKeys: Sendable {
    private let directory: StateDirectory
    private let hardware: (any SigningHardware)?
    private let policy: KeyPolicy
    private let machine: @Sendable () throws(HardwareKeyError) -> MachineIdentity
    private let logger: Logger

    /// - Parameters:
    ///   - hardware: nil where there is none.
    ///   - machine: what software keys are bound to.
    public init(
        in directory: StateDirectory, hardware: (any SigningHardware)?, policy: KeyPolicy, logger: Logger,
        machine: @escaping @Sendable () throws(HardwareKeyError) -> MachineIdentity = MachineIdentity.current
    ) {
        self.directory = directory
        self.hardware = hardware
        self.policy = policy
        self.logger = logger
        self.machine = machine
    }

    /// The hardware of this system for signing keys, the strongest first.
    ///
    /// - Parameter tpm: where a TPM would be; nil for none.
    public static func standardHardware(tpm: TPMAddress?) -> (any SigningHardware)? {
        #if canImport(CryptoKit)
            if let enclave = EnclaveSigningHardware() { return enclave }
        #endif
        #if canImport(CTSS2)
            return tpm.map(TPMSigningHardware.init(at:))
        #else
            return nil
        #endif
    }

    /// Whether a new key would live in hardware.
    public var isHardwareUsable: Bool { hardware?.isUsable ?? false }

    /// A key as the directory lists it.
    public struct Entry: Hashable, Sendable {
        /// The name of the key.
        public let tag: String
        /// Where the key lives.
        public let kind: KeyKind
    }

    /// Makes a key.
    ///
    /// - Throws: ``HardwareKeyError``: `keyExists`, `hardwareRequired`, `downgrade` where only a weaker kind than the
    ///   pinned one can be had, `lockout` and others as the hardware says.
    public func generate(tag text: String) throws(HardwareKeyError) -> any SigningKey {
        let tag = try KeyTag(text)
        return try directory.exclusively { () throws(HardwareKeyError) in
            guard try stored(tag) == nil else { throw .keyExists(tag: text) }
            let pinned = try directory.pinnedKind(in: tag.pinName)
            let (kind, file) = try make(tag, pinned: pinned)
            let key = try open(tag, as: kind, file)
            // The pin first: after a crash in between there is no key, and none of a weaker kind can take its place.
            try directory.pin(kind, in: tag.pinName)
            try directory.write(tag.fileName(kind), file)
            announce(kind, tag)
            return key
        }
    }

    /// Takes a stored key into use.
    ///
    /// - Throws: ``HardwareKeyError``: `keyNotFound`, `downgrade` where the stored key is of a weaker kind than the
    ///   pinned one, `hardwareRequired` for a software key that the policy no longer allows, `cannotUnseal`,
    ///   `malformed`, `unavailable`.
    public func load(tag text: String) throws(HardwareKeyError) -> any SigningKey {
        let tag = try KeyTag(text)
        guard let (kind, file) = try stored(tag) else { throw .keyNotFound(tag: text) }
        if let pinned = try directory.pinnedKind(in: tag.pinName), kind.isWeaker(than: pinned) {
            throw .downgrade(tag: text, pinned: pinned, found: kind)
        }
        guard kind.isHardware || !policy.requireHardware else { throw .hardwareRequired(.softwareKey) }
        let key = try open(tag, as: kind, file)
        if !kind.isHardware { announce(kind, tag) }
        return key
    }

    /// What the file of a stored key says in the clear. Neither the hardware nor the policy is asked: that the key can
    /// be used, ``load(tag:)`` tells.
    ///
    /// - Returns: nil where there is no key, and for one in a Secure Enclave, whose public half that alone tells.
    package func publicHalf(tag text: String) throws(HardwareKeyError) -> (kind: KeyKind, publicKey: [UInt8])? {
        let tag = try KeyTag(text)
        guard let (kind, file) = try stored(tag) else { return nil }
        switch kind {
        case .software: return (kind, try SoftwareKeyFile.open(file, tag: tag, machine: machine()).publicKey)
        case .tpm2:
            #if canImport(CTSS2)
                let area = try TPMKeyFile(parsing: file, tag: tag).object.publicArea
                guard let point = TPMPublicArea.point(of: area, after: TPMPublicArea.signingKeyHead) else { return nil }
                return (kind, point)
            #else
                return nil
            #endif
        case .secureEnclave: return nil
        }
    }

    /// Removes a key.
    ///
    /// - Parameter forgettingKind: also removes the pin, so that the next key may be of a weaker kind.
    /// - Throws: ``HardwareKeyError/keyNotFound(tag:)``
    public func remove(tag text: String, forgettingKind: Bool = false) throws(HardwareKeyError) {
        let tag = try KeyTag(text)
        try directory.exclusively { () throws(HardwareKeyError) in
            guard let (kind, _) = try stored(tag) else { throw .keyNotFound(tag: text) }
            try directory.remove(tag.fileName(kind))
            if forgettingKind { try directory.remove(tag.pinName) }
        }
    }

    /// The stored keys, by tag.
    public func list() throws(HardwareKeyError) -> [Entry] {
        var entries: [Entry] = []
        for name in try directory.names() {
            for kind in KeyKind.allCases where name.hasSuffix(kind.fileSuffix) {
                let tag = String(name.dropLast(kind.fileSuffix.count))
                if (try? KeyTag(tag)) != nil { entries.append(Entry(tag: tag, kind: kind)) }
            }
        }
        return entries.sorted { $0.tag < $1.tag }
    }

    private func make(_ tag: KeyTag, pinned: KeyKind?) throws(HardwareKeyError) -> (KeyKind, SecretBytes) {
        let obstacle: HardwareKeyError.Obstacle
        do throws(HardwareKeyError) {
            guard let hardware else { throw .unavailable(.none) }
            if let pinned, hardware.kind.isWeaker(than: pinned) {
                throw .downgrade(tag: tag.text, pinned: pinned, found: hardware.kind)
            }
            return (hardware.kind, try hardware.makeKey(tag: tag.text).content)
        } catch {
            guard case .unavailable(let reason) = error else { throw error }
            obstacle = reason
        }
        if policy.requireHardware { throw .hardwareRequired(obstacle) }
        if let pinned, pinned.isHardware { throw .downgrade(tag: tag.text, pinned: pinned, found: .software) }
        let file = try SoftwareSigningKey.random().file(tag: tag, machine: machine())
        return (.software, try SecretBytes.joining([.plain(file)]))
    }

    private func open(_ tag: KeyTag, as kind: KeyKind, _ file: SecretBytes) throws(HardwareKeyError) -> any SigningKey {
        if kind == .software { return try SoftwareKeyFile.open(file, tag: tag, machine: machine()) }
        guard let hardware, hardware.kind == kind else { throw .unavailable(.none) }
        return try hardware.openKey(tag: tag.text, file: SecretFile(file))
    }

    /// The strongest key that is stored for a tag.
    private func stored(_ tag: KeyTag) throws(HardwareKeyError) -> (KeyKind, SecretBytes)? {
        for kind in KeyKind.allCases {
            if let file = try directory.read(tag.fileName(kind)) { return (kind, file) }
        }
        return nil
    }

    private func announce(_ kind: KeyKind, _ tag: KeyTag) {
        let level: Logger.Level = kind.isHardware ? .notice : .warning
        logger.log(level: level, "\(kind.announcement)", metadata: ["tag": "\(tag.text)"])
    }
}

extension KeyKind {
    /// The ending of the file of a key of this kind.
    fileprivate var fileSuffix: String {
        switch self {
        case .secureEnclave: ".vgek"
        case .tpm2: ".vgtk"
        case .software: ".vgsk"
        }
    }
}

extension KeyTag {
    fileprivate func fileName(_ kind: KeyKind) -> String { text + kind.fileSuffix }
    fileprivate var pinName: String { text + ".kind" }
}
