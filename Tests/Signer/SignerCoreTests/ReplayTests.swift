import Navigator
import Testing

@testable import SignerCore

@Suite("What was recorded")
struct ReplayTests {
    private static let steps: [(UserAction, String)] = [
        (.start, ""), (.newSeed, ""), (.goForward, "Portia"), (.goForward, "true"), (.newKey, ""), (.goForward, "//1"),
        (.networkSelector, ""), (.changeNetwork, TestCore.westend), (.newKey, ""), (.goForward, "//1//2"),
        (.rightButtonAction, ""), (.backupSeed, ""), (.navbarSettings, ""), (.manageNetworks, ""),
        (.goForward, TestCore.westend), (.rightButtonAction, ""), (.removeNetwork, ""), (.navbarLog, ""),
    ]

    @Test("gives the same vault when it is done again: clock and randomness are all that it depends on")
    func same() throws {
        let vaults = try (0..<2).map { _ in
            let test = try TestCore(random: RepeatedRandom(seed: 7))
            for (action, data) in Self.steps { try test.act(action, data) }
            return try #require(try test.host.openVault()).contentDigest()
        }
        #expect(vaults[0] == vaults[1])
        let other = try TestCore(random: RepeatedRandom(seed: 8))
        for (action, data) in Self.steps { try other.act(action, data) }
        #expect(try #require(try other.host.openVault()).contentDigest() != vaults[0])
    }
}
