import TestSupport
import Testing

@testable import TextForms

@Suite("UTF8Check")
struct UTF8CheckTests {
    /// - Returns: whether the whole is UTF-8, asked in two parts.
    private func isText(_ bytes: [UInt8], cut: Int) -> Bool {
        var check = UTF8Check()
        return bytes.withUnsafeBytes {
            check.firstError(in: UnsafeRawBufferPointer(rebasing: $0[..<cut])) == nil
                && check.firstError(in: UnsafeRawBufferPointer(rebasing: $0[cut...])) == nil && check.isComplete
        }
    }

    private func firstError(_ bytes: [UInt8]) -> Int? { bytes.withUnsafeBytes { UTF8Check.firstError(in: $0) } }

    @Test("it agrees with the standard library on every two bytes, and on every character and its neighbours")
    func exhaustive() {
        for first in 0...255 {
            for second in 0...255 {
                let bytes = [UInt8(first), UInt8(second)]
                #expect(isText(bytes, cut: 1) == (String(validating: bytes, as: UTF8.self) != nil))
            }
        }
        for value in stride(from: UInt32(0), through: 0x10_ffff, by: 61) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            var bytes = Array(String(scalar).utf8)
            for cut in 0...bytes.count { #expect(isText(bytes, cut: cut)) }
            for delta in [0x10, 0x40, 0x80] as [UInt8] {
                bytes[bytes.count - 1] ^= delta
                #expect(isText(bytes, cut: 1) == (String(validating: bytes, as: UTF8.self) != nil))
            }
        }
    }

    @Test("it agrees with the standard library on changed text, wherever it is cut")
    func random() {
        var random = SplitMix64(state: 2)
        let text = Array("The quick brown fox jumps over the lazy dog. Эх, чужак! 日本語 😀\u{10ffff}\u{800}\u{7ff}".utf8)
        for round in 0..<5_000 {
            var bytes = text
            if round > 100 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
            let cut = Int.random(in: 0...bytes.count, using: &random)
            #expect(isText(bytes, cut: cut) == (String(validating: bytes, as: UTF8.self) != nil))
            #expect(UTF8Check.isValid(bytes[...]) == isText(bytes, cut: cut))
            let made = bytes.withUnsafeBufferPointer { UTF8Check.text(of: $0) }
            #expect(made.map { Array($0.utf8) } == (isText(bytes, cut: cut) ? bytes : nil))
        }
    }

    @Test("ASCII of every length, with one byte that is none at every place")
    func ascii() {
        for count in 0..<100 {
            #expect(firstError(Array(repeating: 0x41, count: count)) == nil)
            for place in 0..<count {
                var bytes = [UInt8](repeating: 0x7f, count: count)
                bytes[place] = 0xff
                #expect(firstError(bytes) == place)
            }
        }
    }

    /// The Unicode Standard, section 3.9: tables 3-8 to 3-11, the first byte with which each can no longer be text.
    @Test(
        "the first wrong byte of the standard's ill-formed sequences",
        arguments: [
            ([0xc0, 0xaf, 0xe0, 0x80, 0xbf, 0xf0, 0x81, 0x82, 0x41], 0), ([0xe0, 0x80, 0xbf], 1),
            ([0xf0, 0x81, 0x82], 1), ([0xed, 0xa0, 0x80, 0xed, 0xbf, 0xbf], 1), ([0xf4, 0x91, 0x92, 0x93], 1),
            ([0xff], 0), ([0x41, 0x80], 1), ([0xe1, 0x80, 0xe2, 0xf0, 0x91, 0x92], 2), ([0xf1, 0xbf, 0x41], 2),
            ([0xf5, 0x80], 0), ([0xc1, 0x80], 0),
            // Text that is cut goes wrong at its end.
            ([0xe1, 0x80], 2), ([0x41, 0xf0, 0x91, 0x92], 4), ([0xc3], 1),
        ] as [([UInt8], Int)])
    func places(bytes: [UInt8], place: Int) { #expect(firstError(bytes) == place) }

    @Test("it says how much of a character there is")
    func pending() {
        var check = UTF8Check()
        let bytes = Array("é😀".utf8)
        var counts: [Int] = []
        for byte in bytes {
            #expect([byte].withUnsafeBytes { check.firstError(in: $0) } == nil)
            counts.append(check.pending)
        }
        #expect(counts == [1, 0, 1, 2, 3, 0])
        let wrong: [UInt8] = [0x41, 0xe2, 0x82, 0x41]
        #expect(wrong.withUnsafeBytes { check.firstError(in: $0) } == 3)
        #expect(check.pending == 2 && !check.isComplete)
    }
}
