import Foundation
import Navigator
import Signer
import TestSupport
import Testing
import TextForms

@testable import SignerCore

/// A process of its own does action after action over a folder and is killed at a random moment: the vault is as before
/// an action or as behind it, with its log.
@Suite("A core that is killed", .serialized)
struct KilledCoreTests {
    /// Actions of each kind that writes, each one entry of the log.
    private enum Round {
        static let count = 6
        private static let contact = #"{"name":"Bob","address":"5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty"}"#
        private static let bob = "8eaf04151687736326c9fea17e25fc5287613693c912909cb226aa4794f26a48"

        static func act(_ number: Int, _ core: Core) throws {
            func act(_ action: UserAction, _ data: String = "") throws -> ActionResult {
                try core.action(action, data: data)
            }
            func goToKeys() throws -> KeysData {
                _ = try act(.navbarKeys)
                _ = try act(.selectSeed, "Alice")
                _ = try act(.networkSelector)
                guard case .keys(let keys) = try act(.changeNetwork, TestCore.westend).screen else {
                    throw CoreError.notPending
                }
                return keys
            }
            let page: ActionResult
            switch number % count {
            case 0:
                _ = try goToKeys()
                _ = try act(.newKey)
                page = try act(.goForward, "//killed")
            case 1:
                _ = try act(.navbarLog)
                _ = try act(.rightButtonAction)
                _ = try act(.createLogComment)
                page = try act(.goForward, "entry \(number)")
            case 2:
                let keys = try goToKeys()
                let key = keys.keys.first { $0.path == "//killed" }
                _ = try act(.swipe, key?.addressKey ?? "")
                page = try act(.removeKey)
            case 3:
                _ = try act(.navbarSettings)
                _ = try act(.openAddressBook)
                _ = try act(.newContact)
                page = try act(.goForward, contact)
            case 4:
                let keys = try goToKeys()
                let key = keys.keys.first { $0.path == "//westend" }
                _ = try act(.swipe, key?.addressKey ?? "")
                page = try act(.increment, "1")
            default:
                _ = try act(.navbarSettings)
                _ = try act(.openAddressBook)
                _ = try act(.selectContact, bob)
                page = try act(.removeContact)
            }
            guard page.position.alert == nil else {
                throw CoreError.notAvailable(what: "\(number): \(page.errorCode ?? "")")
            }
            _ = try act(.navbarKeys)
            _ = try act(.goBack)
        }
    }

    private static let deaths = 100

    @Test("after each death the vault holds what its log tells, all of the last action or nothing of it")
    func killed() async throws {
        let test = try TestFolder()
        var first = 0
        var window = Duration.zero
        do {
            let living = try test.core()
            try living.recoverAlice()
            first = try #require(try living.host.openVault()).logCount()
            // As long as three actions take here and now, so that some are done before each death.
            window =
                try ContinuousClock().measure {
                    for number in 0..<Round.count { try Round.act(number, living.core) }
                } / 2
            living.core.close()
        }
        var longest = UInt32(window / .microseconds(1))
        // The same actions in memory, by the same clock: what the folder has to hold behind each.
        let reference = Core(
            host: try MemoryHost(TestCore.bundle(hasMetadata: false), now: { TestFolder.time }))
        _ = try reference.action(.start)
        _ = try reference.action(.recoverSeed)
        _ = try reference.action(.goForward, data: "Alice")
        _ = try reference.action(.goForward, data: "false", secret: KnownShares.secret(TestCore.phrase))
        var states = [try #require(try reference.host.openVault()).contentDigest()]

        var random = SplitMix64(state: 200)
        var counts: [Int] = []
        for _ in 0..<Self.deaths {
            let microseconds = UInt32.random(in: 0...longest, using: &random)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = test.folder.path as String, microseconds = microseconds as UInt32, first = first as Int] in
                let core = Core(
                    host: FolderHost(
                        URL(filePath: path), try TestFolder.settings(),
                        lookout: NetworkLookout(.success(FakeNetwork()))))
                _ = try core.action(.start)
                _ = try core.action(.goForward, secret: KnownShares.secret(TestFolder.pin))
                Thread {
                    usleep(microseconds)
                    Foundation.kill(getpid(), SIGKILL)
                }.start()
                var number = try (core.host.openVault()?.logCount() ?? 0) - first
                while true {
                    try Round.act(number, core)
                    number += 1
                }
            }
            let vault = try test.vault(.read)
            let done = try vault.verifyLog().count - first
            while states.count <= done {
                try Round.act(states.count - 1, reference)
                states.append(try #require(try reference.host.openVault()).contentDigest())
            }
            #expect(try vault.contentDigest() == states[done], "after \(done) actions")
            #expect(try vault.breaches(whileWaiting: false, secrets: []) == [])
            // What a machine does in this time may change while the test runs. Some deaths come within the first
            // action, and few behind many.
            switch done - (counts.last ?? 0) {
            case 0: longest += longest / 4 + 1
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
