import Airgap
import SCALE
import Substrate
import TestSupport
import Testing
import TextForms

@Suite("Exports of derived keys")
struct DerivationsExportTests {
    /// The parts of a record as a test writes it down.
    private struct Key {
        var address = (try? SS58.encode(Fixtures.bob, prefix: 42)) ?? ""
        var path: String? = "//Bob"
        var scheme: UInt8 = 1
    }

    private static func write(
        name: String = "Alice", root: [UInt8] = [1] + Fixtures.alice, _ keys: [Key], to encoder: inout ScaleEncoder
    ) {
        encoder.string(name)
        encoder.raw(root)
        encoder.sequence(keys) { encoder, key in
            encoder.string(key.address)
            encoder.option(key.path) { $0.string($1) }
            encoder.integer(key.scheme)
            encoder.raw(Fixtures.genesis)
        }
    }

    private static func record(_ write: (inout ScaleEncoder) -> Void) -> [UInt8] {
        var encoder = ScaleEncoder()
        encoder.raw([0x53, 0xff, 0xde])
        write(&encoder)
        return encoder.bytes
    }

    private static func second(_ keys: [Key], name: String = "Alice", features: [UInt8] = [0, 1]) -> [UInt8] {
        record { encoder in
            encoder.integer(UInt8(1))
            write(name: name, keys, to: &encoder)
            encoder.sequence(features) { $0.integer($1) }
        }
    }

    private static func read(_ bytes: [UInt8]) throws -> DerivationsExport? {
        if case .derivations(let export) = try Payload(bytes) { export } else { nil }
    }

    @Test("the first version of the record holds several seeds")
    func firstVersion() throws {
        let bytes = Self.record { encoder in
            encoder.raw([0, 8])
            Self.write([Key(), Key(path: nil)], to: &encoder)
            Self.write(name: "", root: [2] + Fixtures.ecdsaKey, [], to: &encoder)
        }
        let export = try #require(try Self.read(bytes))
        #expect(export.features == nil)
        #expect(export.seeds.map(\.name) == ["Alice", ""])
        #expect(export.seeds.map(\.root) == [.sr25519(Fixtures.alice), .ecdsa(Fixtures.ecdsaKey)])
        #expect(export.seeds[0].keys.map(\.path) == ["//Bob", nil])
        #expect(export.seeds[0].keys.allSatisfy { $0.address == Fixtures.bob && $0.scheme == .sr25519 })
        #expect(export.seeds[0].keys[0].genesisHash.bytes == Fixtures.genesis && export.seeds[1].keys.isEmpty)
    }

    @Test("the second version holds one seed and what the exporting signer can do")
    func secondVersion() throws {
        let export = try #require(try Self.read(Self.second([Key(scheme: 0)])))
        #expect(export.features == [.bulkOperations, .dynamicDerivations])
        #expect(export.seeds.count == 1 && export.seeds[0].keys[0].scheme == .ed25519)
        #expect(try Self.read(Self.second([], features: []))?.features == [])
    }

    @Test("keys of secp256k1 come as hex, with 0x or without", arguments: [2, 3] as [UInt8])
    func hexAddresses(scheme: UInt8) throws {
        let hex = Hex.encode(Fixtures.ecdsaKey)
        for address in [hex, "0x" + hex, hex.uppercased()] {
            let export = try Self.read(Self.second([Key(address: address, scheme: scheme)]))
            #expect(export?.seeds[0].keys[0].address == Fixtures.ecdsaKey)
        }
    }

    @Test("a path that is none is left for the preview to tell")
    func badPath() throws {
        #expect(try Self.read(Self.second([Key(path: "no path")]))?.seeds[0].keys[0].path == "no path")
    }

    @Test("an address that is none, or of another kind than the scheme says, is refused")
    func badAddresses() throws {
        let hex = Hex.encode(Fixtures.ecdsaKey)
        let ss58 = try SS58.encode(Fixtures.bob, prefix: 42)
        let cases = [
            Key(address: ""), Key(address: ss58 + "a"), Key(address: hex), Key(address: ss58, scheme: 2),
            Key(address: String(hex.dropLast(2)), scheme: 2), Key(address: hex + "00", scheme: 3),
            Key(address: Hex.encode(Fixtures.bob)),
        ]
        for key in cases {
            let error = #expect(throws: PayloadError.self) { try Payload(Self.second([key])) }
            guard case .malformedRecord(.invalidText(_, kind: "address")) = error else {
                Issue.record("\(key.address) is refused as \(String(describing: error))")
                continue
            }
        }
    }

    @Test("indices of nothing are refused")
    func indices() {
        let cases = [
            Self.record { $0.integer(UInt8(2)) }, Self.second([Key(scheme: 4)]), Self.second([], features: [2]),
            Self.record { encoder in
                encoder.raw([0, 4])
                Self.write(root: [3] + Fixtures.alice, [Key()], to: &encoder)
            },
        ]
        for bytes in cases {
            let error = #expect(throws: PayloadError.self) { try Payload(bytes) }
            guard case .malformedRecord(.invalidEnumIndex) = error else {
                Issue.record("refused as \(String(describing: error))")
                continue
            }
            #expect(error?.code == "Codec")
        }
    }

    @Test("names and paths have their bounds")
    func bounds() {
        let long = { String(repeating: "a", count: $0) }
        #expect(throws: Never.self) { try Payload(Self.second([Key(path: long(1024))], name: long(256))) }
        for bytes in [Self.second([], name: long(257)), Self.second([Key(path: long(1025))])] {
            let error = #expect(throws: PayloadError.self) { try Payload(bytes) }
            #expect(error?.code == "Codec")
        }
    }

    @Test("a record that is cut, or goes on behind its end, is refused")
    func cuts() {
        let bytes = Self.second([Key(), Key(path: nil)])
        for end in 3..<bytes.count {
            let error = #expect(throws: PayloadError.self) { try Payload(Array(bytes[..<end])) }
            #expect(error?.code == "Codec")
        }
        #expect(throws: PayloadError.malformedRecord(.trailingBytes(offset: bytes.count, count: 1))) {
            try Payload(bytes + [0])
        }
    }

    private static let navigator = "signer-wire/uos/derivations_navigator.json"

    @Test("a captured export reads", .enabled(if: SharedData.has(navigator)))
    func captured() throws {
        let payload = try #require(try SharedData.json(Self.navigator)["payloads"][0]["hex"].hex)
        let export = try #require(try Self.read(payload))
        #expect(export.features == nil && export.seeds.map(\.name) == ["Alice"])
        #expect(export.seeds[0].keys.first?.path == "//Alice")
    }
}
