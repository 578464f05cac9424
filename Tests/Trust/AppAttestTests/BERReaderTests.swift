import TestSupport
import Testing

@testable import AppAttest

@Suite("BER and DER")
struct BERReaderTests {
    private func isRead(_ bytes: [UInt8], _ rules: BERRules) -> Bool {
        (try? BERReader.single(bytes[...], rules: rules)) != nil
    }

    @Test("DER is read by both rules")
    func both() {
        for bytes: [UInt8] in [
            [0x05, 0x00], [0x30, 0x00], [0x30, 0x03, 0x02, 0x01, 0x05], [0xbf, 0x89, 0x34, 0x02, 0x04, 0x00],
            [0x04, 0x81, 0x80] + Array(repeating: 7, count: 128),
        ] {
            #expect(isRead(bytes, .basic) && isRead(bytes, .distinguished))
        }
    }

    @Test("indefinite and needlessly long lengths are read as BER alone")
    func basicOnly() {
        for bytes: [UInt8] in [
            [0x30, 0x80, 0x00, 0x00], [0x30, 0x80, 0x30, 0x80, 0x05, 0x00, 0x00, 0x00, 0x00, 0x00],
            [0x04, 0x81, 0x01, 0x07], [0x04, 0x84, 0x00, 0x00, 0x00, 0x01, 0x07],
        ] {
            #expect(isRead(bytes, .basic))
            #expect(!isRead(bytes, .distinguished))
        }
    }

    @Test(
        "neither reads what is malformed",
        arguments: [
            [], [0x30], [0x30, 0x01], [0x04, 0x80, 0x00, 0x00], [0x30, 0x80], [0x30, 0x80, 0x00], [0x00, 0x00],
            [0x30, 0x02, 0x00, 0x00], [0x30, 0x00, 0x00], [0x04, 0x85, 0, 0, 0, 0, 0], [0x04, 0xff],
            [0x04, 0x84, 0xff, 0xff, 0xff, 0xff], [0x30, 0x02, 0x04, 0x05], [0x1f, 0x80, 0x01, 0x00],
            [0x1f, 0x1e, 0x00],
            [0xbf, 0xff, 0xff, 0xff, 0xff, 0x01, 0x00], [0xbf, 0x89], [0x30, 0x80, 0x04, 0x80, 0x00, 0x00, 0x00, 0x00],
        ] as [[UInt8]])
    func malformed(bytes: [UInt8]) {
        #expect(!isRead(bytes, .basic) && !isRead(bytes, .distinguished))
    }

    @Test("sixteen elements within each other are read, seventeen are not, of either kind of length")
    func depth() {
        func nested(_ count: Int) -> [UInt8] {
            (1..<count).reduce([0x30, 0x00]) { bytes, _ in [0x30, UInt8(bytes.count)] + bytes }
        }
        #expect(isRead(nested(16), .basic) && !isRead(nested(17), .basic))
        func indefinite(_ count: Int) -> [UInt8] {
            Array(repeating: [0x30, 0x80], count: count).flatMap(\.self) + Array(repeating: 0, count: 2 * count)
        }
        #expect(isRead(indefinite(16), .basic) && !isRead(indefinite(17), .basic))
        #expect(!isRead(indefinite(8_000), .basic))
        #expect(!isRead(Array(repeating: [0x30, 0x80], count: 8_000).flatMap(\.self), .basic))
    }

    @Test(
        "tags of more than one byte have their numbers",
        arguments: [(1204, [0xbf, 0x89, 0x34]), (1400, [0xbf, 0x8a, 0x78])] as [(UInt32, [UInt8])])
    func longTags(number: UInt32, tag: [UInt8]) throws {
        #expect(try BERReader.single((tag + [0x00])[...], rules: .distinguished).tag == .explicit(number))
    }

    @Test("random bytes never trap the reader of BER and DER")
    func random() {
        var random = SplitMix64(state: 6)
        for _ in 0..<50_000 {
            let bytes = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
                Bool.random(using: &random)
                    ? random.byte() : [0x30, 0x80, 0x00, 0x02, 0x24, 0x04][Int(random.byte()) % 6]
            }
            for rules in [BERRules.basic, .distinguished] {
                guard let element = try? BERReader.single(bytes[...], rules: rules) else { continue }
                #expect(Array(element.encoded) == bytes)
            }
        }
    }
}
