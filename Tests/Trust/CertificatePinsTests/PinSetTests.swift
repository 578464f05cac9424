import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CertificatePins

@Suite("Sets of pins")
struct PinSetTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    @Test("the verdicts are the known ones", arguments: PinFixture.cases)
    func knownVerdicts(of known: PinCase) throws {
        let chain = try known.chain.map(PinFixture.certificate)
        let outcome: String
        do throws(PinError) {
            switch try PinSet(known.pins).verdict(on: chain, at: Self.now) {
            case .allow: outcome = "allow"
            case .deny: outcome = "deny"
            }
        } catch {
            outcome = error.code
        }
        #expect(outcome == known.json["expect"].string)
    }

    @Test("an allowance names the pin that matched, a refusal the keys that were shown")
    func reasons() throws {
        let pins = try Self.pins()
        let chain = try ["leaf_ec", "inter", "root"].map(PinFixture.certificate)
        #expect(pins.verdict(on: chain, at: Self.now) == .allow(.pinned(try Self.pin("leaf_ec"))))

        let attackers = try ["attacker", "inter", "root"].map(PinFixture.certificate)
        let shown = try ["attacker", "inter", "root"].map(Self.pin)
        #expect(pins.verdict(on: attackers, at: Self.now) == .deny(.noneMatches(shown: shown)))
        #expect(pins.verdict(on: [], at: Self.now) == .deny(.noCertificate))
    }

    @Test("a chain with a certificate that cannot be read is refused, also where another matches")
    func unreadable() throws {
        let chain = [try PinFixture.certificate("leaf_ec"), [0x30, 0]]
        guard
            case .deny(.unreadable(position: 1, .malformed(_))) = try Self.pins().verdict(
                on: chain, at: Self.now)
        else {
            Issue.record("allowed, or refused for another reason")
            return
        }
    }

    @Test("the same pin written twice beside another is one of two")
    func repeated() throws {
        let leaf = try Self.pin("leaf_ec")
        #expect(try PinSet([leaf, leaf, Self.pin("backup")]).pins.count == 2)
        #expect(throws: PinError.self) { try PinSet([leaf, leaf]) }
        #expect(throws: PinError.self) { try PinSet([SPKIPin]()) }
    }

    @Test(
        "from the second of the expiry on nothing is allowed, unless the rule says so, and never without a certificate")
    func expiry() throws {
        let chain = [try PinFixture.certificate("leaf_ec")]
        let strangers = [try PinFixture.certificate("attacker")]
        let refusing = try Self.pins(expiry: PinSet.Expiry(date: Self.now))
        #expect(refusing.verdict(on: chain, at: Self.now - 1) == .allow(.pinned(try Self.pin("leaf_ec"))))
        #expect(refusing.verdict(on: chain, at: Self.now) == .deny(.expired(Self.now)))

        let allowing = try Self.pins(expiry: PinSet.Expiry(date: Self.now, rule: .allowAny))
        #expect(allowing.verdict(on: strangers, at: Self.now - 1) != .allow(.expiredPinsIgnored))
        #expect(allowing.verdict(on: strangers, at: Self.now) == .allow(.expiredPinsIgnored))
        #expect(allowing.verdict(on: [], at: Self.now) == .deny(.noCertificate))
    }

    @Test("the warning begins 30 days before the expiry and ends with it")
    func warning() throws {
        let pins = try Self.pins(expiry: PinSet.Expiry(date: Self.now))
        let month: TimeInterval = 30 * 86_400
        #expect(pins.expiryToWarnOf(at: Self.now - month - 1) == nil)
        #expect(pins.expiryToWarnOf(at: Self.now - month) == Self.now)
        #expect(pins.expiryToWarnOf(at: Self.now - 1) == Self.now)
        #expect(pins.expiryToWarnOf(at: Self.now) == nil)
        #expect(try Self.pins().expiryToWarnOf(at: Self.now) == nil)
    }

    @Test("a policy asks its clock, and reports refusals and what comes near")
    func policy() throws {
        let clock = Mutex(Self.now - 40 * 86_400)
        let events = Mutex<[PinEvent]>([])
        let expiry = PinSet.Expiry(date: Self.now)
        let policy = PinPolicy(
            try Self.pins(expiry: expiry), now: { clock.withLock { $0 } },
            report: { event in events.withLock { $0.append(event) } })
        let chain = [try PinFixture.certificate("leaf_ec")]

        #expect(policy.verdict(on: chain) == .allow(.pinned(try Self.pin("leaf_ec"))))
        #expect(events.withLock(\.self) == [])
        clock.withLock { $0 = Self.now - 86_400 }
        #expect(policy.verdict(on: chain) == .allow(.pinned(try Self.pin("leaf_ec"))))
        #expect(policy.verdict(on: []) == .deny(.noCertificate))
        clock.withLock { $0 = Self.now + 1 }
        #expect(policy.verdict(on: chain) == .deny(.expired(Self.now)))
        #expect(
            events.withLock(\.self) == [
                .expiresSoon(Self.now), .expiresSoon(Self.now), .refused(.noCertificate), .refused(.expired(Self.now)),
            ])
    }

    private static func pin(_ name: String) throws -> SPKIPin {
        try SPKIPin(certificate: PinFixture.certificate(name))
    }

    private static func pins(expiry: PinSet.Expiry? = nil) throws -> PinSet {
        try PinSet([pin("leaf_ec"), pin("backup")], expiry: expiry)
    }
}
