/// The name of a key or sealed secret, which is also that of its files.
package struct KeyTag: Hashable, Sendable {
    package let text: String

    /// - Parameter text: 1 to 100 of the characters `A-Z a-z 0-9 . _ -`, without a dot at the start.
    package init(_ text: String) throws(HardwareKeyError) {
        let allowed = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        guard allowed, (1...100).contains(text.utf8.count), !text.hasPrefix(".") else { throw .invalidTag(text) }
        self.text = text
    }

    /// The tag as the key files hold it: behind its 16-bit count.
    var field: [UInt8] {
        var field: [UInt8] = []
        field.append(sized: Array(text.utf8))
        return field
    }
}
