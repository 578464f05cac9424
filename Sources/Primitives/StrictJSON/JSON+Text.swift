extension JSON {
    /// The value as JSON. Reading it gives the same value.
    ///
    /// - Parameters:
    ///   - pretty: members and elements on lines of their own, two spaces a level; else no white space at all.
    ///   - escapesHidden: characters that hide or reorder text where people look at the JSON are written by their
    ///     numbers.
    public func text(pretty: Bool = false, escapesHidden: Bool = false) -> String {
        String(decoding: utf8(pretty: pretty, escapesHidden: escapesHidden), as: UTF8.self)
    }

    /// The same value with the members of all objects in the order of the UTF-8 bytes of their names, so that equal
    /// values have one text.
    public var sorted: JSON {
        switch self {
        case .array(let elements): .array(elements.map(\.sorted))
        case .object(let members):
            .object(
                members.map { Member(name: $0.name, value: $0.value.sorted) }
                    .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) })
        case .null, .bool, .number, .string: self
        }
    }

    /// ``text(pretty:escapesHidden:)`` as bytes.
    public func utf8(pretty: Bool = false, escapesHidden: Bool = false) -> [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes, indent: pretty ? 0 : nil, escapesHidden: escapesHidden)
        return bytes
    }

    /// Appends `text` as a JSON string, with its quotes.
    ///
    /// - Parameter escapesHidden: characters that hide or reorder text are written by their numbers.
    public static func write(quoted text: some StringProtocol, to bytes: inout [UInt8], escapesHidden: Bool = false) {
        bytes.append(UInt8(ascii: "\""))
        if escapesHidden {
            for scalar in text.unicodeScalars {
                if scalar.isHidden {
                    write(numberOf: scalar, to: &bytes)
                } else {
                    write(String(scalar).utf8, to: &bytes)
                }
            }
        } else {
            write(text.utf8, to: &bytes)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func write(numberOf scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        for unit in String(scalar).utf16 {
            let digits = String(unit, radix: 16)
            bytes += "\\u".utf8
            bytes += repeatElement(UInt8(ascii: "0"), count: 4 - digits.utf8.count)
            bytes += digits.utf8
        }
    }

    private static func write(_ text: some Sequence<UInt8>, to bytes: inout [UInt8]) {
        let digits: StaticString = "0123456789abcdef"
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0x08: bytes += "\\b".utf8
            case 0x09: bytes += "\\t".utf8
            case 0x0a: bytes += "\\n".utf8
            case 0x0c: bytes += "\\f".utf8
            case 0x0d: bytes += "\\r".utf8
            case 0..<0x20:
                bytes += "\\u00".utf8
                bytes += [digits.utf8Start[Int(byte >> 4)], digits.utf8Start[Int(byte & 15)]]
            default: bytes.append(byte)
            }
        }
    }

    /// - Parameter indent: levels around the value; nil: on one line.
    private func write(to bytes: inout [UInt8], indent: Int?, escapesHidden: Bool) {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .number(let text): bytes += text.utf8
        case .string(let text): Self.write(quoted: text, to: &bytes, escapesHidden: escapesHidden)
        case .array(let elements):
            Self.write(elements, between: "[", and: "]", to: &bytes, indent: indent) { element, bytes, inner in
                element.write(to: &bytes, indent: inner, escapesHidden: escapesHidden)
            }
        case .object(let members):
            Self.write(members, between: "{", and: "}", to: &bytes, indent: indent) { member, bytes, inner in
                Self.write(quoted: member.name, to: &bytes, escapesHidden: escapesHidden)
                bytes += (inner == nil ? ":" : ": ").utf8
                member.value.write(to: &bytes, indent: inner, escapesHidden: escapesHidden)
            }
        }
    }

    private static func write<Part>(
        _ parts: [Part], between start: String, and end: String, to bytes: inout [UInt8], indent: Int?,
        by write: (Part, inout [UInt8], Int?) -> Void
    ) {
        func breakLine(_ levels: Int?) {
            guard let levels else { return }
            bytes.append(UInt8(ascii: "\n"))
            bytes += repeatElement(UInt8(ascii: " "), count: 2 * levels)
        }
        bytes += start.utf8
        let inner = indent.map { $0 + 1 }
        for (index, part) in parts.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            breakLine(inner)
            write(part, &bytes, inner)
        }
        if !parts.isEmpty { breakLine(indent) }
        bytes += end.utf8
    }
}

extension Unicode.Scalar {
    /// Whether it hides or reorders text, or is a control character beyond ASCII's first 32.
    fileprivate var isHidden: Bool {
        switch properties.generalCategory {
        case .control: value >= 0x7f
        case .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
