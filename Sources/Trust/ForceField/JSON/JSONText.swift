/// JSON to be written, with its members in the order in which they are given.
package indirect enum JSONText: Sendable {
    case null
    case bool(Bool)
    /// The digits of a number.
    case literal(String)
    case string(String)
    case array([JSONText])
    /// Members that are nil are left out.
    case object([(String, JSONText?)])

    package static func number(_ number: some BinaryInteger) -> JSONText { .literal(String(number)) }

    /// The text on one line, without space.
    package var text: String {
        var text = ""
        write(to: &text)
        return text
    }

    private func write(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .bool(let flag): text += flag ? "true" : "false"
        case .literal(let digits): text += digits
        case .string(let string): Self.write(string, to: &text)
        case .array(let elements):
            text += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { text += "," }
                element.write(to: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            var isFirst = true
            for case (let name, let value?) in members {
                if !isFirst { text += "," }
                isFirst = false
                Self.write(name, to: &text)
                text += ":"
                value.write(to: &text)
            }
            text += "}"
        }
    }

    private static func write(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case "\n": text += "\\n"
            case _ where scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value) || isHidden(scalar):
                write(escaped: scalar, to: &text)
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }

    /// Characters that reorder or hide text where someone looks at the JSON.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    private static func write(escaped scalar: Unicode.Scalar, to text: inout String) {
        for unit in String(scalar).utf16 {
            let digits = String(unit, radix: 16)
            text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }
}
