import Foundation
import MainKey
import Measuring
import SecretMemory

/// What unlocking costs beyond Argon2id.
struct Unlocking {
    let folder: URL

    func run() throws {
        let path = folder.appending(path: "none").path
        let vault = try MainKeyVault.create(at: path, [.none])
        var best = Double.infinity
        for _ in 0..<20 {
            vault.lock()
            let start = processorTime()
            try vault.unlock(.none)
            best = min(best, processorTime() - start)
        }
        report("unlock_beyond_argon2id", Cost(microseconds: best))
    }
}
