package import AppAttest
internal import Crypto
internal import TextForms

/// What a key is called outside the store: the SHA-256 of its id, so that a log tells nothing that an app sends.
package struct KeyName: Hashable, Sendable, CustomStringConvertible {
    /// The name as 64 hexadecimal digits.
    package let hex: String

    package init(_ key: KeyID) { hex = Hex.encode(Array(SHA256.hash(data: key.bytes))) }

    /// The name as logs show it: `sha:` and 12 digits.
    package var description: String { "sha:\(hex.prefix(12))" }

    /// The name as the upstream gets it: 32 digits.
    var forUpstream: String { String(hex.prefix(32)) }
}

/// The beginning of a key's name, by which an operator names it.
package struct KeyNamePrefix: Hashable, Sendable {
    /// The beginning as 12 to 64 hexadecimal digits.
    package let hex: String

    /// Reads 12 to 64 lower-case hexadecimal digits, with or without `sha:` before them.
    package init?(_ text: String) {
        let digits = text.hasPrefix("sha:") ? String(text.dropFirst(4)) : text
        guard (12...64).contains(digits.utf8.count),
            digits.utf8.allSatisfy({ ASCIIText.isDigit($0) || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0 })
        else { return nil }
        hex = digits
    }

    package func names(_ key: KeyID) -> Bool { KeyName(key).hex.hasPrefix(hex) }
}

extension KeyStore {
    private static var page: Int { 500 }

    /// The keys whose name begins so, at most two of them: an operator who names two has to write more digits.
    ///
    /// Names are not kept, so this reads the whole store.
    package func keys(named prefix: KeyNamePrefix) async throws(StoreError) -> [AttestedKey] {
        var found: [AttestedKey] = []
        var cursor: KeyID?
        while true {
            let keys = try await keys(after: cursor, limit: Self.page)
            found += keys.filter { prefix.names($0.id) }
            guard found.count < 2, let last = keys.last else { return Array(found.prefix(2)) }
            cursor = last.id
        }
    }
}
