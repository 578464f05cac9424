import AppAttestTestKit
import TestSupport
import Testing

@testable import AppAttest

@Suite("CBOR of the profile")
struct CBORDecoderTests {
    private func error(_ bytes: [UInt8]) -> CBORError? {
        do throws(CBORError) {
            _ = try CBORDecoder.item(bytes[...])
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "examples of RFC 8949 appendix A are read",
        arguments: [
            ([0x00], .unsigned(0)), ([0x17], .unsigned(23)), ([0x18, 0x18], .unsigned(24)),
            ([0x19, 0x03, 0xe8], .unsigned(1_000)), ([0x1a, 0x00, 0x0f, 0x42, 0x40], .unsigned(1_000_000)),
            ([0x1b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], .unsigned(.max)), ([0x20], .negative(0)),
            ([0x38, 0x63], .negative(99)), ([0xf4], .bool(false)), ([0xf5], .bool(true)), ([0xf6], .null),
            ([0x40], .bytes([])), ([0x44, 1, 2, 3, 4], .bytes([1, 2, 3, 4])), ([0x60], .text([])),
            ([0x62, 0xc3, 0xbc], .text([0xc3, 0xbc])), ([0x80], .array([])),
            ([0x82, 0x01, 0x81, 0x02], .array([.unsigned(1), .array([.unsigned(2)])])),
            ([0xa1, 0x61, 0x61, 0x01], .map([CBOREntry(key: .text([0x61]), value: .unsigned(1))])),
        ] as [([UInt8], CBORItem)])
    func reads(bytes: [UInt8], item: CBORItem) throws {
        #expect(try CBORDecoder.item(bytes[...]) == item)
    }

    @Test(
        "each rule of the profile has its refusal",
        arguments: [
            ([], .truncated(offset: 0)),
            // Tags, floats, undefined, other simple values, indefinite lengths, break, reserved heads.
            ([0xc0, 0x00], .unsupported(offset: 0, head: 0xc0)),
            ([0xd9, 0xd9, 0xf7, 0x00], .unsupported(offset: 0, head: 0xd9)),
            ([0xf9, 0x3c, 0x00], .unsupported(offset: 0, head: 0xf9)), ([0xf7], .unsupported(offset: 0, head: 0xf7)),
            ([0xe0], .unsupported(offset: 0, head: 0xe0)), ([0xf8, 0xff], .unsupported(offset: 0, head: 0xf8)),
            ([0x5f, 0x41, 0x00, 0xff], .unsupported(offset: 0, head: 0x5f)),
            ([0x7f, 0xff], .unsupported(offset: 0, head: 0x7f)),
            ([0x9f, 0xff], .unsupported(offset: 0, head: 0x9f)), ([0xbf, 0xff], .unsupported(offset: 0, head: 0xbf)),
            ([0xff], .unsupported(offset: 0, head: 0xff)), ([0x1c], .unsupported(offset: 0, head: 0x1c)),
            ([0x1f], .unsupported(offset: 0, head: 0x1f)),
            // Longer heads than needed.
            ([0x18, 0x17], .notShortest(offset: 0)), ([0x19, 0x00, 0xff], .notShortest(offset: 0)),
            ([0x1a, 0x00, 0x00, 0xff, 0xff], .notShortest(offset: 0)),
            ([0x1b, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff], .notShortest(offset: 0)),
            ([0x58, 0x01, 0x00], .notShortest(offset: 0)), ([0xb8, 0x00], .notShortest(offset: 0)),
            // Lengths and counts that the bytes left cannot hold.
            ([0x18], .truncated(offset: 0)), ([0x1b, 1, 2], .truncated(offset: 0)),
            ([0x42, 0x00], .truncated(offset: 1)),
            ([0x5b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], .truncated(offset: 9)),
            ([0x9b, 0, 0, 0, 1, 0, 0, 0, 0], .truncated(offset: 0)), ([0x82, 0x00], .truncated(offset: 0)),
            ([0xbb, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], .truncated(offset: 0)),
            ([0xa1, 0x00], .truncated(offset: 0)), ([0x82, 0x00, 0x18], .truncated(offset: 2)),
            // Text, keys, what follows.
            ([0x62, 0xc3, 0x28], .badUTF8(offset: 0)), ([0x63, 0xed, 0xa0, 0x80], .badUTF8(offset: 0)),
            ([0xa1, 0x80, 0x00], .badKey(offset: 1)), ([0xa1, 0xf6, 0x00], .badKey(offset: 1)),
            ([0xa2, 0x01, 0x00, 0x01, 0x00], .duplicateKey(offset: 3)),
            ([0xa2, 0x61, 0x61, 0x00, 0x61, 0x61, 0x00], .duplicateKey(offset: 4)),
            ([0x00, 0x00], .trailingBytes(offset: 1)),
        ] as [([UInt8], CBORError)])
    func refuses(bytes: [UInt8], expected: CBORError) {
        #expect(error(bytes) == expected)
    }

    @Test("keys of different types are different keys, and their order is free")
    func keys() throws {
        let item = try CBORDecoder.item([0xa3, 0x61, 0x61, 0x00, 0x41, 0x61, 0x00, 0x01, 0x00][...])
        #expect(item.entries?.count == 3)
    }

    @Test("eight arrays and maps within each other are read, nine are not")
    func depth() {
        #expect(error(Array(repeating: 0x81, count: 8) + [0x00]) == nil)
        #expect(error(Array(repeating: 0x81, count: 9) + [0x00]) == .tooDeep(offset: 8))
        #expect(error(Array(repeating: 0x81, count: 30_000)) == .tooDeep(offset: 8))
        let maps: [UInt8] = (0..<9).flatMap { _ in [0xa1, 0x00] as [UInt8] }
        #expect(error(maps + [0x00]) == .tooDeep(offset: 16))
    }

    @Test("a map with thousands of keys costs no more than its bytes, and its last duplicate is found")
    func manyKeys() {
        let keys = (0..<6_000).map { (key: MintedCBOR.unsigned(UInt64($0)), value: MintedCBOR.unsigned(0)) }
        #expect(error(MintedCBOR.map(keys).encoded) == nil)
        #expect(
            error(MintedCBOR.map(keys + [keys[0]]).encoded).map { if case .duplicateKey = $0 { true } else { false } }
                == true)
    }

    @Test("what is read was written like that; random bytes never trap")
    func random() {
        var random = SplitMix64(state: 5)
        for _ in 0..<50_000 {
            let bytes = (0..<Int.random(in: 0..<40, using: &random)).map { _ in random.byte() }
            guard let item = try? CBORDecoder.item(bytes[...]) else { continue }
            #expect(item.minted.encoded == bytes)
        }
    }
}

extension CBORItem {
    fileprivate var minted: MintedCBOR {
        switch self {
        case .unsigned(let value): .unsigned(value)
        case .negative(let value): .negative(value)
        case .bytes(let slice): .bytes(Array(slice))
        case .text(let slice): .text(String(decoding: slice, as: UTF8.self))
        case .array(let items): .array(items.map(\.minted))
        case .map(let entries): .map(entries.map { (key: $0.key.minted, value: $0.value.minted) })
        case .bool(let value): .raw([value ? 0xf5 : 0xf4])
        case .null: .raw([0xf6])
        }
    }
}
