import StrictJSON
import TextForms

extension BackupShare {
    /// Longer than what a code holds; no larger text is read.
    public static let longestText = 16_384

    /// Whether scanned bytes can be the text of a share: JSON, which none of the frames of a film is.
    public static func isPlausible(_ bytes: [UInt8]) -> Bool {
        guard let first = bytes.first(where: { !Self.blanks.contains($0) }) else { return false }
        return first == UInt8(ascii: "{") && bytes.allSatisfy { $0 >= 0x20 || blanks.contains($0) }
            && bytes.withUnsafeBytes { UTF8Check.isValid($0) }
    }

    private static let blanks: [UInt8] = [0x20, 0x09, 0x0a, 0x0d]

    /// Reads the text of a share of version 0 or 1.
    ///
    /// The nonce is judged by the set: of a first share it must have 24 bytes, of a further one be the same.
    ///
    /// - Parameter bytes: what a code held: JSON, whose unknown members are passed over.
    public init(reading bytes: [UInt8]) throws(ShareError) {
        let members = try Members(of: bytes)
        version = try members.version()
        title = members.title
        required = try members.required()
        let data = members.data
        guard let first = data.utf8.first else { throw .emptyShare }
        guard let bits = Self.base36(first) else { throw .parseBit }
        guard let field = GaloisField(bits: bits) else { throw .bitsOutOfRange(bits) }
        let body: [UInt8]
        switch version {
        case .base64:
            guard let bytes = Base64.decode(data.utf8.dropFirst().map { $0 }, .standard) else { throw .bodyNotBase64 }
            body = bytes
        case .hexadecimal:
            guard let bytes = Self.hex(data.utf8.dropFirst()) else { throw .undefinedBodyNotHex }
            body = bytes
        }
        let size = Self.numberSize(in: field)
        guard body.count > size else { throw .shareTooShort }
        number = body[..<size].reduce(0) { $0 << 8 | UInt32($1) }
        guard 1...field.largest ~= number else { throw .shareNumberZero }
        self.field = field
        content = Array(body[size...])
        nonce = version == .base64 ? Base64.decode(members.nonce, .standard) : Self.hex(members.nonce.utf8[...])
    }

    private static func base36(_ character: UInt8) -> Int? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(character - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(character - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(character - UInt8(ascii: "A")) + 10
        default: nil
        }
    }

    /// Hex without the prefix that is common elsewhere.
    private static func hex(_ digits: Substring.UTF8View) -> [UInt8]? {
        digits.dropFirst().first == UInt8(ascii: "x") ? nil : Hex.decode(Substring(digits))
    }

    /// The members of the object, of the types that they must have. The numbers are judged later.
    private struct Members {
        let title: String
        let data: String
        let nonce: String
        private let versionValue: JSON?
        private let requiredValue: JSON

        init(of bytes: [UInt8]) throws(ShareError) {
            let reader = JSONReader(maximumBytes: BackupShare.longestText, maximumValues: 256)
            guard let json = try? reader.read(bytes), let title = json["t"]?.string, let required = json["r"],
                let data = json["d"]?.string, let nonce = json["n"]?.string
            else { throw .jsonParsing }
            self.title = title
            self.data = data
            self.nonce = nonce
            versionValue = json["v"]
            requiredValue = required
        }

        func version() throws(ShareError) -> Version {
            guard let versionValue else { return .hexadecimal }
            guard versionValue.integer == 1 else { throw .versionNotSupported }
            return .base64
        }

        func required() throws(ShareError) -> Int {
            guard let required = requiredValue.integer, 1...mostRequired ~= required else {
                throw .requiredShardsNotSupported
            }
            return required
        }
    }
}
