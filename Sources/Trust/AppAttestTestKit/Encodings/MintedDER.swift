import BigEndian
import TextForms

/// ASN.1 that is written for tests: what is right, and what must be refused.
package enum MintedDER {
    package static func element(tag: [UInt8], _ content: [UInt8]) -> [UInt8] { tag + length(content.count) + content }

    /// An element with an indefinite length, as BER has it.
    package static func indefinite(tag: [UInt8], _ content: [UInt8]) -> [UInt8] { tag + [0x80] + content + [0, 0] }

    package static func sequence(_ parts: [UInt8]...) -> [UInt8] { element(tag: [0x30], parts.flatMap(\.self)) }

    package static func set(_ parts: [UInt8]...) -> [UInt8] { element(tag: [0x31], parts.flatMap(\.self)) }

    /// A positive integer from its bytes, the most significant first.
    package static func integer(_ bytes: [UInt8]) -> [UInt8] {
        let digits = Array(bytes.drop { $0 == 0 })
        return element(tag: [0x02], (digits.first ?? 0) >= 0x80 || digits.isEmpty ? [0] + digits : digits)
    }

    package static func integer(_ value: Int) -> [UInt8] {
        integer([UInt8](bigEndian: UInt64(value)))
    }

    package static func octets(_ content: [UInt8]) -> [UInt8] { element(tag: [0x04], content) }

    /// A bit string of whole bytes.
    package static func bits(_ content: [UInt8]) -> [UInt8] { element(tag: [0x03], [0] + content) }

    package static func utf8(_ text: String) -> [UInt8] { element(tag: [0x0c], Array(text.utf8)) }

    package static let null: [UInt8] = [0x05, 0x00]
    package static let yes: [UInt8] = [0x01, 0x01, 0xff]

    /// - Parameter id: numbers with full stops between them, at least two.
    package static func objectIdentifier(_ id: String) -> [UInt8] {
        let arcs = id.split(separator: ".").compactMap { UInt64($0) }
        return element(tag: [0x06], ([arcs[0] * 40 + arcs[1]] + arcs[2...]).flatMap(base128))
    }

    /// The element `[number] { content }`.
    package static func tagged(_ number: UInt64, _ content: [UInt8]) -> [UInt8] {
        element(tag: tag(number), content)
    }

    static func tag(_ number: UInt64) -> [UInt8] {
        number < 31 ? [0xa0 | UInt8(number)] : [0xbf] + base128(number)
    }

    /// The form that certificates have until 2049, or the other after it, which differs by the century alone.
    package static func time(_ time: UTCTimestamp) -> [UInt8] {
        let digits = time.rfc3339(.none).utf8.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        let text = digits + [UInt8(ascii: "Z")]
        return time.civil.date.year < 2_050 ? element(tag: [0x17], Array(text[2...])) : element(tag: [0x18], text)
    }

    private static func length(_ count: Int) -> [UInt8] {
        if count < 0x80 { return [UInt8(count)] }
        let digits = [UInt8](bigEndian: UInt64(count)).drop { $0 == 0 }
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
