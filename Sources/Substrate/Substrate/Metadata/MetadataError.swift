import SCALE

/// Why a blob is not runtime metadata that can be used. Codes are those of `signer-wire` section 11.
public enum MetadataError: Error, Equatable, Sendable {
    /// The blob does not begin with `meta`.
    case notMeta
    /// A format version that no version of the rules knows.
    case versionIncompatible(UInt8)
    /// A format version that the rules know and this build cannot read.
    case versionNotReadable(UInt8)
    /// The body is not what the format version says.
    case unableToDecode(MetadataFault)
    /// It has no pallet System.
    case noSystemPallet
    /// The pallet System has no constant Version.
    case noVersionInConstants
    /// The constant Version does not decode.
    case runtimeVersionNotDecodeable
    /// The constant of the address prefix does not decode.
    case base58PrefixNotDecodeable
    /// The address prefix is another than the network's.
    case base58PrefixSpecsMismatch(metadata: UInt16, specs: UInt16)
    /// The blob has more than ``MetadataLimits/blobByteCount`` bytes.
    case blobTooLarge(byteCount: Int)

    /// The name by which programs tell the cases apart.
    package var code: String {
        switch self {
        case .notMeta: "NotMeta"
        case .versionIncompatible: "VersionIncompatible"
        case .versionNotReadable: "VersionNotReadable"
        case .unableToDecode: "UnableToDecode"
        case .noSystemPallet: "NoSystemPallet"
        case .noVersionInConstants: "NoVersionInConstants"
        case .runtimeVersionNotDecodeable: "RuntimeVersionNotDecodeable"
        case .base58PrefixNotDecodeable: "Base58PrefixNotDecodeable"
        case .base58PrefixSpecsMismatch: "Base58PrefixSpecsMismatch"
        case .blobTooLarge: "PayloadTooLarge"
        }
    }
}

/// What is wrong in a metadata body. Offsets count from the start of the blob.
public enum MetadataFault: Error, Equatable, Sendable {
    /// The encoding is malformed.
    case malformed(ScaleError)
    /// The type at position `expected` says that it has another id.
    case typeOutOfPlace(offset: Int, expected: Int, found: Int)
    /// The metadata have more than ``MetadataLimits/types`` types.
    case tooManyTypes(Int)
    /// `found` is no index of `kind`.
    case unknownIndex(offset: Int, kind: String, found: UInt8)
    /// Bytes follow the metadata.
    case trailingBytes(offset: Int, count: Int)
    /// The metadata have more than ``MetadataLimits/extensions`` extensions.
    case tooManyExtensions(offset: Int, count: Int)
    /// Metadata 16 without extensions for the transactions that signers handle.
    case noSignedExtensions(offset: Int)
    /// The byte or name that selects a pallet or variant selects an earlier one, too.
    case saidTwice(offset: Int, kind: String)
    /// An extension version names an extension that is not listed.
    case extensionOutOfRange(offset: Int, position: Int)
}

/// Bounds of metadata (`signer-wire` section 13).
package enum MetadataLimits {
    package static let blobByteCount = 4 << 20
    package static let types = 65_536
    /// Transaction extensions, and entries of an extension version.
    package static let extensions = 256
}

extension MetadataError: CustomStringConvertible {
    /// What happened, in plain words.
    public var description: String {
        switch self {
        case .notMeta: "not metadata: the first four bytes are not \"meta\""
        case .versionIncompatible(let version): "metadata of format version \(version) is not supported; 12 to 16 are"
        case .versionNotReadable(let version):
            "metadata of format version \(version) is known but this build cannot read it; offer version 14, 15 or 16 instead"
        case .unableToDecode(let fault): "the metadata does not decode: \(fault)"
        case .noSystemPallet: "the metadata has no pallet System"
        case .noVersionInConstants: "the pallet System has no constant Version"
        case .runtimeVersionNotDecodeable: "the constant System.Version does not decode"
        case .base58PrefixNotDecodeable: "the constant System.SS58Prefix does not decode"
        case .base58PrefixSpecsMismatch(let metadata, let specs):
            "the metadata's address prefix is \(metadata), the network record's is \(specs)"
        case .blobTooLarge(let count):
            "a metadata blob of \(count) bytes; at most \(MetadataLimits.blobByteCount) are read"
        }
    }
}

extension MetadataFault: CustomStringConvertible {
    /// What happened, in plain words.
    public var description: String {
        switch self {
        case .malformed(let error): error.description
        case .typeOutOfPlace(let offset, let expected, let found):
            "at byte \(offset): type \(expected) says that it is type \(found)"
        case .tooManyTypes(let count): "\(count) types; at most \(MetadataLimits.types) are read"
        case .unknownIndex(let offset, let kind, let found): "at byte \(offset): \(found) is no \(kind)"
        case .trailingBytes(let offset, let count): "at byte \(offset): \(count) bytes are left over"
        case .tooManyExtensions(let offset, let count):
            "at byte \(offset): \(count) transaction extensions; at most \(MetadataLimits.extensions) are read"
        case .noSignedExtensions(let offset):
            "at byte \(offset): no extensions for version \(ExtensionSet.signedVersion), the one of signed transactions"
        case .saidTwice(let offset, let kind):
            "at byte \(offset): a \(kind) that an earlier one has; no runtime gives it twice, so do not use these metadata"
        case .extensionOutOfRange(let offset, let position):
            "at byte \(offset): extension \(position) is named and not listed"
        }
    }
}
