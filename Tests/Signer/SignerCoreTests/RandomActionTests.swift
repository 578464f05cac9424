import Foundation
import Navigator
import NetworkDetector
import SecretMemory
import Signer
import SplitBackup
import Testing

@testable import SignerCore

/// Whatever a person does, what has to hold holds.
@Suite("Random actions")
struct RandomActionTests {
    /// What was done, so that it can be done again.
    private struct Step {
        var action: UserAction
        var data: String
        var secret: String?
        var detector: NetworkDetector.State
    }

    /// A person who tries what the page offers, and sometimes anything at all.
    private struct Person {
        let random: RepeatedRandom
        let shares: FlowRunner.ShareRecord
        var phrases = [KnownShares.phrase]

        func below(_ limit: Int) -> Int { Int(random.next() >> 16) % limit }
        func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }

        mutating func next(_ page: ActionResult) -> Step {
            if case .newSeedBackup(let data)? = page.modal {
                phrases.append(data.phrase.bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })
            }
            var action = pick(UserAction.allCases)
            let possible = RuleTable.shared.rules.filter { rule in
                rule.action.map { rule.applies(to: $0, at: page.position) } ?? false
            }
            // Mostly what leads somewhere, and rarely what empties everything.
            if below(8) > 0, let rule = possible.isEmpty ? nil : pick(possible) { action = rule.action ?? action }
            if [.wipeAll, .forgetGeneralVerifier, .removeNetwork, .blockNetwork].contains(action), below(8) > 0 {
                action = .goBack
            }
            let detector = below(10) == 0 ? pick(NetworkDetector.State.allCases) : .safe
            return Step(action: action, data: data(page), secret: secret(), detector: detector)
        }

        private func data(_ page: ActionResult) -> String {
            var texts = [
                "", "", "Alice", "Portia", "Bob", "true", "false", "1", "2", "3,2", "2,2", "0", "9122", "//a", "//a//b",
                "//1///pass", "/soft", "WIPE", "Westend", "long enough words", " lak", " lake ", "zoo", "530102",
                TestCore.westend, FlowStart.dangerousTransaction, pick(shares.shares), "694ty",
                #"{"name":"Bob","address":"5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty","networks":[],"note":""}"#,
                #"{"name":"Portia","words":"12"}"#, #"{"paths":"//a","network":"","accounts":"1"}"#,
                #"{"change":["recovery"]}"#, #"{"change":["rotate"]}"#, #"{"change":["autolock"],"autolock":"0"}"#,
            ]
            switch page.screen {
            case .keys(let data):
                texts += (data.keys + [data.root].compactMap { $0 }).flatMap { [$0.addressKey, $0.addressKey] }
            case .manageNetworks(let data): texts += data.networks.flatMap { [$0.key, $0.key] }
            case .networkDetails(let data): texts += data.metadata.map { "\($0.version)" }
            case .seedSelector(let data): texts += data.seeds.flatMap { [$0.name, $0.name] }
            case .log(let data): texts += data.entries.map { "\($0.order)" }
            case .signSufficientCrypto(let data): texts += data.keys.map(\.addressKey)
            case .addressBook(let data): texts += data.contacts.map(\.account)
            default: break
            }
            if case .networkSelector(let data)? = page.modal { texts += data.networks.flatMap { [$0.key, $0.key] } }
            return pick(texts)
        }

        private func secret() -> String? {
            switch below(6) {
            case 0, 1: pick(phrases)
            case 2: shares.passphrase
            case 3: pick(["pass", "long enough words", ""])
            default: nil
            }
        }
    }

    /// Screens and modals that may show what is secret.
    private static func mayShow(_ page: ActionResult) -> Bool {
        page.position.screen == .recoverSeedPhrase
            || page.position.modal.map { [.newSeedBackup, .backup, .exportSecret, .splitPassphrase].contains($0) }
                ?? false
    }

    private func run(_ count: Int, seed: UInt64) throws -> (steps: [Step], rules: Set<String>) {
        let test = try TestCore(isOnboarded: true, confirmsDangers: true, random: RepeatedRandom(seed: seed))
        var person = Person(
            random: RepeatedRandom(seed: seed &+ 1), shares: try #require(KnownShares.sets().values.first))
        var page = try test.core.action(.start)
        var steps: [Step] = []
        var rules: Set<String> = []
        for number in 0..<count {
            let step = person.next(page)
            steps.append(step)
            test.host.setDetector(step.detector)
            page = try test.core.action(
                step.action, data: step.data, secret: step.secret.map { try KnownShares.secret($0) })
            if let rule = page.rule { rules.insert(rule) }
            let secrets = number % 50 == 0 ? try person.phrases.map { try KnownShares.secret($0) } : []
            let breaches = try test.core.breaches(secrets: secrets)
            let json = try TestCore.json(page, revealing: true)
            let isShown = !Self.mayShow(page) && person.phrases.contains { json.contains($0) }
            guard breaches.isEmpty, !isShown, page.errorCode != "Internal" else {
                Issue.record("\(number) \(step.action.rawValue) \(step.data): \(breaches) \(isShown) \(page.position)")
                break
            }
        }
        return (steps, rules)
    }

    @Test("12,000 of them break nothing", arguments: [UInt64(20_251_123)])
    func invariants(seed: UInt64) throws {
        let (steps, rules) = try run(12_000, seed: seed)
        #expect(steps.count == 12_000)
        #expect(rules.count > 80)
    }
}
