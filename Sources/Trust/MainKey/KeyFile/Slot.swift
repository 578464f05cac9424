import BigEndian
import CSodium
import HardwareKeys
import SecretMemory

/// One way to open a vault: the MainKey wrapped under what a credential gives (`mainkey` section 6).
package struct Slot: Hashable, Sendable {
    /// The kind of credential that opens it.
    package enum Kind: UInt8, Sendable {
        /// A key item that lies beside the vault.
        case none = 1
        case pin = 2
        case hardware = 3
        case hardwareAndPIN = 4
        case recovery = 5

        /// Whether what a person types goes through Argon2id, and wrong tries are counted.
        var isStretched: Bool { self == .pin || self == .hardwareAndPIN || self == .recovery }
        var isHardware: Bool { self == .hardware || self == .hardwareAndPIN }
    }

    /// The kind of hardware that holds the hardware's part.
    enum HardwareKind: UInt8, Sendable {
        case absent = 0
        case tpm2 = 1
        case secureEnclave = 2
        case keyItem = 3
    }

    static let saltByteCount = 32
    static let commitmentByteCount = 32
    static let wrappedByteCount = 32 + AEAD.tagByteCount
    /// The bytes of a record without the hardware's blob.
    static let fixedByteCount = 152
    static let hardwareBlobLimit = 2048

    package var kind: Kind
    /// The number of the slot, random, not zero.
    package var id: UInt32
    /// When the slot was made, in seconds since 1970, to inform.
    var createdAt: UInt64
    /// The salt, fresh with every write.
    package var salt: [UInt8]
    /// The cost of Argon2id; nil where no PIN or code is involved.
    package var cost: Argon2Cost?
    var hardwareKind: HardwareKind
    package var hardwareBlob: [UInt8]
    var nonce: [UInt8]
    var commitment: [UInt8]
    var wrapped: [UInt8]

    var byteCount: Int { Self.fixedByteCount + hardwareBlob.count }

    /// The record before the wrapped key, all of which is authenticated with it.
    private var head: [UInt8] {
        var bytes = [UInt8](bigEndian: UInt16(byteCount))
        bytes.append(kind.rawValue)
        bytes.append(Self.version(hardwareKind, hardwareBlob))
        bytes.append(bigEndian: id)
        bytes.append(bigEndian: createdAt)
        bytes += salt
        bytes.append(bigEndian: cost?.passes ?? 0)
        bytes.append(bigEndian: cost?.memoryKiB ?? 0)
        bytes.append(cost == nil ? 0 : 1)
        bytes.append(hardwareKind.rawValue)
        bytes.append(bigEndian: UInt16(hardwareBlob.count))
        bytes += hardwareBlob
        bytes += nonce
        bytes += commitment
        return bytes
    }

    package var bytes: [UInt8] { head + wrapped }

    /// The version of a record: 2 where registers of the TPM are part of what opens it, which programs of before do not
    /// know and refuse.
    private static func version(_ hardware: HardwareKind, _ blob: some Collection<UInt8>) -> UInt8 {
        hardware == .tpm2 && TPMSealedBlob.areBoundToRegisters(blob) ? 2 : 1
    }

    // MARK: Keys

    /// The part of a credential that goes into a slot's key, by the tag that it carries there.
    package enum Part {
        /// What Argon2id made of a PIN, 32 bytes.
        case pin(SecretBytes)
        /// What the hardware released, 32 bytes.
        case hardware(SecretBytes)
        /// The key item, 32 bytes.
        case item(SecretBytes)
        /// What Argon2id made of a recovery code, 32 bytes.
        case recovery(SecretBytes)

        fileprivate var tagged: (tag: UInt8, bytes: SecretBytes) {
            switch self {
            case .pin(let bytes): (1, bytes)
            case .hardware(let bytes): (2, bytes)
            case .item(let bytes): (3, bytes)
            case .recovery(let bytes): (4, bytes)
            }
        }
    }

    /// The parts as a key is derived from them: tag ‖ BE16 length ‖ bytes of each, in ascending order of the tags.
    package static func input(_ parts: [Part]) throws(MainKeyError) -> SecretBytes {
        let tagged = parts.map(\.tagged).sorted { $0.tag < $1.tag }
        return try secret {
            try SecretBytes(count: tagged.reduce(0) { $0 + 3 + $1.bytes.count }) { output in
                var position = 0
                for (tag, part) in tagged {
                    output[position] = tag
                    output[position + 1] = UInt8(truncatingIfNeeded: part.count >> 8)
                    output[position + 2] = UInt8(truncatingIfNeeded: part.count)
                    part.withUnsafeBytes { output[(position + 3)...].copyBytes(from: $0) }
                    position += 3 + part.count
                }
            }
        }
    }

    static func context(_ vault: VaultID, id: UInt32, kind: Kind) -> [UInt8] {
        vault.bytes + [UInt8](bigEndian: id) + [kind.rawValue]
    }

    package struct Keys {
        package let pseudorandom: SecretBytes
        package let encryption: SecretBytes
        package let commitment: [UInt8]
    }

    package static func keys(
        _ parts: [Part], salt: [UInt8], vault: VaultID, id: UInt32, kind: Kind
    ) throws(MainKeyError) -> Keys {
        let context = context(vault, id: id, kind: kind)
        let pseudorandom = try HMACSHA256.extract(salt: salt, try input(parts))
        let commitment = try HMACSHA256.expand(pseudorandom, .slotCommitment, context: context)
        return Keys(
            pseudorandom: pseudorandom,
            encryption: try HMACSHA256.expand(pseudorandom, .slotEncryption, context: context),
            // It stands in the file, and is no secret.
            commitment: commitment.withUnsafeBytes { Array($0) })
    }

    /// What authorises the use of a sealed object together with a PIN: the hardware counts the wrong ones.
    package static func hardwareAuthorisation(
        pin: SecretBytes, salt: [UInt8], vault: VaultID, id: UInt32, kind: Kind
    ) throws(MainKeyError) -> SecretBytes {
        try HMACSHA256.derive(
            try input([.pin(pin)]), salt: salt, .hardwareAuthorisation, context: context(vault, id: id, kind: kind))
    }

    /// The data that is authenticated with the wrapped key.
    package func data(vault: VaultID, mainKeyID: [UInt8]) -> [UInt8] {
        KeyLabel.slot.bytes + vault.bytes + mainKeyID + head
    }

    // MARK: Opening and making

    /// The MainKey.
    ///
    /// - Throws: `wrongCredential` if the parts are not those that the slot was made with, which also a damaged salt or
    ///   cost looks like; `tampered` if they are and the rest was changed.
    package func open(_ parts: [Part], vault: VaultID, mainKeyID: [UInt8]) throws(MainKeyError) -> SecretBytes {
        let keys = try Self.keys(parts, salt: salt, vault: vault, id: id, kind: kind)
        // Before decryption: one ciphertext of AES-GCM can verify under two keys.
        guard sodium_memcmp(keys.commitment, commitment, Self.commitmentByteCount) == 0 else {
            throw .wrongCredential(attemptsLeft: nil)
        }
        let aead = try AEAD.forValues(key: keys.encryption)
        guard let mainKey = try aead.open(wrapped, nonce: nonce, data: data(vault: vault, mainKeyID: mainKeyID))
        else { throw .tampered(reason: "a slot of the key file") }
        return mainKey
    }

    /// The fields that have to be fixed before the hardware can seal its part: it is authorised by what they derive.
    struct Draft {
        var kind: Kind
        var id: UInt32
        var salt: [UInt8]
        var cost: Argon2Cost?
        var createdAt: UInt64

        /// A fresh salt and a number that is not in use.
        init(_ kind: Kind, cost: Argon2Cost?, createdAt: UInt64, avoiding used: Set<UInt32>) {
            precondition((cost != nil) == kind.isStretched, "a cost is there where a PIN or code is")
            self.kind = kind
            self.cost = cost
            self.createdAt = createdAt
            salt = KernelRandom.bytes(Slot.saltByteCount)
            repeat {
                id = KernelRandom.bytes(4).reduce(0) { $0 << 8 | UInt32($1) }
            } while id == 0 || used.contains(id)
        }

        /// What a PIN or recovery code becomes at the draft's cost.
        func stretch(_ secret: SecretBytes) throws(MainKeyError) -> SecretBytes {
            guard let cost else { preconditionFailure("a cost is there where a PIN or code is") }
            return try Argon2id.stretch(secret, salt: salt, cost: cost)
        }
    }

    /// Wraps a MainKey.
    init(
        _ draft: Draft, _ parts: [Part], hardwareKind: HardwareKind = .absent, hardwareBlob: [UInt8] = [],
        mainKey: SecretBytes, vault: VaultID, mainKeyID: [UInt8]
    ) throws(MainKeyError) {
        let keys = try Self.keys(parts, salt: draft.salt, vault: vault, id: draft.id, kind: draft.kind)
        kind = draft.kind
        id = draft.id
        createdAt = draft.createdAt
        salt = draft.salt
        cost = draft.cost
        self.hardwareKind = hardwareKind
        self.hardwareBlob = hardwareBlob
        nonce = KernelRandom.bytes(AEAD.nonceByteCount)
        commitment = keys.commitment
        wrapped = []
        let aead = try AEAD.forValues(key: keys.encryption)
        wrapped = aead.seal(mainKey, nonce: nonce, data: data(vault: vault, mainKeyID: mainKeyID))
    }

    /// The same slot around another sealed object, for the next value of the hardware's counter. The salt stays, since
    /// the PIN is not there to be stretched anew; the nonce is fresh.
    ///
    /// - Parameter parts: those that the slot was opened with.
    func resealed(
        _ parts: [Part], blob: [UInt8], mainKey: SecretBytes, vault: VaultID, mainKeyID: [UInt8]
    ) throws(MainKeyError) -> Slot {
        var slot = self
        slot.hardwareBlob = blob
        slot.nonce = KernelRandom.bytes(AEAD.nonceByteCount)
        let keys = try Self.keys(parts, salt: salt, vault: vault, id: id, kind: kind)
        let aead = try AEAD.forValues(key: keys.encryption)
        slot.wrapped = aead.seal(mainKey, nonce: slot.nonce, data: slot.data(vault: vault, mainKeyID: mainKeyID))
        return slot
    }

    // MARK: Parsing

    /// Reads the record at the beginning of `bytes`, which end where the slots and epochs do.
    ///
    /// - Throws: in the order of `mainkey` section 5, rule 5. Costs are refused here, before anything is allocated for
    ///   them.
    package init(parsing bytes: ArraySlice<UInt8>) throws(MainKeyError) {
        guard bytes.count >= 2 else { throw Self.malformed("it does not fit into the file") }
        var reader = ByteReader(bytes)
        let length = Int(reader.integer(UInt16.self))
        guard length >= Self.fixedByteCount, length <= bytes.count else {
            throw Self.malformed("its length \(length) does not fit")
        }
        let kindByte = reader.integer(UInt8.self)
        let version = reader.integer(UInt8.self)
        // Its fields are those of the first.
        guard version == 1 || version == 2 else { throw .unsupportedVersion(.slot, found: Int(version)) }
        guard let kind = Kind(rawValue: kindByte) else { throw .unsupportedVersion(.slot, found: Int(kindByte)) }
        self.kind = kind
        id = reader.integer()
        createdAt = reader.integer()
        salt = reader.array(Self.saltByteCount)
        let cost = Argon2Cost(passes: reader.integer(), memoryKiB: reader.integer())
        let lanes = reader.integer(UInt8.self)
        let hardwareByte = reader.integer(UInt8.self)
        let blobLength = Int(reader.integer(UInt16.self))
        guard blobLength <= Self.hardwareBlobLimit, length == Self.fixedByteCount + blobLength else {
            throw Self.malformed("its hardware blob of \(blobLength) bytes does not fit")
        }
        if kind.isStretched {
            guard cost.isReadable, lanes == 1 else {
                throw .limitExceeded(
                    reason: "a slot asks for \(cost.passes) passes over \(cost.memoryKiB) KiB in \(lanes) lanes")
            }
            self.cost = cost
        } else {
            guard cost.passes == 0, cost.memoryKiB == 0, lanes == 0 else {
                throw Self.malformed("it has a cost and no PIN")
            }
            self.cost = nil
        }
        guard let hardwareKind = HardwareKind(rawValue: hardwareByte),
            Self.allowed(hardwareKind, with: kind, blobLength: blobLength)
        else { throw Self.malformed("its kind of hardware, \(hardwareByte), does not go with its kind") }
        self.hardwareKind = hardwareKind
        hardwareBlob = reader.array(blobLength)
        guard version == Self.version(hardwareKind, hardwareBlob) else {
            if version == 2 { throw .unsupportedVersion(.slot, found: 2) }
            throw Self.malformed("its hardware blob goes with version 2")
        }
        nonce = reader.array(AEAD.nonceByteCount)
        commitment = reader.array(Self.commitmentByteCount)
        wrapped = reader.array(Self.wrappedByteCount)
        guard id != 0 else { throw Self.malformed("its number is zero") }
    }

    private static func allowed(_ hardware: HardwareKind, with kind: Kind, blobLength: Int) -> Bool {
        switch hardware {
        case .absent: (kind == .pin || kind == .recovery) && blobLength == 0
        case .tpm2, .secureEnclave: kind.isHardware
        case .keyItem: kind == .none && blobLength == 0
        }
    }

    private static func malformed(_ reason: String) -> MainKeyError { .malformed(.slot, reason: reason) }
}
