import Substrate
import Testing

@Suite("Derived accounts")
struct DerivedAccountTests {
    @Test("the multisig of Alice, Bob and Charlie has its published address, in whatever order they come")
    func multisig() throws {
        let signatories = [ProofChain.alice, ProofChain.bob, ProofChain.charlie]
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
            let account = DerivedAccount.multisig(signatories: order.map { signatories[$0] }, threshold: 2)
            #expect(try SS58.encode(account, prefix: 42) == "5DjYJStmdZ2rcqXbXGX7TW85JsrW6uG4y9MUcLq2BoPMpRA7")
        }
        let other = DerivedAccount.multisig(signatories: signatories, threshold: 3)
        #expect(other != DerivedAccount.multisig(signatories: signatories, threshold: 2))
    }

    @Test("the first derivative of Alice has its known address")
    func derivative() throws {
        let account = DerivedAccount.derivative(of: ProofChain.alice, index: 0)
        #expect(try SS58.encode(account, prefix: 42) == "5Ep769A4Ka6QrHYoPfzA1fTWRSXpf28vhdbWHWmkWmi4SNHi")
        #expect(DerivedAccount.derivative(of: ProofChain.alice, index: 1) != account)
    }

    @Test("where accounts have 20 bytes, so have those derived from them")
    func short() {
        let account = [UInt8](repeating: 1, count: 20)
        #expect(DerivedAccount.derivative(of: account, index: 0).count == 20)
        #expect(DerivedAccount.multisig(signatories: [account, account], threshold: 2).count == 20)
    }
}
