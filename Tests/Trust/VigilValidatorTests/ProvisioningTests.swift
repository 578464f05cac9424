import CodeMeasurement
import Foundation
import SecretMemory
import Testing

@testable import Vigil
@testable import VigilValidator

@Suite("Pinning each other")
struct ProvisioningTests {
    private func secret(_ bytes: [UInt8]) throws -> SecretBytes { try SecretBytes(copying: bytes) }

    /// The reason of a refusal; `ok` where it was pinned.
    private func provision(_ pair: Pair, key: TestKey? = nil, token: SecretBytes? = nil) -> Reason {
        do throws(Refusal) {
            // The validator decides, and not already the app.
            _ = try pair.client(key: key, requiresToken: false).provision(token: token, within: .seconds(600))
            return .ok
        } catch {
            return error.reason
        }
    }

    @Test("both are pinned in an open window, and it closes with that")
    func pinned() throws {
        let pair = try Pair(isProvisioned: false)
        pair.window.open(for: .seconds(600))
        #expect(provision(pair) == .ok)
        #expect(try pair.validatorPins.pin(of: .app) == .active(pair.appKey.pinned, .software))
        #expect(try pair.appPins.pin(of: .validator) == .active(pair.validatorKey.pinned, .software))
        #expect(!pair.window.isOpen)
        #expect(pair.client().validate(within: .seconds(600)).report.result == .valid)
    }

    @Test("nobody is pinned while the window is closed")
    func closed() throws {
        let pair = try Pair(isProvisioned: false)
        #expect(provision(pair) == .notProvisioned)
        #expect(try pair.validatorPins.pin(of: .app) == .none)
        #expect(try pair.appPins.pin(of: .validator) == .none)
    }

    @Test("who died before the answer came asks again; another key is refused also in an open window")
    func again() throws {
        let pair = try Pair(isProvisioned: false)
        pair.window.open(for: .seconds(600))
        #expect(provision(pair) == .ok)
        #expect(provision(pair) == .ok)
        pair.window.open(for: .seconds(600))
        #expect(provision(pair, key: TestKey()) == .publicKeyMismatch)
        #expect(try pair.validatorPins.pin(of: .app) == .active(pair.appKey.pinned, .software))
    }

    @Test("with a token only who has it is pinned, on both sides")
    func tokens() throws {
        let token = [UInt8](repeating: 7, count: 32)
        let pair = try Pair(isProvisioned: false, token: token)
        pair.window.open(for: .seconds(600))
        #expect(provision(pair) == .notProvisioned)
        #expect(provision(pair, token: try secret([UInt8](repeating: 8, count: 32))) == .notProvisioned)
        #expect(try pair.validatorPins.pin(of: .app) == .none)
        #expect(provision(pair, token: try secret(token)) == .ok)
        // A validator without the token is no validator of this installer.
        let other = try Pair(isProvisioned: false)
        other.window.open(for: .seconds(600))
        #expect(provision(other, token: try secret(token)) == .notProvisioned)
        #expect(try other.appPins.pin(of: .validator) == .none)
    }

    @Test("an app that wants a token pins no validator without one, however genuine")
    func noTokenAtApp() throws {
        let pair = try Pair(isProvisioned: false)
        pair.window.open(for: .seconds(600))
        #expect(throws: Refusal.self) {
            try pair.client(requiresToken: true).provision(token: nil, within: .seconds(600))
        }
        #expect(try pair.appPins.pin(of: .validator) == .none && pair.validatorPins.pin(of: .app) == .none)
        #expect(provision(pair) == .ok)
    }

    @Test("a policy that wants a token and has none pins nobody")
    func noToken() throws {
        let pair = try Pair(isProvisioned: false) { $0.requiresToken = true }
        pair.window.open(for: .seconds(600))
        #expect(provision(pair) == .notProvisioned)
    }

    @Test("what is measured decides also here", arguments: [Reason.foreignCode, .codeModified, .traced])
    func measured(reason: Reason) throws {
        let pair = try Pair(isProvisioned: false)
        pair.window.open(for: .seconds(600))
        pair.atApp.change { $0.refusal = Refusal(reason, "seen") }
        #expect(provision(pair) == reason)
        pair.atApp.change { $0.refusal = nil }
        pair.atValidator.change { $0.refusal = Refusal(reason, "seen") }
        #expect(provision(pair) == reason)
        #expect(try pair.validatorPins.pin(of: .app) == .none)
        #expect(pair.window.isOpen)
    }

    @Test("a second client that races for the window loses to the first")
    func race() throws {
        let pair = try Pair(isProvisioned: false) {
            $0.limits.connectionsOfUser = 20
            $0.limits.halfOpenOfUser = 20
            $0.limits.handshakesPerSecond = 100
        }
        pair.window.open(for: .seconds(600))
        let keys = (0..<8).map { _ in TestKey() }
        let results = keys.map { _ in Mutexed<Reason?>(nil) }
        let done = DispatchSemaphore(value: 0)
        for (key, result) in zip(keys, results) {
            Thread {
                result.set(self.provision(pair, key: key))
                done.signal()
            }.start()
        }
        for _ in keys { done.wait() }
        let reasons = results.compactMap(\.value)
        #expect(reasons.count { $0 == .ok } == 1)
        #expect(reasons.allSatisfy { [.ok, .publicKeyMismatch, .notProvisioned].contains($0) }, "\(reasons)")
    }

    @Test("a new key takes the place of the old one if both have signed, once")
    func rotation() throws {
        let pair = try Pair()
        let new = TestKey()
        try pair.client().rotate(to: new, counter: 1, within: .seconds(600))
        #expect(try pair.validatorPins.pin(of: .app) == .active(new.pinned, .software))
        #expect(pair.client().validate(within: .seconds(600)).report.reason == .publicKeyMismatch)
        #expect(pair.client(key: new).validate(within: .seconds(600)).report.result == .valid)
        #expect(throws: Refusal.self) {
            try pair.client(key: new).rotate(to: TestKey(), counter: 1, within: .seconds(600))
        }
        #expect(throws: Refusal.self) {
            try pair.client().rotate(to: TestKey(), counter: 2, within: .seconds(600))
        }
    }
}
