import Airgap
import Foundation
import MainKey
import Substrate
import TestSupport
import Testing

@testable import Signer

/// A process of its own takes updates in and is killed at a random moment: the vault is as before an update or as
/// behind it, with its log.
@Suite("Updates that are killed", .serialized)
struct KilledUpdateTests {
    /// Six actions that lead back to where they began, each one entry of the log.
    private struct Round {
        static let count = 6

        let westend: NetworkBundle.Network
        let general: KeyPair

        init() throws {
            westend = try #require(try NetworkBundle.shipped().networks.first { $0.specs.name == "westend" })
            general = try VaultUpdatesTests.pair(1)
        }

        var bundle: NetworkBundle {
            NetworkBundle(networks: [westend], generalVerifier: Verifier(general.multiSigner))
        }

        private func take(_ content: UpdatePayload.Content, in vault: Vault) throws {
            try VaultUpdatesTests.take(content, by: general, in: vault)
        }

        func act(_ number: Int, in vault: Vault) throws {
            var renamed = westend.specs
            renamed.title = "Another title"
            let key = try ChainMetadata(westend.metadata[0])
            switch number % Self.count {
            case 0: try take(.specs(renamed), in: vault)
            case 1: try vault.removeMetadata(name: key.specName, version: key.specVersion)
            case 2: try take(.specs(westend.specs), in: vault)
            case 3:
                try take(.types(.signable()), in: vault)
            case 4: try take(.metadata(westend.metadata[0], genesisHash: westend.specs.genesisHash), in: vault)
            default: try vault.removeTypes()
            }
        }

        /// The state before each action.
        func states() throws -> [TrustState] {
            let vault = try Vault.lookOnly(bundle)
            return try (0..<Self.count).map { number in
                defer { try? act(number, in: vault) }
                return try vault.trustState()
            }
        }
    }

    private static func open(_ path: String) throws -> Vault {
        var options = OpenOptions()
        options.sessionKeys = MemoryItems()
        let pin = try TestVault.secret("passphrase")
        return try Vault.open(
            URL(filePath: path), unlocking: Unlocking(options, cost: TestVault.cost) { _ in .pin(pin) },
            now: { TestVault.time })
    }

    private static let deaths = 100

    @Test("after each death the vault holds what its log tells, all of the last update or nothing of it")
    func killed() async throws {
        let round = try Round()
        let states = try round.states()
        #expect(Set(states).count == Round.count)
        let made = try TestVault(round.bundle, hasPIN: true)
        var random = SplitMix64(state: 200)
        var counts: [Int] = []
        var longest: UInt32 = 40_000
        for _ in 0..<Self.deaths {
            let microseconds = UInt32.random(in: 0...longest, using: &random)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = made.folder.path as String, microseconds = microseconds as UInt32] in
                let (round, vault) = (try Round(), try Self.open(path))
                Thread {
                    usleep(microseconds)
                    Foundation.kill(getpid(), SIGKILL)
                }.start()
                // The first entry is that of the vault's making.
                var number = try vault.log().count - 1
                while true {
                    try round.act(number, in: vault)
                    number += 1
                }
            }
            let vault = try Self.open(made.folder.path)
            let done = try vault.log().count - 1
            #expect(try vault.trustState() == states[done % Round.count], "after \(done) actions")
            #expect(try vault.pendingPayload() == nil)
            // What a machine does in this time may change while the test runs. Some deaths come within the first
            // update, and few behind many.
            switch done - (counts.last ?? 0) {
            case 0: longest += longest / 4
            case 1...Round.count / 2: break
            default: longest -= longest / 4
            }
            counts.append(done)
        }
        // Work was done, and none of it was lost.
        #expect(counts.sorted() == counts)
        #expect(Set(counts).count > Self.deaths / 4, "\(counts)")
    }
}
