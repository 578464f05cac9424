import AppAttest

/// ASN.1 that is written for tests: what is right, and what must be refused.
public enum MintedDER {
    public static func element(_ tag: [UInt8], _ content: [UInt8]) -> [UInt8] { tag + length(content.count) + content }

    /// An element with an indefinite length, as BER has it.
    public static func indefinite(_ tag: [UInt8], _ content: [UInt8]) -> [UInt8] { tag + [0x80] + content + [0, 0] }

    public static func sequence(_ parts: [UInt8]...) -> [UInt8] { element([0x30], parts.flatMap(\.self)) }

    public static func set(_ parts: [UInt8]...) -> [UInt8] { element([0x31], parts.flatMap(\.self)) }

    /// A positive integer from its bytes, the most significant first.
    public static func integer(_ bytes: [UInt8]) -> [UInt8] {
        let digits = Array(bytes.drop { $0 == 0 })
        return element([0x02], (digits.first ?? 0) >= 0x80 || digits.isEmpty ? [0] + digits : digits)
    }

    public static func integer(_ value: Int) -> [UInt8] {
        integer(withUnsafeBytes(of: UInt64(value).bigEndian) { Array($0) })
    }

    public static func octets(_ content: [UInt8]) -> [UInt8] { element([0x04], content) }

    /// A bit string of whole bytes.
    public static func bits(_ content: [UInt8]) -> [UInt8] { element([0x03], [0] + content) }

    public static func utf8(_ text: String) -> [UInt8] { element([0x0c], Array(text.utf8)) }

    public static let null: [UInt8] = [0x05, 0x00]
    public static let yes: [UInt8] = [0x01, 0x01, 0xff]

    /// - Parameter id: numbers with full stops between them, at least two.
    public static func objectIdentifier(_ id: String) -> [UInt8] {
        let arcs = id.split(separator: ".").compactMap { UInt64($0) }
        return element([0x06], ([arcs[0] * 40 + arcs[1]] + arcs[2...]).flatMap(base128))
    }

    /// The element `[number] { content }`.
    public static func tagged(_ number: UInt64, _ content: [UInt8]) -> [UInt8] {
        element(tag(number), content)
    }

    static func tag(_ number: UInt64) -> [UInt8] {
        number < 31 ? [0xa0 | UInt8(number)] : [0xbf] + base128(number)
    }

    /// The form that certificates have until 2049, and the other after it.
    public static func time(_ time: UnixTime) -> [UInt8] {
        let date = CalendarDate(time)
        let digits = date.digits(.month) + date.digits(.day) + date.digits(.hour) + date.digits(.minute)
        let text = "\(digits)\(date.digits(.second))Z"
        return date.year < 2_050
            ? element([0x17], Array("\(date.twoDigitYear)\(text)".utf8))
            : element([0x18], Array("\(date.year)\(text)".utf8))
    }

    private static func length(_ count: Int) -> [UInt8] {
        if count < 0x80 { return [UInt8(count)] }
        let digits = withUnsafeBytes(of: UInt64(count).bigEndian) { Array($0.drop { $0 == 0 }) }
        return [0x80 | UInt8(digits.count)] + digits
    }

    private static func base128(_ value: UInt64) -> [UInt8] {
        var groups = [UInt8(value & 0x7f)]
        var rest = value >> 7
        while rest > 0 {
            groups.insert(UInt8(rest & 0x7f) | 0x80, at: 0)
            rest >>= 7
        }
        return groups
    }
}
