import HotSide
import StrictJSON
import Substrate
import TestSupport
import Testing
import TextForms

@Suite("SignerPayloadJSON")
struct SignerPayloadTests {
    private func code(_ payload: WalletPayload) -> String {
        do { _ = try payload.read() } catch { return (error as? SignerPayloadError)?.code ?? "\(error)" }
        return "read"
    }

    @Test("what polkadot-js writes is read")
    func read() throws {
        let payload = try WalletPayload.westend.read()
        #expect(payload.specVersion == 9122 && payload.transactionVersion == 7)
        #expect(payload.era == .mortal(phase: 27, period: 64))
        #expect(payload.nonce == 46 && payload.tip == 0 && payload.assetID == nil)
        #expect(payload.extensions.count == 7 && payload.mayBeChanged && !payload.checksMetadata)
        // What a wallet leaves out that it does not use.
        for name in ["assetId", "metadataHash", "mode", "withSignedTransaction"] {
            #expect(code(WalletPayload.westend.with(name, nil)) == "read", "\(name)")
        }
    }

    @Test(
        "a member that is missing is named",
        arguments: [
            "address", "blockHash", "blockNumber", "era", "genesisHash", "method", "nonce", "signedExtensions",
            "specVersion", "tip", "transactionVersion",
        ])
    func missing(_ name: String) {
        #expect {
            _ = try WalletPayload.westend.with(name, nil).read()
        } throws: { error in
            if case SignerPayloadError.missing(name) = error { true } else { false }
        }
    }

    @Test(
        "a member that is no such thing is refused",
        arguments: [
            ("address", JSON.string("5Grw")), ("address", .string("0x1234")), ("address", .integer(5)),
            ("blockHash", .string("0x12")), ("blockHash", .string(String(repeating: "5", count: 64))),
            ("era", .string("0x")), ("era", .string("0xb50100")), ("era", .string("0x1000")), ("method", .string("zz")),
            ("method", .string("0x123")), ("method", .string("0x0x1234")), ("mode", .integer(2)),
            ("mode", .string("1")), ("nonce", .integer(46)), ("nonce", .string("46")), ("nonce", .string("0x")),
            ("nonce", .string("0x-1")),
            ("nonce", .string("0x10000000000000000")), ("specVersion", .string("0x100000000")),
            ("tip", .string("0x+1")), ("version", .integer(5)), ("version", .string("4")),
            ("signedExtensions", .array([.integer(1)])), ("withSignedTransaction", .integer(1)),
            ("metadataHash", .string("0x00")), ("assetId", .integer(1984)),
        ])
    func unusable(_ name: String, _ value: JSON) {
        #expect(code(WalletPayload.westend.with(name, value)) == "MemberUnusable")
    }

    @Test("a member without a meaning is refused, for it would be left out of what is signed")
    func unknown() {
        #expect(code(WalletPayload.westend.with("feeExchange", .string("0x00"))) == "MemberUnknown")
        #expect(code(WalletPayload.westend.with("feeExchange", .null)) == "read")
    }

    @Test("what is no JSON, or too much of it, is refused")
    func noJSON() {
        for text in ["", "[]", "{", "null", "{\"version\": 4, \"version\": 4}", String(repeating: "[", count: 99)] {
            #expect(throws: SignerPayloadError.self) { _ = try SignerPayload(Array(text.utf8)) }
        }
    }

    @Test("texts cut off or changed anywhere are refused or read, and never trap")
    func random() {
        let text = WalletPayload.assetHub.text
        var generator = SplitMix64(state: 103)
        for _ in 0..<2000 {
            var changed = text
            changed[Int.random(in: 0..<changed.count, using: &generator)] = .random(in: 0...255, using: &generator)
            if Bool.random(using: &generator) {
                changed.removeLast(Int.random(in: 0..<changed.count, using: &generator))
            }
            _ = try? SignerPayload(changed)
            _ = try? SignerPayload(
                (0..<Int.random(in: 0..<64, using: &generator)).map { _ in .random(in: 0...255, using: &generator) })
        }
    }
}
