import Foundation
import MainKey

/// A property list in its binary form only: a text form could not come out of Keymaker.
enum BinaryPropertyList {
    private static let magic = Array("bplist00".utf8)

    /// - Throws: ``MainKeyError/authFailed(_:chunk:)`` if the bytes do not begin as such a list does,
    ///   ``MainKeyError/malformed(_:reason:)`` if they do and hold something else.
    static func decode<T: Decodable>(
        _ type: T.Type, from bytes: UnsafeRawBufferPointer, as part: MainKeyError.Part
    ) throws(MainKeyError) -> T {
        guard let start = bytes.baseAddress, bytes.starts(with: magic) else { throw .authFailed(part) }
        // Read-only use within this function: nothing is freed or written through it.
        let data = Data(
            bytesNoCopy: UnsafeMutableRawPointer(mutating: start), count: bytes.count, deallocator: .none)
        do {
            return try PropertyListDecoder().decode(type, from: data)
        } catch {
            // Foundation's own words may quote the value.
            throw .malformed(part, reason: "its property list is damaged or holds another type than asked for")
        }
    }
}
