internal import Crypto
internal import TextForms

/// An account of the service behind the gate, as the gate keeps it: a keyed hash of its name, which tells nobody who it
/// is.
///
/// Source: `appattest-gate` section 3.15.
package struct AccountTag: Hashable, Sendable {
    package static let byteCount = 32

    /// The keyed hash, 32 bytes.
    package let bytes: [UInt8]

    /// Returns nil unless there are 32 bytes.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = Array(bytes)
    }

    /// Reads 64 hexadecimal digits of lower case.
    package init?(hex text: some StringProtocol) {
        guard text.utf8.count == 2 * Self.byteCount, text == text.lowercased(), let bytes = Hex.decode(String(text))
        else {
            return nil
        }
        self.init(bytes: bytes)
    }

    /// The tag as 64 hexadecimal digits.
    package var hex: String { Hex.encode(bytes) }

    /// The tag as logs show it: `acc:` and 12 digits.
    package var shortName: String { "acc:\(hex.prefix(12))" }
}

/// Makes tags from the names that the service gives its accounts. Who has no secret cannot try names out.
///
/// Source: `appattest-gate` section 3.15.
package struct AccountNames: Sendable {
    package static let secretBytes = 32
    static let maximumNameBytes = 256

    private let key: SymmetricKey

    /// Returns nil unless the secret has 32 bytes.
    package init?(secret: [UInt8]) {
        guard secret.count == Self.secretBytes else { return nil }
        key = SymmetricKey(data: secret)
    }

    /// - Returns: nil for what is no name: nothing, more than 256 bytes, a control character, or blanks at an end.
    package func tag(of name: String) -> AccountTag? {
        guard 1...Self.maximumNameBytes ~= name.utf8.count, name.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }),
            name.utf8.first != 0x20, name.utf8.last != 0x20
        else { return nil }
        let code = HMAC<SHA256>.authenticationCode(for: Array("gate account".utf8) + [0] + Array(name.utf8), using: key)
        return AccountTag(bytes: Array(code))
    }
}
