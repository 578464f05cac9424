/// The order of names that carry numbers: `code2` is before `code10`.
package enum NumberedNames {
    /// Whether `one` stands before `other`: runs of digits are compared as numbers, all else by its bytes. Names that
    /// are equal then are told apart by their bytes.
    package static func isOrdered(_ one: String, before other: String) -> Bool {
        let (these, those) = (parts(of: one), parts(of: other))
        for (this, that) in zip(these, those) where this != that { return this < that }
        if these.count != those.count { return these.count < those.count }
        return one.utf8.lexicographicallyPrecedes(other.utf8)
    }

    private enum Part: Comparable {
        /// Without zeros in front: the longer one is greater.
        case number(count: Int, digits: [UInt8])
        case byte(UInt8)

        static func < (one: Part, other: Part) -> Bool {
            switch (one, other) {
            case (.number(let count, let digits), .number(let otherCount, let otherDigits)):
                count == otherCount ? digits.lexicographicallyPrecedes(otherDigits) : count < otherCount
            case (.byte(let byte), .byte(let otherByte)): byte < otherByte
            case (.number, .byte(let byte)): UInt8(ascii: "0") < byte
            case (.byte(let byte), .number): byte < UInt8(ascii: "0")
            }
        }
    }

    private static func parts(of name: String) -> [Part] {
        var parts: [Part] = []
        var rest = Array(name.utf8)[...]
        while let byte = rest.first {
            let digits = rest.prefix { 0x30...0x39 ~= $0 }
            if digits.isEmpty {
                parts.append(.byte(byte))
                rest = rest.dropFirst()
            } else {
                let number = digits.drop { $0 == 0x30 }
                parts.append(.number(count: number.count, digits: Array(number)))
                rest = rest.dropFirst(digits.count)
            }
        }
        return parts
    }
}
