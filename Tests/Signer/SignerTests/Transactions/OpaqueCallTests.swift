import Substrate
import Testing
import TextForms

@testable import Signer

@Suite("Answers to calls that hold calls as bytes")
struct OpaqueCallTests {
    /// A multisig with Bob, as Westend had it in 2021: the call is bytes.
    private func multisig(_ call: [UInt8], on chain: Chain) throws -> [UInt8] {
        try chain.call(
            "Multisig", method: "as_multi", arguments: [2, 0], [4] + Person.bob, [0], Value.bytes(call), [0],
            [UInt8](repeating: 0, count: 8))
    }

    @Test("what a multisig is to do is an effect, and its hash is what the others compare")
    func multisig() throws {
        let chain = try Chain("westend")
        let inner = try chain.transfer(to: Person.charlie)
        let answer = try chain.vault().process(chain.payload(multisig(inner, on: chain)))
        let effects = try #require(answer.effects)
        #expect(effects.leaves.map(\.name) == ["Balances.transfer_keep_alive"])
        #expect(effects.leaves[0].destination?.text == (try chain.address(Person.charlie)))
        #expect(answer.multisigCallHashes == [CallHash.of(inner)])
        #expect(answer.requests.count == 1)
    }

    @Test("the cards of the answer stay those of the wire format")
    func cards() throws {
        let chain = try Chain("westend")
        let inner = try chain.transfer(to: Person.charlie)
        let answer = try chain.vault().process(chain.payload(multisig(inner, on: chain)))
        #expect(answer.cards.method.count { $0.line.contains("pallet:") } == 1)
        #expect(answer.callCards.count { $0.line.contains("pallet:") } == 2)
    }

    @Test("bytes of a multisig that are no call have a hash all the same")
    func garbage() throws {
        let chain = try Chain("westend")
        let answer = try chain.vault().process(chain.payload(multisig([0xff, 0xff], on: chain)))
        #expect(answer.effects?.leaves.map(\.name) == ["Multisig.as_multi"])
        #expect(answer.multisigCallHashes == [CallHash.of([0xff, 0xff])])
    }

    @Test("calls in bytes that nest too deep are shown and not signed")
    func tooDeep() throws {
        let chain = try Chain("westend")
        var call = try chain.remark("x")
        for _ in 0..<20 {
            call = try multisig(call, on: chain)
        }
        let answer = try chain.vault().process(chain.payload(call))
        #expect(answer.requests.isEmpty)
        #expect(answer.cards.error.map(\.line).first?.contains("TooDeep") == true)
    }
}
