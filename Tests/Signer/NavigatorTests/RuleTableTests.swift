import Foundation
import TestSupport
import Testing

@testable import Navigator

/// The tables of the specification, as data beside these tests.
enum KnownRules {
    static let folder = packageRoot.appending(path: "Tests/Signer/NavigatorTests/Fixtures")

    static let original = Result { try JSON(contentsOf: folder.appending(path: "transitions.json")) }
    static let extensions = Result { try JSON(contentsOf: folder.appending(path: "transitions-ext.json")) }
}

extension Rule.Pattern {
    /// The one that it stands for.
    fileprivate var value: Value? { if case .one(let value) = self { value } else { nil } }
}

@Suite("The navigator's table")
struct RuleTableTests {
    /// A rule in the words of the known answers.
    private struct Line: Hashable {
        var id, screen, modal, alert, action, conditions, effects, nextScreen, nextModal, nextAlert: String?
    }

    private func line(_ json: JSON) -> Line {
        Line(
            id: json["id"].string, screen: json["screen"].string, modal: json["modal"].string,
            alert: json["alert"].string, action: json["action"].string, conditions: json["guard"].string,
            effects: json["effect"].string?.replacing("; ", with: ";"), nextScreen: json["to"]["screen"].string,
            nextModal: json["to"]["modal"].string, nextAlert: json["to"]["alert"].string)
    }

    private func line(_ rule: Rule) -> Line {
        func text<Value: RawRepresentable<String>>(_ pattern: Rule.Pattern<Value>) -> String {
            switch pattern {
            case .any: "*"
            case .none: "-"
            case .some: "+"
            case .one(let value): value.rawValue
            }
        }
        func text<Value: RawRepresentable<String>>(_ change: Rule.Change<Value>) -> String {
            switch change {
            case .unchanged: "="
            case .set(let value): value?.rawValue ?? "-"
            case .toggle(let value): value.rawValue + "~"
            }
        }
        return Line(
            id: rule.id, screen: rule.screen?.rawValue ?? "*", modal: text(rule.modal), alert: text(rule.alert),
            action: rule.action?.rawValue ?? "*", conditions: rule.guards.map(\.rawValue).joined(separator: ","),
            effects: rule.effects.map(\.rawValue).joined(separator: ";"), nextScreen: rule.nextScreen?.rawValue ?? "=",
            nextModal: text(rule.nextModal), nextAlert: text(rule.nextAlert))
    }

    @Test("is that of the specification, rule by rule, ours behind those of alerts")
    func rules() throws {
        let original = try KnownRules.original.get()["rules"].array
        let extensions = try KnownRules.extensions.get()["rules"].array
        #expect((original.count, extensions.count) == (134, 82))
        let wanted = original.prefix(5) + extensions + original.dropFirst(5)
        // What came after the specification has numbers from T301.
        let ours = RuleTable.shared.rules.filter { $0.id < "T301" }
        #expect(ours.count == wanted.count)
        for (rule, json) in zip(ours, wanted) { #expect(line(rule) == line(json)) }
    }

    @Test("leads from an update that was refused to its signature for others, and back to the scanner")
    func publishing() throws {
        let later = RuleTable.shared.rules.filter { ("T301"..."T302").contains($0.id) }
        #expect(later.map(\.id) == ["T301", "T302"])
        let signing = try #require(
            RuleTable.shared.step(.signAsPublisher, at: Position(.transaction)) { $0 == .transactionIsRefused })
        #expect(signing.position == Position(.signSufficientCrypto) && signing.rule.effects == [.setContentToRefused])
        // What was not refused leads nowhere.
        #expect(RuleTable.shared.step(.signAsPublisher, at: Position(.transaction)) { _ in false } == nil)
        let back = RuleTable.shared.step(.goBack, at: signing.position) { $0 == .contentIsRefused }
        #expect(back?.position == Position(.scan))
        // Dangers of the key are confirmed first.
        let asked = RuleTable.shared.step(.goForward, at: signing.position) { $0 == .riskOpen }?.position
        #expect(asked == Position(.signSufficientCrypto, modal: .confirmRisk))
        let confirmed = asked.flatMap { RuleTable.shared.step(.goForward, at: $0) { $0 == .acknowledged } }
        #expect(confirmed?.position == signing.position && confirmed?.rule.effects == [.acknowledgeRisk])
        let left = asked.flatMap { RuleTable.shared.step(.goBack, at: $0) { _ in false } }
        #expect(left?.position == signing.position)
        // With the machine connected nothing is signed there either.
        let refused = RuleTable.shared.step(.goForward, at: signing.position) {
            $0 == .detectorUnsafe || $0 == .contentIsRefused
        }
        #expect(refused?.position.alert == .shield)
    }

    @Test("by itself stores no phrase while the detector is not safe, though the core has left the page before")
    func unsafePhrase() throws {
        let words = Position(.recoverSeedPhrase)
        let refused = try #require(RuleTable.shared.step(.goForward, at: words) { $0 == .detectorUnsafe })
        #expect(refused.rule.id == "T215" && refused.position == Position(.recoverSeedPhrase, alert: .shield))
        let stored = try #require(RuleTable.shared.step(.goForward, at: words) { _ in false })
        #expect(stored.rule.effects.contains { $0.usesSecret })
    }

    @Test("leads nowhere from an alert by Lock and Start: it is dismissed first", arguments: [UserAction.lock, .start])
    func lockUnderAlert(action: UserAction) throws {
        for alert in [Alert.error, .shield] {
            let covered = Position(.settings, alert: alert)
            #expect(RuleTable.shared.step(action, at: covered) { _ in true }?.position == covered)
            let dismissed = RuleTable.shared.step(.goBack, at: covered) { _ in true }?.position
            #expect(dismissed == Position(.settings))
            #expect(dismissed.flatMap { RuleTable.shared.step(action, at: $0) { _ in true } }?.position != covered)
        }
    }

    @Test("leads to what is looked at beside scans, and from all of it back, and nothing of it makes or uses a secret")
    func looking() throws {
        let later = RuleTable.shared.rules.filter { ("T341"..."T362").contains($0.id) }
        #expect(later.count == 22)
        #expect(later.flatMap(\.effects).filter { ![.showOlder, .showNewer, .lookAnew].contains($0) } == [])
        func lead(_ action: UserAction, from position: Position, _ held: Guard? = nil) -> Position? {
            RuleTable.shared.step(action, at: position) { $0 == held }?.position
        }
        let policy = Position(.networkPolicy)
        #expect(lead(.openNetworkPolicy, from: Position(.settings)) == policy)
        #expect(lead(.goForward, from: policy, .networkPolicySet) == policy)
        #expect(lead(.goForward, from: policy)?.alert == .error)
        #expect(lead(.goBack, from: policy) == Position(.settings))
        let files = Position(.metadataFiles)
        #expect(lead(.openMetadataFiles, from: Position(.manageNetworks)) == files)
        #expect(lead(.transactionFetched, from: files, .proved)?.modal == .madeFile)
        #expect(lead(.goBack, from: Position(.metadataFiles, modal: .madeFile)) == files)
        for action in [UserAction.metadataFetched, .proofFetched, .transactionFetched, .compareHash, .makeLean] {
            #expect(lead(action, from: files) == Position(.metadataFiles, alert: .error), "\(action.rawValue)")
        }
        #expect(lead(.goBack, from: files) == Position(.manageNetworks))
        let log = Position(.log, modal: .logRight)
        #expect(lead(.compareLog, from: log, .logContains) == log)
        #expect(lead(.compareLog, from: log) == Position(.log, modal: .logRight, alert: .error))
        #expect(lead(.nextUnit, from: Position(.log)) == Position(.log))
    }

    @Test("ends with rules of our own, of which each that asks for a secret gives way where the detector is not safe")
    func vaultRules() throws {
        let ours = RuleTable.shared.rules.filter { $0.id >= "T401" }
        #expect(ours == Array(RuleTable.shared.rules.suffix(35)))
        #expect(ours.map(\.id) == ours.map(\.id).sorted())
        // No rule of before is theirs: what they begin with is on their own screens, modals and actions.
        let screens: [Screen] = [.protection, .keyPreview]
        let modals: [Modal] = [.seedRename, .recoveryCode, .confirmProtection]
        let actions: [UserAction] = [.renameSeed, .makePhrase, .previewKeys, .viewProtection, .changeProtection]
        for rule in ours {
            let isOwn =
                rule.screen.map(screens.contains) ?? false || modals.contains { rule.modal == .one($0) }
                || rule.action.map(actions.contains) ?? false
            #expect(isOwn, "\(rule.id)")
        }
        for rule in ours where rule.effects.contains(where: \.usesSecret) {
            let place = Position(rule.screen ?? .protection, modal: rule.modal.value)
            let refused = RuleTable.shared.step(try #require(rule.action), at: place) { condition in
                condition == .detectorUnsafe || rule.guards.contains(condition)
            }
            #expect(refused?.position.alert == .shield && refused?.rule.effects == [], "\(rule.id)")
        }
    }

    @Test("has the headers of the specification")
    func headers() throws {
        var count = 0
        for table in try [KnownRules.original.get(), KnownRules.extensions.get()] {
            for screen in Screen.allCases {
                let json = table["header"][screen.rawValue]
                guard let label = json["label"].string else { continue }
                count += 1
                for (isSelecting, isSeedKey) in [(false, true), (true, false)] {
                    let header = Header(of: Position(screen), isSelecting: isSelecting, isSeedKey: isSeedKey)
                    #expect(label.components(separatedBy: " | ").contains(header.label))
                    #expect(json["back"].bool == header.hasBack && json["footer"].bool == header.hasFooter)
                    #expect(json["footerButton"].string == header.root?.rawValue)
                    #expect(json["nameType"].string == header.title.rawValue)
                    let buttons = json["rightButton"].string?.components(separatedBy: " | ") ?? ["none"]
                    #expect(buttons.contains(header.right?.rawValue ?? "none"))
                }
            }
        }
        #expect(count == 27)
        let backup = Header(of: Position(.keys, modal: .backup), isSelecting: false, isSeedKey: false)
        #expect(backup.right == nil)
    }

    @Test(
        "refuses a line that is no rule",
        arguments: [
            "", "T001", "T001 */* Start", "T001 */* Start → Nowhere", "T001 * Start → Scan/-",
            "T001 */* Begin → Scan/-", "T001 */* Start [guess] → Scan/-", "T001 */* Start {guess} → Scan/-",
            "T001 */* Start → Elsewhere/-", "T001 Elsewhere/* Start → Scan/-", "T001 */Thing Start → Scan/-",
            "T001 */* Start → Scan/Thing", "T001 */*!Thing Start → Scan/-", "T001 */* Start → Scan/-!Thing",
            "T001 */* Start → Scan/- more", "T001 */* Start [footer → Scan/-",
        ])
    func refusals(line: String) {
        #expect(Rule(line: line) == nil)
    }

    @Test("asks for each guard once at most, and for none of rules that do not apply")
    func asking() throws {
        var asked: [Guard] = []
        let step = RuleTable.shared.step(.goForward, at: Position(.newSeed)) { condition in
            asked.append(condition)
            return condition == .seedNameBad
        }
        #expect(step?.rule.id == "T039" && step?.position == Position(.newSeed, alert: .error))
        #expect(asked == [.detectorUnsafe, .seedNameGood, .seedNameBad])
        #expect(RuleTable.shared.step(.nothing, at: Position(.log)) { _ in true } == nil)
    }
}
