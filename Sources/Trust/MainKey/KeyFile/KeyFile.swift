import BigEndian
import CSodium
import SecretMemory

/// The content of `keyring.mk`: settings, slots and epoch keys, all under a code that only the MainKey makes
/// (`mainkey` section 5).
///
///     header 96 · slots · epoch records of 76 · root of the list of items 32, if flag 6 says so · HMAC-SHA-256
package struct KeyFile: Hashable, Sendable {
    static let magic = Array("MAINKEY\0".utf8)
    static let headerByteCount = 96
    /// The place of the vault's ID in the header.
    static let vaultPosition = 16..<32
    static let codeByteCount = HMACSHA256.byteCount
    static let byteCounts = 128...65536
    static let slotCounts = 1...8
    static let epochCounts = 1...4
    static let autolockMinutes: ClosedRange<Int32> = -1...10080
    static let attemptLimits: ClosedRange<UInt8> = 1...100

    package struct Flags: OptionSet, Hashable, Sendable {
        package var rawValue: UInt32

        package init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        static let wipeOnLimit = Flags(rawValue: 1)
        static let requireHardware = Flags(rawValue: 2)
        static let rotationInProgress = Flags(rawValue: 4)
        static let strictAnchor = Flags(rawValue: 8)
        /// The vault's TPM is a program, and it was confirmed that this is meant.
        static let softwareTPM = Flags(rawValue: 32)
        /// It names the list of its items; all but vaults of the first versions do, until something is changed in them.
        static let itemList = Flags(rawValue: 64)
        static let known: Flags = [
            .wipeOnLimit, .requireHardware, .rotationInProgress, .strictAnchor, .softwareTPM, .itemList,
        ]
    }

    /// What tells an older copy of the file from the newest.
    enum Anchor: Hashable, Sendable {
        case absent
        /// A counter of the TPM that only goes up.
        case tpm(index: UInt32, value: UInt64)
        /// A number that the application keeps where it cannot be put back.
        case external(value: UInt64)
    }

    package var vault: VaultID
    /// The number of the commit, from 1, one more with each.
    package var generation: UInt64
    var createdAt: UInt64
    package var flags: Flags
    package var attemptLimit: UInt8
    package var autolockMinutes: Int32
    package var mainKeyID: [UInt8]
    var anchor: Anchor
    package var slots: [Slot]
    var epochs: [EpochRecord]
    /// The digest of the list of items; nil for a vault that has none yet.
    var itemRoot: [UInt8]?

    /// The number of the active epoch, which is the last.
    package var activeEpoch: UInt32 { epochs[epochs.count - 1].epoch }

    /// The slots of some kinds, in the order in which they are written.
    func slots(of kinds: Slot.Kind...) -> [Slot] { slots.filter { kinds.contains($0.kind) } }

    /// Whether a PIN or hardware stands before the key. A recovery code does not count: it is kept for need.
    var isProtected: Bool { slots.contains { $0.kind != .none && $0.kind != .recovery } }

    /// Whether the application keeps the anchor.
    var isAnchoredOutside: Bool { if case .external = anchor { true } else { false } }

    /// Whether every change moves an anchor, so that nothing is what it was before the last one.
    var isAnchoredStrictly: Bool {
        switch anchor {
        case .absent: false
        case .tpm: flags.contains(.strictAnchor)
        case .external: true
        }
    }

    // MARK: Writing

    private var content: [UInt8] {
        var bytes = Self.magic
        bytes.append(bigEndian: UInt16(1))
        bytes.append(bigEndian: UInt16(Self.headerByteCount))
        let slotBytes = slots.flatMap(\.bytes)
        let count =
            Self.headerByteCount + slotBytes.count + epochs.count * EpochRecord.byteCount + (itemRoot?.count ?? 0)
            + Self.codeByteCount
        bytes.append(bigEndian: UInt32(count))
        bytes += vault.bytes
        bytes.append(bigEndian: generation)
        bytes.append(bigEndian: createdAt)
        var flags = flags
        if itemRoot == nil { flags.remove(.itemList) } else { flags.insert(.itemList) }
        bytes.append(bigEndian: flags.rawValue)
        bytes += [attemptLimit, UInt8(slots.count), UInt8(epochs.count), 0]
        bytes.append(bigEndian: autolockMinutes)
        bytes.append(bigEndian: activeEpoch)
        bytes += mainKeyID
        let (kind, reference, value): (UInt32, UInt32, UInt64) =
            switch anchor {
            case .absent: (0, 0, 0)
            case .tpm(let index, let value): (1, index, value)
            case .external(let value): (2, 0, value)
            }
        bytes.append(bigEndian: value)
        bytes.append(bigEndian: kind)
        bytes.append(bigEndian: reference)
        bytes += slotBytes
        for epoch in epochs { bytes += epoch.bytes }
        bytes += itemRoot ?? []
        return bytes
    }

    /// The file's bytes, with the code under the MainKey.
    package func bytes(under secrets: MainKeySecrets) -> [UInt8] {
        let content = content
        return content + HMACSHA256.code(key: secrets.fileCode, [content])
    }

    // MARK: Verifying

    /// What opening a slot does not tell: that this MainKey belongs to the file and that nothing in it was changed.
    ///
    /// - Parameter bytes: the whole file.
    /// - Returns: the keys of the epochs.
    package func verify(_ bytes: [UInt8], under secrets: MainKeySecrets) throws(MainKeyError) -> [UInt32: SecretBytes] {
        guard sodium_memcmp(secrets.id, mainKeyID, MainKeySecrets.idByteCount) == 0 else {
            throw .tampered(reason: "the key file names another MainKey")
        }
        let end = bytes.count - Self.codeByteCount
        let code = HMACSHA256.code(key: secrets.fileCode, [Array(bytes[..<end])])
        guard sodium_memcmp(code, Array(bytes[end...]), Self.codeByteCount) == 0 else {
            throw .tampered(reason: "the key file")
        }
        guard !flags.contains(.requireHardware) || slots.contains(where: \.kind.isHardware) else {
            throw .tampered(reason: "the key file asks for hardware and has no slot for it")
        }
        var keys: [UInt32: SecretBytes] = [:]
        for epoch in epochs { keys[epoch.epoch] = try epoch.open(under: secrets) }
        return keys
    }

    /// Compares with what the anchor says now.
    package func verify(anchorValue now: UInt64) throws(MainKeyError) {
        let written: UInt64
        switch anchor {
        case .absent: return
        case .tpm(_, let value), .external(let value): written = value
        }
        if written < now {
            throw .rolledBack(reason: "the key file is from before change \(now), which the anchor has seen")
        }
        if written > now { throw .tampered(reason: "the rollback anchor went back") }
    }
}
