import Substrate
import Synchronization
import Testing

@testable import Signer

/// What takes time to compute holds up nobody who writes, and takes no more time the more keys there are.
@Suite("Reading payloads beside others")
struct UndisturbedReadingTests {
    /// Seeds that write to the database whenever one is opened, as another command would.
    private final class WritingSeeds: SeedVault {
        private let vault = Mutex<Vault?>(nil)
        private let mnemonic: Mnemonic
        private let count = Mutex(0)

        init() throws {
            mnemonic = try Mnemonic(phrase: TestVault.secret(TestVault.phrase))
        }

        func write(to vault: Vault) { self.vault.withLock { $0 = vault } }
        var writes: Int { count.withLock { $0 } }

        func names() -> [String] { ["demo"] }
        func add(_ mnemonic: Mnemonic, named name: String) throws { throw SignerError.nothingPending }
        func copy(_ name: String, to newName: String) throws { throw SignerError.nothingPending }
        func remove(_ name: String) throws { throw SignerError.nothingPending }

        func mnemonic(named name: String) throws -> Mnemonic {
            let vault = vault.withLock { $0 }
            try vault?.database.write { _ = try $0.setPending([1, 2, 3]) }
            count.withLock { $0 += 1 }
            return mnemonic
        }
    }

    @Test("no transaction is open while a key is derived and a call is judged")
    func writer() throws {
        let chain = try Chain("polkadot")
        let seeds = try WritingSeeds()
        let root = StoredKey(
            signer: .sr25519(DerivationsPayload.root),
            details: AddressDetails(
                seedName: "demo", path: "", hasPassword: false, networks: [], scheme: .sr25519, secretExposed: false))
        let vault = try Vault.lookOnly(chain.bundle(), keys: [root], seeds: seeds)
        seeds.write(to: vault)
        let payload = try chain.payload(chain.transfer(), derivedFrom: DerivationsPayload.root, path: "//Alice")
        #expect(try vault.process(payload).requests.count == 1)
        #expect(seeds.writes == 1)
        #expect(try vault.pendingPayload() == [1, 2, 3])
    }

    @Test("a bulk of 512 looks at each of 2,500 keys once for each network")
    func manyKeys() throws {
        let chain = try Chain("polkadot")
        let keys = (0..<2500).map { number in
            chain.key(
                .sr25519(Value.integer(UInt32(number)) + [UInt8](repeating: 0, count: 28)), path: "//\(number)")
        }
        let vault = try Vault.lookOnly(chain.bundle(), keys: keys + [chain.key(.sr25519(Person.alice))])
        let member = try chain.payload(chain.transfer())
        let answer = try vault.process(Chain.bulk(Array(repeating: member, count: 512)))
        #expect(answer.requests.count == 512 && answer.items.allSatisfy { $0.effects != nil })
    }
}
