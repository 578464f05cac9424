import BigEndian
import CSodium
import SecretMemory

/// A key item as it is kept in a file:
///
///     "MKI1" | version 1 | access u8 | 0 u16 | label u16 length, UTF-8 | payload u32 length, bytes | checksum
///
/// The checksum, the first 8 bytes of SHA-256 over all before, finds damage, not malice: a payload that must not be
/// changed is sealed before it comes here.
///
/// Source: `mainkey` section 19.
package struct KeyItem: Sendable {
    /// The most bytes of a payload; a token or a key is far smaller.
    package static let mostPayloadBytes = 1 << 20
    package static let mostLabelBytes = 65_535
    static let mostBytes = headCount + mostLabelBytes + 4 + mostPayloadBytes + checksumCount

    private static let magic = Array("MKI1".utf8)
    private static let version: UInt8 = 1
    /// The bytes of the head, up to and with the length of the label.
    private static let headCount = 10
    private static let checksumCount = 8

    package let label: String
    package let access: Accessibility
    /// The payload: raw bytes for ``Accessibility/always``, else a sealed value.
    package let payload: SecretBytes

    /// - Throws: `limitExceeded` if the label or the payload is too long.
    func encoded() throws(MainKeyError) -> SecretBytes {
        let label = Array(label.utf8)
        guard label.count <= Self.mostLabelBytes, payload.count <= Self.mostPayloadBytes else {
            throw .limitExceeded(
                reason: "a key item has a label of at most \(Self.mostLabelBytes) bytes and at most "
                    + "\(Self.mostPayloadBytes) bytes of content")
        }
        let head =
            Self.magic + [Self.version, access.rawValue, 0, 0] + [UInt8](bigEndian: UInt16(label.count)) + label
            + [UInt8](bigEndian: UInt32(payload.count))
        let body = head.count + payload.count
        return try secret {
            try SecretBytes(count: body + Self.checksumCount) { buffer in
                buffer.copyBytes(from: head)
                payload.withUnsafeBytes {
                    UnsafeMutableRawBufferPointer(rebasing: buffer[head.count...]).copyBytes(from: $0)
                }
                let checksum = Self.checksum(UnsafeRawBufferPointer(rebasing: buffer[..<body]))
                UnsafeMutableRawBufferPointer(rebasing: buffer[body...]).copyBytes(from: checksum)
            }
        }
    }
}

extension KeyItem {
    /// Reads a file's bytes.
    ///
    /// - Throws: `truncated`, `badMagic`, `unsupportedVersion` or `malformed`, each of a key item.
    init(_ file: SecretBytes) throws(MainKeyError) {
        let layout = try file.withUnsafeBytes { (bytes) throws(MainKeyError) in try Layout(bytes) }
        label = layout.label
        access = layout.access
        payload = try secret { try file.part(layout.payload) }
    }

    /// What a file says of itself, checked.
    private struct Layout {
        let label: String
        let access: Accessibility
        let payload: Range<Int>

        init(_ bytes: UnsafeRawBufferPointer) throws(MainKeyError) {
            guard bytes.count >= KeyItem.magic.count else { throw .truncated(.item) }
            guard bytes.starts(with: KeyItem.magic) else { throw .badMagic(.item) }
            guard bytes.count >= KeyItem.headCount else { throw .truncated(.item) }
            guard bytes[4] == KeyItem.version else { throw .unsupportedVersion(.item, found: Int(bytes[4])) }
            guard let access = Accessibility(rawValue: bytes[5]) else {
                throw .unsupportedVersion(.item, found: Int(bytes[5]))
            }
            guard bytes[6] == 0, bytes[7] == 0 else { throw .malformed(.item, reason: "reserved bytes are not zero") }
            self.access = access

            let labelEnd = KeyItem.headCount + Int(bytes[8]) << 8 + Int(bytes[9])
            guard bytes.count >= labelEnd + 4 else { throw .truncated(.item) }
            let labelBytes = UnsafeRawBufferPointer(rebasing: bytes[KeyItem.headCount..<labelEnd])
            guard let label = String(validating: labelBytes, as: UTF8.self) else {
                throw .malformed(.item, reason: "the label is not UTF-8")
            }
            self.label = label

            let payloadCount = bytes[labelEnd..<labelEnd + 4].reduce(0) { $0 << 8 | Int($1) }
            guard payloadCount <= KeyItem.mostPayloadBytes else {
                throw .malformed(
                    .item, reason: "its content has \(payloadCount) bytes; at most \(KeyItem.mostPayloadBytes)")
            }
            payload = labelEnd + 4..<labelEnd + 4 + payloadCount
            let end = payload.upperBound + KeyItem.checksumCount
            guard bytes.count >= end else { throw .truncated(.item) }
            guard bytes.count == end else {
                throw .malformed(.item, reason: "\(bytes.count - end) bytes follow its end")
            }
            let checksum = KeyItem.checksum(UnsafeRawBufferPointer(rebasing: bytes[..<payload.upperBound]))
            guard bytes[payload.upperBound...].elementsEqual(checksum) else {
                throw .malformed(.item, reason: "its checksum does not match; restore the file from a backup")
            }
        }
    }

    private static func checksum(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        Array(sha256(bytes).prefix(checksumCount))
    }
}

/// The SHA-256 of bytes.
func sha256(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
    crypto_hash_sha256(&digest, bytes.asBytes, UInt64(bytes.count))
    return digest
}
