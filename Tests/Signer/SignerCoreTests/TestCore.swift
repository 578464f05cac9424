import Foundation
import Navigator
import SecretMemory
import Signer
import Synchronization
import Testing

@testable import SignerCore

/// A core over a vault in memory, with small networks.
struct TestCore {
    static let phrase = KnownShares.phrase
    /// Network keys in hex, by the names of their networks.
    static let westend = "01e143f23803ac50e8f6f8e62695d1ce9e4e1d68aa36c1cd2cfd15340213f3423e"

    let host: MemoryHost
    let core: Core

    /// - Parameter hasMetadata: whether networks come with metadata, with which transactions are read.
    init(
        hasMetadata: Bool = false, isOnboarded: Bool = true, confirmsDangers: Bool = false,
        random: any RandomSource = MixedRandom.standard
    ) throws {
        host = try MemoryHost(
            Self.bundle(hasMetadata: hasMetadata), isOnboarded: isOnboarded, confirmsDangers: confirmsDangers,
            random: random)
        core = Core(host: host)
    }

    /// - Parameter bundle: the networks, and whom the release trusts.
    init(bundle: NetworkBundle) throws {
        host = try MemoryHost(bundle)
        core = Core(host: host)
    }

    static func bundle(hasMetadata: Bool) throws -> NetworkBundle {
        var bundle = try NetworkBundle.shipped()
        if !hasMetadata { for index in bundle.networks.indices { bundle.networks[index].metadata = [] } }
        return bundle
    }

    /// Does an action, and checks that nothing is wrong behind it.
    @discardableResult
    func act(
        _ action: UserAction, _ data: String = "", secret: String? = nil, at: SourceLocation = #_sourceLocation
    ) throws -> ActionResult {
        let result = try core.action(action, data: data, secret: secret.map { try KnownShares.secret($0) })
        #expect(try core.breaches() == [], "\(action.rawValue)", sourceLocation: at)
        return result
    }

    /// Recovers the development phrase as the seed `Alice`, up to its keys.
    func recoverAlice() throws -> ActionResult {
        try act(.start)
        try act(.recoverSeed)
        try act(.goForward, "Alice")
        return try act(.goForward, "false", secret: Self.phrase)
    }

    /// The page as JSON.
    static func json(_ result: ActionResult, revealing: Bool) throws -> String {
        let encoder = JSONEncoder()
        if revealing, let key = ShownSecret.reveal { encoder.userInfo[key] = true }
        return String(decoding: try encoder.encode(result), as: UTF8.self)
    }
}

extension ActionResult {
    /// The code of the error that is shown.
    var errorCode: String? { if case .error(let failure)? = alert { failure.code } else { nil } }
}

/// Numbers that look random and are the same in each run (xorshift).
final class RepeatedRandom: RandomSource {
    let name = "A source of repeated numbers"
    private let state: Mutex<UInt64>

    init(seed: UInt64) { state = Mutex(seed) }

    func next() -> UInt64 {
        state.withLock { state in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state
        }
    }

    func fill(_ memory: UnsafeMutableRawBufferPointer) throws(RandomFault) {
        for index in memory.indices { memory[index] = UInt8(truncatingIfNeeded: next() >> 32) }
    }
}
