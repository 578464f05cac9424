/// The digests of several images that belong together.
///
/// Source: Vigil specification, 3.7.
public enum BundleDigest {
    /// One image of a bundle.
    public struct Entry: Hashable, Sendable {
        /// The path from the root of the bundle, with `/` between its parts.
        public let path: String
        /// The digest of the image.
        public let text2: ImageDigest

        /// - Throws: ``BundlePathError`` if the path does not name a file inside a bundle.
        public init(path: String, text2: ImageDigest) throws(BundlePathError) {
            try BundlePathError.check(path)
            self.path = path
            self.text2 = text2
        }
    }

    /// `bundle2` of images of one architecture, in whatever order.
    ///
    /// - Throws: ``ImageFailure/noHash(_:)``.
    public static func bundle2(_ entries: [Entry]) throws(ImageFailure) -> ImageDigest {
        let stream = try HashStream()
        stream.update(Array("vigil/bundle/v2\0".utf8) + UInt32(entries.count).bigEndianBytes)
        for entry in entries.sorted(by: { isPath($0.path, before: $1.path) }) {
            let path = Array(entry.path.utf8)
            stream.update(UInt16(path.count).bigEndianBytes + path)
            entry.text2.withUnsafeBytes { stream.update($0) }
        }
        return try ImageDigest(of: stream)
    }

    /// The seed's digest of several images: of one, its own `text1`; of more, the hash of theirs in this order.
    ///
    /// - Returns: nil if there is none.
    package static func combineHashes(_ hashes: [ImageDigest]) throws(ImageFailure) -> ImageDigest? {
        guard hashes.count != 1 else { return hashes[0] }
        guard !hashes.isEmpty else { return nil }
        return try ImageDigest(hashing: hashes.flatMap(\.bytes))
    }

    /// The order of paths: by their UTF-8 bytes.
    package static func isPath(_ one: String, before other: String) -> Bool {
        one.utf8.lexicographicallyPrecedes(other.utf8)
    }
}

/// Why a path does not name a file inside a bundle.
public enum BundlePathError: Error, Hashable, Sendable {
    /// The path is empty, begins with `/`, or has a part that is empty, `.` or `..`.
    case notInside(String)
    /// The path has more bytes than 16 bits count.
    case tooLong(String)

    /// Source: Vigil specification, 3.7.
    static func check(_ path: String) throws(BundlePathError) {
        guard path.utf8.count <= Int(UInt16.max) else { throw .tooLong(path) }
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let isInside = parts.allSatisfy { !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) }
        guard isInside else { throw .notInside(path) }
    }
}

extension BundlePathError: CustomStringConvertible {
    /// What is wrong, with which entry.
    public var description: String {
        switch self {
        case .notInside(let path): "'\(path)' is no path inside a bundle. Give one such as lib/libsample.so."
        case .tooLong(let path): "A path of \(path.utf8.count) bytes is too long for a bundle. Use at most 65535."
        }
    }
}
