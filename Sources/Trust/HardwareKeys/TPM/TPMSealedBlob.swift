/// A secret that one TPM alone can release, as a key file stores it.
///
/// | Offset | Size | Field |
/// |---|---|---|
/// | 0 | 1 | version: 1, or 2 for one that is bound to registers |
/// | 1 | 1 | policy template 1 to 3 |
/// | 2 | 2 | zero |
/// | 4 | 4 | counter index (0 for template 1) |
/// | 8 | 8 | counter value bound |
/// | 16 | 4 | PIN index (template 3, else 0) |
/// | 20 | 4 | PIN limit |
/// | 24 | 2 | parent: 1 persistent, 2 made each time |
/// | 26 | 2 | 34 |
/// | 28 | 34 | the parent's Name |
/// | 62 | 4 | version 2: bit n for register n of 0 to 15, one at least; the others 0 |
/// | 66 | 32 | version 2: SHA-256 of their values, by ascending number |
/// | 62 or 98 | | private and public part, each behind its 16-bit size |
///
/// Source: `mainkey` section 17.
public struct TPMSealedBlob: Hashable, Sendable {
    /// What has to hold for the TPM to release the secret.
    package let policy: TPMPolicy
    /// The registers and what they have to hold; nil where the blob is bound to none.
    package let registers: TPMRegisterState?
    /// The key that wraps the blob.
    package let parent: Parent
    /// The parent's Name, which tells one TPM from another: `000b`, then SHA-256.
    package let parentName: [UInt8]
    /// The private part, encrypted by the TPM.
    let privatePart: [UInt8]
    /// The marshalled public area.
    let publicArea: [UInt8]

    /// Which key the secret is sealed under.
    package enum Parent: UInt16, Sendable {
        /// The storage key that the machine's owner made persistent.
        case persistent = 1
        /// The same template, made anew each time.
        case transient = 2
    }

    /// The longest private part that a blob may have; TPMs make 160 bytes or so.
    private static let privateLimit = 512
}

extension TPMSealedBlob {
    /// Whether bytes are those of a blob that is bound to registers, as far as their first says.
    package static func areBoundToRegisters(_ bytes: some Collection<UInt8>) -> Bool { bytes.first == 2 }

    /// Reads a blob; every field is checked, and the object's policy has to be the one that the fields describe.
    ///
    /// - Throws: ``HardwareKeyError/malformed(_:offset:reason:)``
    public init(parsing bytes: [UInt8]) throws(HardwareKeyError) {
        self = try ByteReader.read(bytes, as: .sealedBlob) { (reader) throws(HardwareKeyError) in
            try TPMSealedBlob(from: &reader)
        }
    }

    private init(from reader: inout ByteReader) throws(HardwareKeyError) {
        let version = try reader.integer(UInt8.self)
        guard version == 1 || version == 2 else { throw reader.malformed("version 1 or 2 expected") }
        let template = try reader.integer(UInt8.self)
        try reader.expect([0, 0], "zero")
        policy = try Self.policy(template, from: &reader)
        guard let parent = Parent(rawValue: try reader.integer()) else {
            throw reader.malformed("parent 1 or 2 expected")
        }
        self.parent = parent
        try reader.expect([0, 34], "a Name of 34 bytes")
        try reader.expect([0x00, 0x0b], "a SHA-256 Name")
        parentName = try [0x00, 0x0b] + reader.take(32)
        registers = version == 2 ? try Self.registers(from: &reader) : nil
        privatePart = try reader.sized(limit: Self.privateLimit)
        guard !privatePart.isEmpty else { throw reader.malformed("the private part is empty") }
        publicArea = try reader.sized(limit: 78)
        let described = TPMPublicArea.sealedData(
            policy: policy.digest(with: registers), unique: publicArea.suffix(32))
        guard described == publicArea else {
            throw reader.malformed("the object is not the one that the fields before describe")
        }
    }

    private static func registers(from reader: inout ByteReader) throws(HardwareKeyError) -> TPMRegisterState {
        guard let bitmap = UInt16(exactly: try reader.integer(UInt32.self)), bitmap != 0 else {
            throw reader.malformed("registers of 0 to 15 expected, one at least")
        }
        return TPMRegisterState(
            TPMRegisterSelection(bitmap: bitmap), digest: try reader.take(TPMRegisterState.digestByteCount))
    }

    private static func policy(_ template: UInt8, from reader: inout ByteReader) throws(HardwareKeyError) -> TPMPolicy {
        let counter = try reader.integer(UInt32.self)
        let value = try reader.integer(UInt64.self)
        let pin = try reader.integer(UInt32.self)
        let limit = try reader.integer(UInt32.self)
        let hasCounter = TPMConstants.indices.contains(counter) && TPMConstants.counterValues.contains(value)
        switch (template, hasCounter) {
        case (1, _) where counter == 0 && value == 0 && pin == 0 && limit == 0:
            return .authorisation
        case (2, true) where pin == 0 && limit == 0:
            return .counter(index: counter, value: value)
        case (3, true) where TPMConstants.indices.contains(pin) && pin != counter && limit > 0:
            return .limited(counter: counter, value: value, pin: pin, limit: limit)
        default:
            throw reader.malformed("no policy template has these indices, values and limits")
        }
    }

    /// The blob as a key file stores it.
    public var serialised: [UInt8] {
        var bytes: [UInt8] = [registers == nil ? 1 : 2, policy.template, 0, 0]
        bytes.append(bigEndian: policy.counter?.index ?? 0)
        bytes.append(bigEndian: policy.counter?.value ?? 0)
        bytes.append(bigEndian: policy.pin?.index ?? 0)
        bytes.append(bigEndian: policy.pin?.limit ?? 0)
        bytes.append(bigEndian: parent.rawValue)
        bytes.append(sized: parentName)
        if let registers {
            bytes.append(bigEndian: UInt32(registers.selection.bitmap))
            bytes += registers.digest
        }
        bytes.append(sized: privatePart)
        bytes.append(sized: publicArea)
        return bytes
    }
}
