import SCALE
import Substrate
import Testing
import TextForms

@Suite("Network records")
struct NetworkSpecsTests {
    static let polkadot =
        "00001c234536303237410a0191b171bb158e2d3848fa23a9f1c25182fb8e20313b2c1eb49219da7a70ce90c320706f6c6b61646f74"
        + "20706f6c6b61646f74282f2f706f6c6b61646f741c2332363236323620506f6c6b61646f740c444f54"

    @Test("Polkadot's record reads and is written back")
    func knownAnswer() throws {
        let bytes = try #require(Hex.decode(Self.polkadot))
        let specs = try NetworkSpecs(scaleEncoded: bytes)
        #expect(specs.title == "Polkadot" && specs.unit == "DOT" && specs.decimals == 10 && specs.base58Prefix == 0)
        #expect(specs.scheme == .sr25519 && specs.pathID == "//polkadot" && specs.color == "#E6027A")
        #expect(specs.scaleEncoded == bytes)
        #expect(specs.key.scaleEncoded == [1] + specs.genesisHash.bytes)
    }

    @Test("every truncation and a scheme that is none are refused")
    func refusals() throws {
        let bytes = try #require(Hex.decode(Self.polkadot))
        for end in bytes.indices {
            #expect(throws: ScaleError.self) { try NetworkSpecs(scaleEncoded: Array(bytes[..<end])) }
        }
        #expect(throws: ScaleError.self) { try NetworkSpecs(scaleEncoded: bytes + [0]) }
        var key = ScaleDecoder([4] + [UInt8](repeating: 0, count: 32))
        #expect(throws: ScaleError.invalidEnumIndex(offset: 0, found: 4, type: "SignatureScheme")) {
            try NetworkKey(from: &key)
        }
    }

    @Test("hex reads either case and refuses what is not hex")
    func hex() {
        #expect(Hex.decode("0xAbcD") == [0xab, 0xcd])
        #expect(Hex.encode([0, 0x0f, 0xff]) == "000fff")
        for text in ["a", "0x0", "zz", "0x0x00", "é"] { #expect(Hex.decode(text) == nil) }
    }

    @Test("names are those of runtimes, also with an underscore, and nothing that a file or a path has a meaning for")
    func names() throws {
        var specs = try NetworkSpecs(scaleEncoded: try #require(Hex.decode(Self.polkadot)))
        #expect(specs.fault == nil)
        // The spec names of Bifrost, Polymesh and Polkadot's asset hub.
        for name in ["bifrost_polkadot", "polymesh_mainnet", "asset-hub-polkadot"] {
            (specs.name, specs.pathID) = (name, "//\(name)")
            #expect(specs.fault == nil, "\(name)")
        }
        for name in ["Polkadot", "../x", "a/b", "a.b", "a b", "a\u{0}", "polkadоt", "a:b", "~a"] {
            specs.name = name
            #expect(specs.fault == .name, "\(name)")
        }
    }
}
