/// A SHA-256 digest.
public struct ImageDigest: Hashable, Sendable {
    private let lanes: SIMD32<UInt8>

    /// - Returns: nil unless there are 32 bytes.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.size else { return nil }
        lanes = SIMD32(bytes)
    }

    init(of stream: HashStream) throws(ImageFailure) {
        lanes = try stream.finish { $0.loadUnaligned(as: SIMD32<UInt8>.self) }
    }

    /// The digest of an input that is at hand.
    init(hashing bytes: [UInt8]) throws(ImageFailure) {
        let stream = try HashStream()
        stream.update(bytes)
        try self.init(of: stream)
    }

    /// The digest of all bytes of a file, which need not be an executable, read in pieces.
    public init(ofAll bytes: any ImageBytes) throws(ImageFailure) {
        var pass = DigestPass()
        let number = pass.add(DigestPlan(file: bytes.count), try WholeDigest())
        try pass.run(over: bytes)
        self = try pass.result(number)
    }

    /// How many bytes a digest has.
    public static let size = 32

    /// The bytes of the digest.
    public var bytes: [UInt8] { withUnsafeBytes { Array($0) } }

    /// Lends the bytes of the digest.
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        Swift.withUnsafeBytes(of: lanes, body)
    }
}

extension ImageDigest: CustomStringConvertible {
    /// 64 lower-case hex digits.
    public var description: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

/// What a digest is of.
///
/// Source: Vigil specification, section 3.
public enum DigestKind: String, CaseIterable, Hashable, Sendable {
    /// The bytes of the code segment as they are: the definition of the seed. Signing changes it.
    case text1
    /// Canonical content of all code and read-only data: the identity of an image.
    case text2
    /// Canonical content of everything that is loaded, data included.
    case load2
    /// The whole file.
    case file
    /// The digests of the pages of what `text2` covers.
    case pageRoot
    /// What the kernel answers for a file that fs-verity protects.
    case fsverity
}

/// The pieces of a page digest.
public enum PageSize: UInt32, Hashable, Sendable {
    case kib4 = 4096
    case kib16 = 16384
}
