import SCALE
import SecretMemory
import Substrate
import Testing

@testable import Airgap

/// Updates, made here and read back; real ones are among the known answers (`conformance wire`).
@Suite("Update payloads")
struct UpdatePayloadTests {
    static let specs = NetworkSpecs(
        base58Prefix: 42, color: "#660D35", decimals: 12, scheme: .sr25519,
        genesisHash: Hash256(unchecked: [UInt8](repeating: 7, count: 32)), logo: "orion", name: "orion",
        pathID: "//orion", secondaryColor: "#262626", title: "Orion", unit: "ORI")
    static let contents: [UpdatePayload.Content] = [
        .specs(specs),
        .metadata(Array("meta".utf8) + [14] + [UInt8](repeating: 1, count: 300), genesisHash: specs.genesisHash),
        .types(TypesTable(entries: (10..<40).map { .init(name: "Weight\($0)", description: .alias("u64")) })),
        .packedMetadata(packed, genesisHash: specs.genesisHash),
    ]
    static let packed = PackedMetadata(byteCount: 70_000, frame: [UInt8](repeating: 9, count: 300))!

    static func pair(_ scheme: SignatureScheme, _ byte: UInt8 = 3) throws -> KeyPair {
        var seed = [UInt8](repeating: byte, count: 32)
        return try KeyPair(scheme: scheme, miniSecret: SecretBytes(movingFrom: &seed))
    }

    static func signed(_ content: UpdatePayload.Content, by pair: KeyPair) throws -> [UInt8] {
        UpdatePayload.payload(
            content, signature: (pair.multiSigner, try pair.sign(content.signedBytes)))
    }

    static func read(_ bytes: [UInt8]) throws -> UpdatePayload {
        guard case .update(let update) = try Payload(bytes) else { throw PayloadError.noContent }
        return update
    }

    @Test("what was signed is read with its signer, by each of the three schemes", arguments: 0..<contents.count)
    func signedBySchemes(index: Int) throws {
        for scheme in [SignatureScheme.ed25519, .sr25519, .ecdsa] {
            let pair = try Self.pair(scheme)
            let update = try Self.read(Self.signed(Self.contents[index], by: pair))
            #expect(update.signer == pair.multiSigner)
            #expect(update.content == Self.contents[index])
        }
    }

    @Test("the code of Ethereum means a key of ecdsa", arguments: 0..<contents.count)
    func ethereumCode(index: Int) throws {
        let pair = try Self.pair(.ecdsa)
        var payload = try Self.signed(Self.contents[index], by: pair)
        payload[1] = 3
        #expect(try Self.read(payload).signer == pair.multiSigner)
    }

    @Test(
        "unsigned content has no signer; what stands behind it is reserved and left alone",
        arguments: 0..<contents.count)
    func unsigned(index: Int) throws {
        let payload = UpdatePayload.payload(Self.contents[index])
        #expect(payload[1] == 0xff)
        #expect(try Self.read(payload) == UpdatePayload(unsigned: Self.contents[index]))
        #expect(try Self.read(payload + [1, 2, 3]) == UpdatePayload(unsigned: Self.contents[index]))
    }

    @Test(
        "a bit that is changed anywhere in what is signed, in the key or in the signature is noticed",
        arguments: 0..<contents.count)
    func forged(index: Int) throws {
        let payload = try Self.signed(Self.contents[index], by: Self.pair(.ed25519))
        for position in 3..<payload.count {
            var forged = payload
            forged[position] ^= 1 << UInt8(position % 8)
            #expect(throws: PayloadError.self, "\(position)") { try Self.read(forged) }
        }
    }

    @Test("a signature of other content, or by another scheme's key of the same secret, is none")
    func exchanged() throws {
        let pair = try Self.pair(.sr25519)
        let other = try pair.sign(Self.contents[2].signedBytes)
        let error = #expect(throws: PayloadError.badSignature(pair.multiSigner)) {
            try Self.read(UpdatePayload.payload(Self.contents[0], signature: (pair.multiSigner, other)))
        }
        #expect(error?.code == "BadSignature")
        let edwards = try Self.pair(.ed25519)
        let signature = try edwards.sign(Self.contents[0].signedBytes)
        #expect(throws: PayloadError.badSignature(.sr25519(edwards.publicKey))) {
            try Self.read(
                UpdatePayload.payload(Self.contents[0], signature: (.sr25519(edwards.publicKey), signature)))
        }
    }

    @Test("a payload that is cut anywhere is refused by name", arguments: 0..<contents.count)
    func cut(index: Int) throws {
        let payload = try Self.signed(Self.contents[index], by: Self.pair(.sr25519))
        for count in 3..<payload.count {
            let error = #expect(throws: PayloadError.self) { try Self.read(Array(payload[..<count])) }
            #expect(["TooShort", "DataTooShort", "NoCompact"].contains(error?.code), "\(count): \(error?.code ?? "")")
        }
    }

    @Test("no content, a malformed length, an unknown scheme and content that does not decode have their own names")
    func names() throws {
        #expect(throws: PayloadError.noContent) { try Self.read([0x53, 0xff, 0xc1]) }
        #expect(#expect(throws: PayloadError.self) { try Self.read([0x53, 0xff, 0xc1, 0x02]) }?.code == "NoCompact")
        #expect(throws: PayloadError.encryptionNotSupported(4)) { try Self.read([0x53, 4, 0xc1, 0, 0, 0]) }
        #expect(
            #expect(throws: PayloadError.self) { try Self.read([0x53, 0xff, 0xc1, 0x04, 0]) }?.code == "Codec")
        // A record that goes on behind its end.
        var encoder = ScaleEncoder()
        encoder.byteSequence(Self.specs.scaleEncoded + [0])
        #expect(
            #expect(throws: PayloadError.self) { try Self.read([0x53, 0xff, 0xc1] + encoder.bytes) }?.code == "Codec")
    }

    @Test("compressed metadata travel as both lengths, the frame and the genesis, all of which is signed")
    func packedLayout() throws {
        let payload = UpdatePayload.payload(Self.contents[3])
        let lengths: [UInt8] = [0xc2, 0x45, 0x04, 0x00, 0xb1, 0x04]
        #expect(payload == [0x53, 0xff, 0x8c] + lengths + Self.packed.frame + Self.specs.genesisHash.bytes)
        #expect(Self.contents[3].signedBytes == Array(payload[3...]))
    }

    @Test("a frame that is to hold nothing, or more than metadata may have, is refused behind its signature")
    func packedLimits() throws {
        let pair = try Self.pair(.ed25519)
        for count in [0, PackedMetadata.byteLimit + 1] {
            #expect(PackedMetadata(byteCount: count, frame: []) == nil)
            var encoder = ScaleEncoder()
            encoder.compact(UInt128(count))
            encoder.byteSequence([1, 2, 3])
            encoder.value(Self.specs.genesisHash)
            let content = encoder.bytes
            #expect(throws: PayloadError.payloadTooLarge(count: count, limit: PackedMetadata.byteLimit)) {
                try Self.read([0x53, 0, 0x8c] + pair.publicKey + content + pair.sign(content))
            }
            #expect(throws: PayloadError.badSignature(pair.multiSigner)) {
                try Self.read([0x53, 0, 0x8c] + pair.publicKey + content + [UInt8](repeating: 0, count: 64))
            }
        }
    }

    @Test("what is expanded has the length that was signed, and stays by the same word")
    func expanded() throws {
        let update = try Self.read(Self.signed(Self.contents[3], by: Self.pair(.sr25519)))
        let blob = [UInt8](repeating: 1, count: Self.packed.byteCount)
        let expanded = try #require(update.expanded(to: blob))
        #expect(expanded.content == .metadata(blob, genesisHash: Self.specs.genesisHash))
        #expect(expanded.signer == update.signer && expanded.isExpanded && !update.isExpanded)
        #expect(update.expanded(to: blob + [0]) == nil && update.expanded(to: []) == nil)
        #expect(UpdatePayload(unsigned: Self.contents[1]).expanded(to: blob) == nil)
    }
}
