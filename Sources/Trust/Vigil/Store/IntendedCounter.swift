import HardwareKeys
import SecretMemory

/// A counter that is about to be made for a store which is not there yet. It is written down before: what a killed
/// process made would stay in the TPM for good, which has room for few.
///
/// Source: `vigil` section 6.2.
struct IntendedCounter: Equatable {
    private static let fileName = "counter"

    let index: UInt32
    let authorisation: Bytes32
    /// The Name of the storage key of the TPM that is to have it.
    let storageKey: [UInt8]

    /// Index (4) ‖ authorisation (32) ‖ Name of the storage key (34).
    private static let size = 36 + TPMIdentity.nameByteCount

    init(index: UInt32, authorisation: Bytes32, storageKey: [UInt8]) {
        self.index = index
        self.authorisation = authorisation
        self.storageKey = storageKey
    }

    /// - Returns: nil where there is none, or what is there was not written here.
    init?(in directory: StateDirectory) throws(HardwareKeyError) {
        guard let file = try directory.read(Self.fileName) else { return nil }
        let bytes = file.withUnsafeBytes { Array($0) }
        guard bytes.count == Self.size, let authorisation = Bytes32(bytes[4..<36]) else { return nil }
        index = bytes[..<4].reduce(0) { $0 << 8 | UInt32($1) }
        self.authorisation = authorisation
        storageKey = Array(bytes[36...])
    }

    func write(to directory: StateDirectory) throws(HardwareKeyError) {
        let bytes = withUnsafeBytes(of: index.bigEndian) { Array($0) } + authorisation.bytes + storageKey
        let content = try SecretBytes.guarded { () throws(SecretMemoryError) in try SecretBytes(copying: bytes) }
        try directory.write(Self.fileName, content)
    }

    static func forget(in directory: StateDirectory) throws(HardwareKeyError) {
        guard try directory.read(fileName) != nil else { return }
        try directory.remove(fileName)
    }
}
