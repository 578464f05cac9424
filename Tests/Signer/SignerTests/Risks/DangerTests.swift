import Substrate
import Testing

@testable import Signer

@Suite("Signing what is dangerous")
struct DangerTests {
    /// A transaction of the demo seed's key on Polkadot.
    private func payload(
        _ vault: Vault, _ call: (Chain) throws -> [UInt8]
    ) throws -> [UInt8] {
        let chain = try Chain("polkadot")
        let author = try #require(vault.keys().first { $0.details.path == "//polkadot" }).signer.publicKey
        return try chain.payload(call(chain), by: author)
    }

    @Test("without the confirmation nothing is signed and every byte stays; with it the same item is")
    func confirmation() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let payload = try payload(vault) {
            try $0.call("Proxy", method: "add_proxy", arguments: Value.address(Person.bob), [0], [0, 0, 0, 0])
        }
        let answer = try vault.process(payload)
        #expect(answer.requests.count == 1, "it may be signed")
        let asked = answer.confirmations.map(\.text)
        #expect(asked == [try String(SS58.encode(Person.bob, prefix: 0).suffix(5))])
        var proposal = try vault.propose(payload)
        let before = try test.files()
        for typed in [[], ["add_proxy"], asked.map { String($0.dropFirst()) }, asked.map { $0.lowercased() }, [""]] {
            #expect(throws: SignerError.riskNotConfirmed) {
                try vault.sign(&proposal, confirmations: typed, comment: "")
            }
        }
        #expect(try test.files() == before)
        let signed = try vault.sign(&proposal, confirmations: ["beside it"] + asked, comment: "")
        #expect(signed.isValid(for: answer.requests))
    }

    @Test("each danger is confirmed on its own")
    func several() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let payload = try payload(vault) { chain in
            try chain.batch([
                chain.call("Proxy", method: "create_pure", arguments: [0], [0, 0, 0, 0], [0, 0]),
                chain.call("Proxy", method: "add_proxy", arguments: Value.address(Person.bob), [0], [0, 0, 0, 0]),
            ])
        }
        let asked = try vault.process(payload).confirmations.map(\.text)
        #expect(asked.count == 2)
        for one in asked {
            #expect(throws: SignerError.riskNotConfirmed) { try test.sign(payload, in: vault, confirmations: [one]) }
        }
        _ = try test.sign(payload, in: vault, confirmations: asked.reversed())
    }

    @Test("a tip beside a proxy takes two texts: the end of the proxy's address does not stand for the tip")
    func tipAndProxy() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let chain = try Chain("polkadot")
        let author = try #require(vault.keys().first { $0.details.path == "//polkadot" }).signer.publicKey
        let addProxy = try chain.call(
            "Proxy", method: "add_proxy", arguments: Value.address(Person.bob), [0], [0, 0, 0, 0])
        // 25 DOT.
        let payload = chain.payload(addProxy, Chain.Choices(tip: 250_000_000_000), by: author)
        let proxy = try String(SS58.encode(Person.bob, prefix: 0).suffix(5))
        for typed in [[proxy], [proxy, proxy], ["25"], [proxy, "24"]] {
            #expect(throws: SignerError.riskNotConfirmed) { try test.sign(payload, in: vault, confirmations: typed) }
        }
        _ = try test.sign(payload, in: vault, confirmations: ["25", proxy])
    }

    @Test("what is refused can be read, and no confirmation signs it")
    func refused() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let chain = try Chain("statemint")
        let author = try #require(vault.keys().first { $0.details.path == "//statemint" }).signer.publicKey
        let wrong = Chain.Choices(metadataHash: Hash256([UInt8](repeating: 7, count: 32)))
        let payload = try chain.payload(chain.transfer(), wrong, by: author)
        let answer = try vault.process(payload)
        guard case .read = answer.action else {
            Issue.record("may be signed")
            return
        }
        let log = try vault.log().count
        #expect(throws: SignerError.notToBeSigned) {
            try test.sign(payload, in: vault, confirmations: ["MetadataHashMismatch", "transfer_keep_alive"])
        }
        #expect(try vault.log().count == log)
    }
}
