extension JSONValue {
    /// The one text of this value: members in the order of the UTF-8 bytes of their names, no space, and no escapes but
    /// those that have to be.
    package var canonicalText: [UInt8] {
        var text: [UInt8] = []
        write(to: &text, indentation: nil)
        return text
    }

    /// The same for people to read: a line for each value, and one at the end.
    package var readableText: [UInt8] {
        var text: [UInt8] = []
        write(to: &text, indentation: 0)
        return text + [UInt8(ascii: "\n")]
    }

    /// - Parameter indentation: of the line that the value begins on; nil for no lines.
    private func write(to text: inout [UInt8], indentation: Int?) {
        switch self {
        case .null: text += "null".utf8
        case .bool(let flag): text += (flag ? "true" : "false").utf8
        case .integer(let number): text += String(number).utf8
        case .number(let number): text += number.utf8
        case .string(let string): Self.write(string, to: &text)
        case .array(let values):
            Self.write(values, between: ("[", "]"), to: &text, indentation: indentation) { value, text, inner in
                value.write(to: &text, indentation: inner)
            }
        case .object(let members):
            let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            Self.write(sorted, between: ("{", "}"), to: &text, indentation: indentation) { member, text, inner in
                Self.write(member.key, to: &text)
                text += (inner == nil ? ":" : ": ").utf8
                member.value.write(to: &text, indentation: inner)
            }
        }
    }

    private static func write<Element>(
        _ elements: [Element], between brackets: (open: Unicode.Scalar, close: Unicode.Scalar),
        to text: inout [UInt8], indentation: Int?, _ write: (Element, inout [UInt8], Int?) -> Void
    ) {
        text.append(UInt8(ascii: brackets.open))
        for (index, element) in elements.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            if let indentation { text += "\n".utf8 + [UInt8](repeating: 0x20, count: indentation + 2) }
            write(element, &text, indentation.map { $0 + 2 })
        }
        if let indentation, !elements.isEmpty { text += "\n".utf8 + [UInt8](repeating: 0x20, count: indentation) }
        text.append(UInt8(ascii: brackets.close))
    }

    private static func write(_ string: String, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "\""))
        for byte in string.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): text += [UInt8(ascii: "\\"), byte]
            case ..<0x20: text += "\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8
            default: text.append(byte)
            }
        }
        text.append(UInt8(ascii: "\""))
    }
}
