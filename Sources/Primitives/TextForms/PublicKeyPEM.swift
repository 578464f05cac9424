/// A P-256 public key in a file: PEM of SubjectPublicKeyInfo, which is a fixed beginning and the point.
///
/// Source: RFC 7468 section 13, RFC 5480.
package enum PublicKeyPEM {
    /// Bytes of an uncompressed X9.62 point.
    package static let pointLength = 65

    /// DER before the point: SEQUENCE { SEQUENCE { ecPublicKey, prime256v1 }, BIT STRING of 65 bytes }
    package static let beginning: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48,
        0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
    ]
    private static let header = "-----BEGIN PUBLIC KEY-----"
    private static let footer = "-----END PUBLIC KEY-----"
    private static let lineLength = 64

    /// - Parameter point: ``pointLength`` bytes.
    package static func encode(_ point: [UInt8]) -> String {
        var text: [UInt8] = []
        append(point, lineEnd: "\n", to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// - Parameters:
    ///   - point: ``pointLength`` bytes.
    ///   - lineEnd: within a JSON string, its escape.
    package static func append(_ point: [UInt8], lineEnd: String, to text: inout [UInt8]) {
        var lines: [UInt8] = []
        Base64.append(beginning + point, to: &lines)
        text += header.utf8
        text += lineEnd.utf8
        for start in stride(from: 0, to: lines.count, by: lineLength) {
            text += lines[start..<min(start + lineLength, lines.count)]
            text += lineEnd.utf8
        }
        text += footer.utf8
        text += lineEnd.utf8
    }

    /// Reads one key and nothing around it: lines end with LF or CR LF, the last with nothing too.
    ///
    /// - Returns: nil for anything else, also for a key of another kind. Whether the point is on the curve is not
    ///   asked.
    package static func decode(_ text: String) -> [UInt8]? {
        let bytes = Array(text.utf8)
        guard bytes.count <= 512 else { return nil }
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        lines = lines.map { $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0 }
        guard let first = lines.first, first.elementsEqual(header.utf8), let last = lines.last,
            last.elementsEqual(footer.utf8)
        else { return nil }
        let content = lines.dropFirst().dropLast()
        guard content.allSatisfy({ !$0.isEmpty }), let key = Base64.decode(Array(content.joined()), .standard),
            key.count == beginning.count + pointLength, key.starts(with: beginning), key[beginning.count] == 4
        else { return nil }
        return Array(key[beginning.count...])
    }
}
