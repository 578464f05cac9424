import Foundation
import TestSupport
import Testing

@testable import Vigil

@Suite("Envelopes")
struct EnvelopeTests {
    private let key = TestKey()
    private let other = TestKey()
    private let type = "application/x"

    private func trusting(_ keys: TestKey..., threshold: Int = 1) throws -> TrustedKeys {
        try #require(TrustedKeys(keys.map(\.pinned), threshold: threshold))
    }

    @Test("a signed payload comes out again, after JSON as well")
    func roundTrip() throws {
        let envelope = try Envelope(type: type, payload: [1, 2, 0xff]).signed(by: key).signed(by: other)
        let read = try Envelope(parsing: envelope.json)
        #expect(read == envelope)
        #expect(try read.payload(ofType: type, by: trusting(key, other, threshold: 2)) == [1, 2, 0xff])
        #expect(read.signatures.map(\.keyID) == [key, other].map { "\($0.pinned.id)" })
    }

    @Test("a payload, a type or a signature of another envelope does not count")
    func mixed() throws {
        let envelope = try Envelope(type: type, payload: [1]).signed(by: key)
        let mixtures = [
            Envelope(type: type, payload: [2], signatures: envelope.signatures),
            Envelope(type: type, payload: [1]), try Envelope(type: type, payload: [1]).signed(by: other),
        ]
        for mixture in mixtures {
            #expect(throws: EnvelopeError.thresholdNotMet(found: 0, needed: 1)) {
                try mixture.payload(ofType: type, by: trusting(key))
            }
        }
        #expect(throws: EnvelopeError.wrongPayloadType(found: "application/y", expected: type)) {
            try Envelope(type: "application/y", payload: [1], signatures: envelope.signatures)
                .payload(ofType: type, by: trusting(key))
        }
        // The lengths in the signed bytes keep type and payload apart.
        #expect(
            Envelope.signedBytes(type: "a", payload: [UInt8](" 1 b"))
                != Envelope.signedBytes(type: "a 4  1 b", payload: []))
    }

    @Test("two signatures of one key count once, also under two names")
    func distinctKeys() throws {
        let signed = try Envelope(type: type, payload: [1]).signed(by: key).signed(by: key)
        let renamed = Envelope(
            type: type, payload: [1],
            signatures: signed.signatures.enumerated().map { .init(keyID: "\($0)", bytes: $1.bytes) })
        #expect(throws: EnvelopeError.thresholdNotMet(found: 1, needed: 2)) {
            try renamed.payload(ofType: type, by: trusting(key, other, threshold: 2))
        }
    }

    @Test("no keys, no threshold and one that cannot be met are no trust")
    func trust() {
        #expect(TrustedKeys([] as [PublicKey]) == nil)
        #expect(TrustedKeys([key.pinned], threshold: 0) == nil)
        #expect(TrustedKeys([key.pinned, key.pinned], threshold: 2) == nil)
    }

    @Test(
        "what is no envelope is malformed",
        arguments: [
            "", "[]", "{}", #"{"payloadType":"a","payload":"","signatures":{}}"#,
            #"{"payloadType":"a","payload":"AA","signatures":[]}"#, #"{"payloadType":1,"payload":"","signatures":[]}"#,
            #"{"payloadType":"a","payload":"","signatures":[{"keyid":""}]}"#,
            #"{"payloadType":"a","payload":"","signatures":[{"keyid":1,"sig":""}]}"#,
            #"{"payloadType":"a","payload":"","payload":"","signatures":[]}"#,
            #"{"payloadType":"a","payload":"","signatures":[],"x":[[[[[[[[]]]]]]]]}"#,
        ])
    func malformed(text: String) throws {
        let error = #expect(throws: EnvelopeError.self) { try Envelope(parsing: [UInt8](text)) }
        #expect(error?.identifier == "malformedEnvelope")
    }

    @Test("an envelope beyond 4 MiB, or of too many signatures, is not read")
    func limits() throws {
        let envelope = Envelope(type: type, payload: [UInt8](repeating: 0, count: 3 * 1024 * 1024))
        #expect(throws: EnvelopeError.self) { try Envelope(parsing: envelope.json) }
        let many = Envelope(
            type: type, payload: [], signatures: Array(repeating: .init(keyID: "", bytes: []), count: 65))
        #expect(throws: EnvelopeError.self) { try Envelope(parsing: many.json) }
    }

    @Test("an envelope without ids of keys is as good")
    func withoutIDs() throws {
        let json = try Envelope(type: type, payload: [1]).signed(by: key).json
        let text = String(decoding: json, as: UTF8.self).replacing(/"keyid": "[0-9a-f]*",/, with: "")
        #expect(try Envelope(parsing: [UInt8](text)).payload(ofType: type, by: trusting(key)) == [1])
    }
}
