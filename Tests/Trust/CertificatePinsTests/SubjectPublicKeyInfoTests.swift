import TestSupport
import Testing

@testable import CertificatePins

@Suite("The key in a certificate")
struct SubjectPublicKeyInfoTests {
    @Test("the key's bytes stand in the certificate as they are given")
    func verbatim() throws {
        let certificate = try PinFixture.certificate("leaf_ec")
        let key = Array(try SubjectPublicKeyInfo(certificate: certificate).derBytes)
        // An EC key on P-256: sequence, algorithm, and the 65 bytes of a point.
        #expect(key.count == 91)
        #expect(certificate.firstRange(of: key) != nil)
    }

    @Test("a certificate that is cut off anywhere, or followed by a byte, is refused")
    func cutOff() throws {
        let certificate = try PinFixture.certificate("leaf_rsa")
        for count in 0..<certificate.count {
            #expect(throws: PinError.self) { try SubjectPublicKeyInfo(certificate: Array(certificate[..<count])) }
        }
        #expect(throws: PinError.self) { try SubjectPublicKeyInfo(certificate: certificate + [0]) }
    }

    @Test("more bytes than any certificate has are refused unread")
    func tooLong() throws {
        let padding = [UInt8](repeating: 0x30, count: SubjectPublicKeyInfo.certificateLimit + 1)
        #expect {
            try SubjectPublicKeyInfo(certificate: padding)
        } throws: { error in
            if case PinError.limitExceeded = error { true } else { false }
        }
    }

    @Test("a structure with its elements in another order or of other kinds is refused", arguments: malformedFrames)
    func otherStructure(frame: Frame) {
        #expect(throws: PinError.self) { try SubjectPublicKeyInfo(certificate: frame.bytes) }
    }

    @Test("the frame that those are changed from is taken")
    func goodFrame() throws {
        let key = try SubjectPublicKeyInfo(certificate: Frame(name: "good", fields: Frame.fields).bytes)
        #expect(Array(key.derBytes) == Frame.key)
    }

    @Test("any one changed bit gives a key or a PinError, and the key stays what the bytes say")
    func flippedBits() throws {
        for name in ["leaf_ec", "leaf_rsa", "leaf_ed"] {
            let certificate = try PinFixture.certificate(name)
            for bit in 0..<(certificate.count * 8) {
                try read(certificate.flipping(bit: bit))
            }
        }
    }

    @Test("random changes of bytes, lengths and order never do more than throw")
    func mutated() throws {
        var random = SplitMix64(state: 26)
        let seeds = try PinFixture.names.map(PinFixture.certificate)
        for round in 0..<60_000 {
            var bytes = seeds[round % seeds.count]
            for _ in 0...Int.random(in: 0..<4, using: &random) {
                let position = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<5, using: &random) {
                case 0: bytes[position] = random.byte()
                case 1: bytes.insert(random.byte(), at: position)
                case 2: bytes.remove(at: position)
                // Lengths at the edges of their forms, and the indefinite one.
                case 3: bytes[position] = [0x7f, 0x80, 0x81, 0x82, 0x84, 0x88, 0xff, 0].randomElement(using: &random)!
                default: bytes.swapAt(position, Int.random(in: 0..<bytes.count, using: &random))
                }
            }
            try read(bytes)
        }
    }

    @Test("random bytes and deeply nested ones never do more than throw")
    func noise() throws {
        var random = SplitMix64(state: 1)
        for _ in 0..<5_000 {
            let count = Int.random(in: 0..<200, using: &random)
            try read([0x30] + (0..<count).map { _ in random.byte() })
            try read(Array("-----BEGIN CERTIFICATE-----\n".utf8) + (0..<count).map { _ in random.byte() })
        }
        var nested: [UInt8] = []
        for _ in 0..<200 { nested = Frame.element(0x30, nested) }
        #expect(throws: PinError.self) { try SubjectPublicKeyInfo(certificate: nested) }
    }

    private func read(_ bytes: [UInt8]) throws {
        do throws(PinError) {
            let key = try SubjectPublicKeyInfo(certificate: bytes)
            // A reading that succeeds names bytes of the input, beginning with the tag of a sequence.
            #expect(key.derBytes.first == 0x30)
        } catch {
            guard case .malformed(_) = error else {
                Issue.record("another error: \(error)")
                return
            }
        }
    }

    private static let malformedFrames = [
        Frame(name: "no key", fields: Array(Frame.fields.dropLast())),
        Frame(name: "no serial number", fields: [Frame.fields[0]] + Frame.fields[2...]),
        Frame(name: "the key before the subject is missing", fields: Array(Frame.fields[..<5]) + [Frame.key]),
        Frame(name: "a key that is empty", fields: Frame.fields.dropLast() + [Frame.element(0x30, [])]),
        Frame(
            name: "a key of three parts",
            fields: Frame.fields.dropLast() + [Frame.element(0x30, Array(Frame.key.dropFirst(2)) + [5, 0])]),
        Frame(
            name: "a key without algorithm",
            fields: Frame.fields.dropLast() + [Frame.element(0x30, Frame.element(0x30, []) + [3, 2, 0, 1])]),
        Frame(name: "nothing to be signed", fields: []),
    ]
}

/// The least that a certificate can be, to be made wrong in one place.
struct Frame: Sendable, CustomTestStringConvertible {
    let name: String
    let fields: [[UInt8]]
    var testDescription: String { name }

    /// Algorithm 1.2.3, key 01.
    static let key = element(0x30, element(0x30, [6, 2, 0x2a, 3]) + [3, 2, 0, 1])
    /// Version, serial number, algorithm, issuer, validity, subject, key.
    static let fields: [[UInt8]] = [
        element(0xa0, [2, 1, 2]), [2, 1, 1], [0x30, 0], [0x30, 0], [0x30, 0], [0x30, 0], key,
    ]

    var bytes: [UInt8] {
        Self.element(0x30, Self.element(0x30, fields.flatMap(\.self)) + [0x30, 0] + [3, 2, 0, 1])
    }

    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        switch content.count {
        case ..<128: [tag, UInt8(content.count)] + content
        case ..<256: [tag, 0x81, UInt8(content.count)] + content
        default: [tag, 0x82, UInt8(content.count >> 8), UInt8(content.count & 255)] + content
        }
    }
}
