import Navigator
import NetworkDetector
import Signer
import Testing

@testable import SignerCore

/// What a vault lets pass, changed while it is open for long.
@Suite("The network policy in a living core")
struct NetworkPolicyTests {
    private func allowed(_ page: ActionResult) throws -> [String] {
        guard case .networkPolicy(let data) = page.screen else { throw CoreError.notPending }
        return data.allowed
    }

    private func opened(_ test: TestFolder) throws -> LivingCore {
        let living = try test.core()
        try living.unlock()
        try living.act(.navbarSettings)
        #expect(try allowed(living.act(.openNetworkPolicy)) == [])
        return living
    }

    @Test("only who shows the PIN once more changes it, and the log says what was changed")
    func rights() throws {
        let test = try TestFolder()
        let living = try opened(test)
        let wanted = #"{"allowed":["ignore-radios","network-allowed"]}"#
        for (credential, code) in [(nil, "NotAuthenticated"), ("Fichte-0000", "WrongCredential")] {
            #expect(try living.act(.goForward, wanted, credential: credential).errorCode == code)
            #expect(try allowed(living.act(.goBack)) == [])
        }
        #expect(try living.host.openVault()?.networkAllowance() == .strict)
        let page = try living.act(.goForward, wanted, credential: TestFolder.pin)
        #expect(try allowed(page) == ["ignore-radios", "network-allowed"] && page.detector.isAllowed)
        // A host that has one place for what is secret gives the PIN there.
        let strict = try living.act(.goForward, #"{"allowed":[]}"#, secret: TestFolder.pin)
        #expect(try allowed(strict) == [] && !strict.detector.isAllowed)
        let events = try #require(try living.host.openVault()).log().flatMap(\.events)
        #expect(
            events.filter { $0.contains("network policy") } == [
                "SystemEntry network policy: ignore-radios, network-allowed", "SystemEntry network policy: strict",
            ])
    }

    @Test(
        "what cannot be read changes nothing",
        arguments: [
            "", "ignore-radios", "[]", "{}", #"{"allowed":["ignore-radio"]}"#, #"{"allowed":"ignore-radios"}"#,
            #"{"allowed":["ignore-radios","ignore-radios"]}"#, #"{"allowed":[""]}"#,
        ])
    func malformed(text: String) throws {
        let test = try TestFolder(allowing: NetworkAllowance(ignoresRadios: true))
        let living = try test.core()
        try living.unlock()
        try living.act(.navbarSettings)
        #expect(try allowed(living.act(.openNetworkPolicy)) == ["ignore-radios"])
        #expect(try living.act(.goForward, text, credential: TestFolder.pin).errorCode == "Codec")
        #expect(try allowed(living.act(.goBack)) == ["ignore-radios"])
    }

    @Test("what was found before is judged by the new policy at once, though nothing has changed since")
    func judgedAnew() throws {
        let test = try TestFolder()
        test.network.set(hasRadio: true)
        let living = try opened(test)
        #expect(try living.act(.nothing).detector.state == .connected)
        let radios = try living.act(.goForward, #"{"allowed":["ignore-radios"]}"#, credential: TestFolder.pin)
        // It was on while that counted: a person acknowledges it first.
        #expect(radios.detector.state == .wasOnline && !radios.detector.permitsSecrets)
        try living.act(.shield)
        #expect(try living.act(.ackShield).detector.state == .safe)
        // Strict again, the radio that was on all the time counts again.
        let strict = try living.act(.goForward, #"{"allowed":[]}"#, credential: TestFolder.pin)
        #expect(strict.detector.state == .connected && !strict.detector.permitsSecrets)
    }

    @Test("where a connection is allowed secrets are used, and no longer when it is strict again")
    func connection() throws {
        let test = try TestFolder()
        test.network.set(isUp: true)
        let living = try opened(test)
        let allowed = try living.act(.goForward, #"{"allowed":["network-allowed"]}"#, credential: TestFolder.pin)
        #expect(allowed.detector.state == .connected && allowed.detector.permitsSecrets)
        let strict = try living.act(.goForward, #"{"allowed":[]}"#, credential: TestFolder.pin)
        #expect(strict.detector.state == .connected && !strict.detector.permitsSecrets)
        try living.act(.goBack)
        #expect(try living.act(.backupSeed).position.alert == .shield)
    }
}
