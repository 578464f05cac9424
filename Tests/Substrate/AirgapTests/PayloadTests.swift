import Airgap
import Substrate
import TestSupport
import Testing
import TextForms

@Suite("Payloads")
struct PayloadTests {
    static let alice = "d43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d"
    static let genesis = "e143f23803ac50e8f6f8e62695d1ce9e4e1d68aa36c1cd2cfd15340213f3423e"

    @Test("a transaction comes apart into author, call, extensions and genesis", arguments: ["00", "02"])
    func transaction(code: String) throws {
        guard case .transaction(let payload) = try Payload(hex: "5301\(code)\(Self.alice)080403aabbcc\(Self.genesis)")
        else {
            Issue.record("not a transaction")
            return
        }
        #expect(payload.author == .key(.sr25519(try #require(Hex.decode(Self.alice)))))
        #expect(payload.genesisHash.hex == Self.genesis)
        let parts = try #require(payload.parts())
        #expect(Array(payload.bytes[parts.call]) == [4, 3])
        #expect(Array(payload.bytes[parts.extensions]) == [0xaa, 0xbb, 0xcc])
    }

    @Test("a call length that lies gives no parts", arguments: ["0c0403", "0100", ""])
    func lyingLength(body: String) throws {
        guard case .transaction(let payload) = try Payload(hex: "530102\(Self.alice)\(body)\(Self.genesis)") else {
            Issue.record("not a transaction")
            return
        }
        #expect(payload.parts() == nil)
    }

    @Test("messages come with their network or without")
    func messages() throws {
        let text = Hex.encode(Array("<Bytes>a</Bytes>".utf8))
        guard case .message(let inNetwork) = try Payload(hex: "530103\(Self.alice)\(text)\(Self.genesis)"),
            case .message(let anywhere) = try Payload(hex: "0x530108\(Self.alice)\(text)")
        else {
            Issue.record("not messages")
            return
        }
        #expect(inNetwork.message == anywhere.message)
        #expect(inNetwork.genesisHash?.hex == Self.genesis && anywhere.genesisHash == nil)
    }

    @Test("an ethereum author is an address of 20 bytes")
    func ethereumAuthor() throws {
        let address = String(repeating: "11", count: 20)
        guard case .transaction(let payload) = try Payload(hex: "530302\(address)00\(Self.genesis)") else {
            Issue.record("not a transaction")
            return
        }
        #expect(payload.author == .ethereumAddress([UInt8](repeating: 0x11, count: 20)))
    }

    @Test(
        "what is no payload is refused in the order of the checks",
        arguments: [
            ("5301", PayloadError.tooShort(found: 2, needed: 3)), ("7b2261", .notSubstrate(0x7b)),
            ("5301020", .hexDecoding), ("53010g", .hexDecoding), ("5301f0", .unknownKind(0xf0)),
            ("530402", .encryptionNotSupported(4)), ("53ff02", .encryptionNotSupported(0xff)),
            ("530102" + String(repeating: "00", count: 31), .tooShort(found: 34, needed: 35)),
            ("530102" + alice + "00", .tooShort(found: 36, needed: 67)),
        ])
    func refusals(hex: String, error: PayloadError) {
        #expect(throws: error) { try Payload(hex: hex) }
    }

    @Test("the hash of a transaction is refused by name")
    func hashAlone() throws {
        let error = #expect(throws: PayloadError.kindNotSupported(.transactionHash)) {
            try Payload([0x53, 0xff, 0x01] + [UInt8](repeating: 0, count: 100))
        }
        #expect(error?.code == "PayloadNotSupported")
        #expect("\(PayloadError.kindNotSupported(.transactionHash))".contains("hash"))
    }

    @Test("random bytes are a payload or a typed error")
    func randomBytes() {
        var generator = SplitMix64(state: 17)
        for _ in 0..<5000 {
            var bytes = (0..<Int.random(in: 0...160, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            if bytes.count > 2, Bool.random(using: &generator) {
                bytes[0] = 0x53
                bytes[1] &= 3
                bytes[2] = PayloadKind.allCases.randomElement(using: &generator)?.rawValue ?? 0
            }
            do throws(PayloadError) {
                if case .transaction(let payload) = try Payload(bytes), let parts = payload.parts() {
                    #expect(parts.call.upperBound == parts.extensions.lowerBound)
                    #expect(payload.bytes.indices.contains(parts.call) && parts.extensions.upperBound <= bytes.count)
                }
            } catch {
                #expect(!error.code.isEmpty && !error.description.isEmpty)
            }
        }
    }

    @Test("a payload beyond the limit is refused before it is read")
    func tooLarge() {
        let bytes = [0x53, 0x01, 0x02] + [UInt8](repeating: 0, count: Payload.byteLimit)
        #expect(throws: PayloadError.payloadTooLarge(count: bytes.count, limit: Payload.byteLimit)) {
            try Payload(bytes)
        }
    }
}
