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

    /// How many keys are looked for: a whole name is one key's, and who names two by a beginning has to write more
    /// digits.
    var mostKeys: Int { hex.utf8.count == 64 ? 1 : 2 }

    /// The first of these keys that are named so, as many as are looked for. Names are not kept: each is made of its
    /// key, once.
    func find(in ids: some Sequence<KeyID>) -> [KeyID] {
        var found: [KeyID] = []
        for id in ids where names(id) {
            found.append(id)
            if found.count == mostKeys { break }
        }
        return found
    }
}
