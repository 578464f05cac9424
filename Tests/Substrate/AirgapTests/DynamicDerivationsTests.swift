import Airgap
import SCALE
import Substrate
import TestSupport
import Testing

@Suite("Requests for addresses")
struct DynamicDerivationsTests {
    private static let head: [UInt8] = [0x53, 0xff, 0xdf]

    private static func request() throws -> DynamicDerivationsRequest {
        let genesis = try #require(Hash256(Fixtures.genesis))
        return DynamicDerivationsRequest(
            root: .sr25519(Fixtures.alice),
            derivations: [
                .init(path: try DerivationPath(parsing: "//polkadot/0"), scheme: .sr25519, genesisHash: genesis),
                .init(path: .root, scheme: .ethereum, genesisHash: genesis),
            ])
    }

    @Test("a request is read in its layout, and written back the same")
    func layout() throws {
        var encoder = ScaleEncoder()
        encoder.raw([0, 1] + Fixtures.alice + [8])
        encoder.string("//polkadot/0")
        encoder.raw([1] + Fixtures.genesis + [0, 3] + Fixtures.genesis)
        #expect(try Payload(Self.head + encoder.bytes) == .dynamicDerivations(Self.request()))
        #expect(try Self.request().scaleEncoded == encoder.bytes)
    }

    @Test("an answer has the head of a request and keys in their order")
    func answer() throws {
        let answer = DynamicDerivationsAnswer(
            root: .sr25519(Fixtures.alice),
            keys: [
                .init(path: try DerivationPath(parsing: "//0"), scheme: .sr25519, publicKey: .sr25519(Fixtures.bob)),
                .init(path: .root, scheme: .ethereum, publicKey: .ecdsa(Fixtures.ecdsaKey)),
            ])
        var encoder = ScaleEncoder()
        encoder.raw(Self.head + [0, 1] + Fixtures.alice + [8])
        encoder.string("//0")
        encoder.raw([1, 1] + Fixtures.bob + [0, 3, 2] + Fixtures.ecdsaKey)
        #expect(answer.payload == encoder.bytes)
        #expect(try DynamicDerivationsAnswer(scaleEncoded: Array(answer.payload.dropFirst(3))) == answer)
    }

    @Test("requests and answers of any size come back as they were written")
    func roundTrips() throws {
        var random = SplitMix64(state: 3)
        let paths = ["", "//0", "/soft//hard", "//" + String(repeating: "ä", count: 200)]
        for count in [0, 1, 2, 63, 64, 300] {
            let derivations = try (0..<count).map { _ in
                DynamicDerivationsRequest.Derivation(
                    path: try DerivationPath(parsing: paths.randomElement(using: &random) ?? ""),
                    scheme: SignatureScheme.allCases.randomElement(using: &random) ?? .sr25519,
                    genesisHash: try #require(Hash256((0..<32).map { _ in random.byte() })))
            }
            let request = DynamicDerivationsRequest(root: .ed25519(Fixtures.bob), derivations: derivations)
            #expect(try Payload(Self.head + request.scaleEncoded) == .dynamicDerivations(request))
            let answer = DynamicDerivationsAnswer(
                root: request.root,
                keys: derivations.map {
                    .init(path: $0.path, scheme: $0.scheme, publicKey: .ecdsa([2] + $0.genesisHash.bytes))
                })
            #expect(try DynamicDerivationsAnswer(scaleEncoded: answer.scaleEncoded) == answer)
        }
    }

    @Test("what is no request is refused as damage")
    func refusals() throws {
        let bytes = Self.head + (try Self.request().scaleEncoded)
        var cases = (3..<bytes.count).map { Array(bytes[..<$0]) }
        cases.append(bytes + [0])
        for (place, value) in [(3, 1), (4, 3), (38, 0x10), (37, 0xff), (51, 4)] as [(Int, UInt8)] {
            var changed = bytes
            changed[place] = value
            cases.append(changed)
        }
        for bytes in cases {
            let error = #expect(throws: PayloadError.self) { try Payload(bytes) }
            #expect(error?.code == "Codec")
        }
    }

    @Test("more addresses, or more junctions, than a vault derives at once cannot be asked for")
    func limits() throws {
        func payload(_ count: Int, _ path: String) throws -> [UInt8] {
            let derivation = DynamicDerivationsRequest.Derivation(
                path: try DerivationPath(parsing: path), scheme: .sr25519,
                genesisHash: try #require(Hash256(Fixtures.genesis)))
            let derivations = Array(repeating: derivation, count: count)
            return Self.head
                + DynamicDerivationsRequest(root: .sr25519(Fixtures.alice), derivations: derivations).scaleEncoded
        }
        let long = String(repeating: "/a", count: 512)
        for (count, path) in [(1_024, "//0"), (16, long)] {
            #expect(throws: Never.self) { try Payload(payload(count, path)) }
        }
        for (count, path, claimed, available) in [(1_025, "//0", 1_025, 1_024), (17, long, 8_704, 8_192)] {
            let fault = ScaleError.lengthExceedsInput(offset: 37, claimed: claimed, available: available)
            #expect(throws: PayloadError.malformedRecord(fault)) { try Payload(payload(count, path)) }
        }
    }

    @Test("a path with a password cannot be asked for")
    func password() {
        var encoder = ScaleEncoder()
        encoder.raw(Self.head + [0, 1] + Fixtures.alice + [4])
        encoder.string("//0///secret")
        encoder.raw([1] + Fixtures.genesis)
        #expect(throws: PayloadError.malformedRecord(.invalidText(offset: 38, kind: "derivation path"))) {
            try Payload(encoder.bytes)
        }
    }
}
