import SCALE

/// The constant `System.Version` (`signer-wire` section 4.5).
public struct RuntimeVersion: Hashable, Sendable {
    /// The name of the runtime.
    public let specName: String
    /// Grows with each runtime upgrade.
    public let specVersion: UInt32
    /// The transaction version; 1 where the constant ends before it.
    public let transactionVersion: UInt32
}

extension RuntimeVersion: ScaleDecodable {
    /// Reads the SCALE encoding.
    public init(from decoder: inout ScaleDecoder) throws(ScaleError) {
        specName = try decoder.string()
        _ = try decoder.string()
        _ = try decoder.uint32()
        specVersion = try decoder.uint32()
        _ = try decoder.uint32()
        try decoder.skip(try decoder.count(minimumItemSize: 12) * 12)
        transactionVersion = decoder.isAtEnd ? 1 : try decoder.uint32()
        if !decoder.isAtEnd { _ = try decoder.uint8() }
    }
}

/// Where the two constants of the pallet System stand that name a runtime.
struct SystemConstants {
    var isPresent = false
    private var version: Range<Int>?
    private var prefix: Range<Int>?

    mutating func note(name: Range<Int>, value: Range<Int>, in cursor: BlobCursor) {
        if version == nil, cursor.equals(name, "Version") { version = value }
        if prefix == nil, cursor.equals(name, "SS58Prefix") { prefix = value }
    }

    func runtimeVersion(in blob: [UInt8]) throws(MetadataError) -> RuntimeVersion {
        guard isPresent else { throw .noSystemPallet }
        guard let version else { throw .noVersionInConstants }
        do throws(ScaleError) {
            var decoder = ScaleDecoder(blob, in: version)
            let value = try RuntimeVersion(from: &decoder)
            try decoder.finish()
            return value
        } catch {
            throw .runtimeVersionNotDecodeable
        }
    }

    /// A `u16`, or a `u8` in one byte.
    func base58Prefix(in blob: [UInt8]) throws(MetadataError) -> UInt16? {
        guard let prefix else { return nil }
        let bytes = blob[prefix]
        switch bytes.count {
        case 1: return UInt16(bytes[bytes.startIndex])
        case 2: return UInt16(bytes[bytes.startIndex]) | UInt16(bytes[bytes.startIndex + 1]) << 8
        default: throw .base58PrefixNotDecodeable
        }
    }
}
