import Testing

@testable import Navigator

/// All that can be reached, whatever the guards say.
@Suite("The navigator's model")
struct ModelCheckTests {
    /// Whether conditions can hold together.
    private static func canHold(_ conditions: Set<Guard>) -> Bool {
        let exclusive: [[Guard]] = [
            [.detectorSafe, .detectorUnsafe], [.detectorSafe, .detectorWasOnline], [.hasData, .noData],
            [.locked, .unlocked], [.selectingSeveral, .swiped], [.seedNameGood, .seedNameBad],
            [.seedNameFree, .seedNameTaken],
            [
                .transactionIsRead, .transactionIsSign, .transactionAddsSpecs, .transactionLoadsMetadata,
                .transactionLoadsTypes, .transactionIsDerivations, .transactionIsDynamic, .transactionIsKeySets,
            ],
        ]
        return exclusive.allSatisfy { $0.count(where: conditions.contains) <= 1 }
    }

    /// The rules that can fire at a position, given that some conditions hold.
    private static func possible(
        _ action: UserAction, at position: Position, given: Set<Guard> = []
    ) -> [Rule] {
        let candidates = RuleTable.shared.candidates(for: action, at: position)
        return candidates.enumerated().filter { number, rule in
            var held = given.union(rule.guards)
            guard canHold(held), !held.contains(.hasFooter) || position.screen.hasFooter else { return false }
            if position.screen.hasFooter { held.insert(.hasFooter) }
            return !candidates[..<number].contains { held.isSuperset(of: $0.guards) }
        }.map(\.element)
    }

    private struct Reached {
        var positions: Set<Position> = [.start]
        var rules: Set<String> = []
    }

    /// Walks everywhere. An effect may fail, with an error over what was there, and so may the making of a screen.
    private static let reached: Reached = {
        var reached = Reached()
        var waiting = [Position.start]
        func visit(_ position: Position) {
            if reached.positions.insert(position).inserted { waiting.append(position) }
        }
        while let position = waiting.popLast() {
            for action in UserAction.allCases {
                for rule in possible(action, at: position) {
                    reached.rules.insert(rule.id)
                    let next = rule.position(after: position)
                    visit(next)
                    if !rule.effects.isEmpty { visit(Position(position.screen, modal: position.modal, alert: .error)) }
                    if next.screen != .nowhere { visit(.broken) }
                }
            }
        }
        return reached
    }()

    @Test("reaches every screen and modal, and needs every rule")
    func coverage() {
        #expect(Set(Self.reached.positions.map(\.screen)) == Set(Screen.allCases))
        #expect(Set(Self.reached.positions.compactMap(\.modal)) == Set(Modal.allCases))
        #expect(Set(RuleTable.shared.rules.map(\.id)).subtracting(Self.reached.rules).isEmpty)
        #expect(Set(RuleTable.shared.rules.flatMap(\.guards)) == Set(Guard.allCases))
        #expect(Set(RuleTable.shared.rules.flatMap(\.effects)) == Set(Effect.allCases))
        let actions = Set(RuleTable.shared.rules.compactMap(\.action))
        #expect(Set(UserAction.allCases).subtracting(actions) == [.nothing])
    }

    @Test("reaches 67 pairs of screen and modal, each without an alert and below two, and the broken screen")
    func counts() {
        let positions = Self.reached.positions
        let pairs = Set(positions.map { Position($0.screen, modal: $0.modal) })
        #expect(pairs.count == 67 && positions.count == 202)
        let above = pairs.flatMap { pair in
            [nil, .error, .shield].map { Position(pair.screen, modal: pair.modal, alert: $0) }
        }
        #expect(positions == Set(above).union([.broken]))
    }

    @Test("never touches a secret while the detector is not safe")
    func secrets() {
        var secretRules: Set<String> = []
        for position in Self.reached.positions {
            for action in UserAction.allCases {
                for rule in RuleTable.shared.candidates(for: action, at: position)
                where rule.effects.contains(where: \.usesSecret) {
                    secretRules.insert(rule.id)
                }
                for rule in Self.possible(action, at: position, given: [.detectorUnsafe]) {
                    let secrets = rule.effects.filter(\.usesSecret)
                    #expect(secrets == [], "\(rule.id) at \(position) by \(action.rawValue)")
                }
            }
        }
        #expect(secretRules.count > 15)
    }

    @Test("leads from everywhere to the settings, and from a broken screen at once")
    func settings() {
        let broken = RuleTable.shared.step(.goBack, at: .broken) { _ in false }
        #expect(broken?.position == Position(.settings))
        for start in Self.reached.positions where ![.unlock, .airgapCheck, .nowhere].contains(start.screen) {
            var position = start
            // Alerts, modals and screens are dismissed one by one.
            for _ in 0..<8 where position.screen != .settings || position.modal != nil || position.alert != nil {
                let goes = RuleTable.shared.step(.navbarSettings, at: position) { _ in false }
                guard let step = goes ?? RuleTable.shared.step(.goBack, at: position, holds: { _ in false }) else {
                    break
                }
                let swallowed = step.position == position
                position =
                    swallowed
                    ? RuleTable.shared.step(.goBack, at: position) { _ in false }?.position ?? position : step.position
            }
            #expect(position == Position(.settings), "from \(start)")
        }
    }

    @Test("lets nothing through an alert but its dismissal")
    func alerts() {
        for position in Self.reached.positions where position.alert != nil {
            for action in UserAction.allCases where action != .goBack && action != .ackShield {
                let step = RuleTable.shared.step(action, at: position) { _ in true }
                #expect(step == nil || step?.position == position, "\(action.rawValue) at \(position)")
            }
        }
    }
}

extension Effect {
    /// Whether it takes a secret or brings one into memory, and so must never happen while the machine is not cut off.
    var usesSecret: Bool {
        switch self {
        case .renameSeed, .makePhrase, .previewKeys, .holdProtection, .changeProtection, .generatePhrase, .createSeed,
            .createSeedFromShares, .createAddress, .holdSecrets, .sign, .importDerivations, .signContent,
            .createIncrementSet, .onboard, .deriveDynamic, .importKeySets, .makeShares, .exportSecret:
            true
        default: false
        }
    }
}
