import SecretMemory
import Signer
import Substrate
import Synchronization

/// Recovery phrases in locked memory, gone with the process.
package final class MemorySeeds: SeedVault {
    private let phrases = Mutex<[String: Mnemonic]>([:])

    /// Begins with none.
    package init() {}

    package func names() -> [String] {
        phrases.withLock { $0.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }
    }

    package func add(_ mnemonic: Mnemonic, named name: String) throws {
        try phrases.withLock { phrases in
            guard phrases[name] == nil else { throw SignerError.seedNameTaken(name: name) }
            if let same = phrases.first(where: { $0.value.entropy == mnemonic.entropy }) {
                throw SignerError.seedAlreadyExists(name: same.key)
            }
            phrases[name] = mnemonic
        }
    }

    package func copy(_ name: String, to newName: String) throws {
        try phrases.withLock { phrases in
            guard phrases[newName] == nil else { throw SignerError.seedNameTaken(name: newName) }
            guard let phrase = phrases[name] else { throw SignerError.seedNotFound(name: name) }
            phrases[newName] = phrase
        }
    }

    package func mnemonic(named name: String) throws -> Mnemonic {
        guard let mnemonic = phrases.withLock({ $0[name] }) else { throw SignerError.seedNotFound(name: name) }
        return mnemonic
    }

    package func remove(_ name: String) throws {
        guard phrases.withLock({ $0.removeValue(forKey: name) }) != nil else {
            throw SignerError.seedNotFound(name: name)
        }
    }
}
