import AppAttest
import GateTestKit
import TextForms

/// What a device sent: as bytes, as Base64, or as hex.
enum EncodedFile {
    /// Reads a file in any of the forms; `-` is standard input.
    static func read(_ path: String) throws -> [UInt8] {
        let bytes: [UInt8]
        do { bytes = try SmallFile.read(path) } catch {
            throw Failure.unreadable(path: path, reason: error.reason)
        }
        // CBOR maps of these kinds begin with 0xa2 or 0xa3, CMS with 0x30 and a length: none of that is text.
        guard let text = String(validating: bytes, as: UTF8.self) else { return bytes }
        let words = text.split { $0.isWhitespace }.joined()
        return Hex.decode(words) ?? Base64.decode(words) ?? bytes
    }

    /// Reads the hexadecimal digits of an argument.
    static func hex(_ text: String, of what: String) throws -> [UInt8] {
        guard let bytes = Hex.decode(text) else { throw Failure.notHex(what) }
        return bytes
    }
}
