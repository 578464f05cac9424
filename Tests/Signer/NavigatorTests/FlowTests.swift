import Foundation
import TestSupport
import Testing

@testable import Navigator

/// Flows of the specification through the table alone: what a step says holds, and where it leads.
@Suite("The navigator's flows")
struct FlowTests {
    private func position(_ json: JSON) throws -> Position {
        func value<Value: RawRepresentable<String>>(_ json: JSON) throws -> Value? {
            guard let name = json.string else { return nil }
            let value: Value = try #require(Value(rawValue: name))
            return value
        }
        let screen: Screen? = try value(json["screen"])
        return Position(try #require(screen), modal: try value(json["modal"]), alert: try value(json["alert"]))
    }

    @Test("our own rules lead through set-up, shares, contacts, dangers, the lock and the wipe")
    func extensions() throws {
        let steps = try JSON(contentsOf: KnownRules.folder.appending(path: "flow-ext.json")).array
        #expect(steps.count == 63)
        var now = Position.start
        var transaction: String?
        for step in steps {
            let number = try #require(step["n"].int)
            let name = try #require(step["action"].string)
            let action = try #require(UserAction(rawValue: name))
            let conditions = step["conditions"]
            let detector = conditions["detector"].string ?? "safe"
            let isRight = conditions["ok"].bool != false && conditions["wrong"].bool != true
            transaction = conditions["tx"].string ?? transaction
            let fired = RuleTable.shared.step(action, at: now) { condition in
                if let said = conditions[condition.rawValue].bool, condition != .succeeded { return said }
                return switch condition {
                case .detectorSafe: detector == "safe"
                case .detectorUnsafe: detector != "safe"
                case .detectorWasOnline: detector == "wasOnline"
                case .hasData: step["data"].string?.isEmpty == false
                case .noData: step["data"].string?.isEmpty == true
                case .transactionIsSign: transaction == "Sign"
                case .unlocked, .attemptsLeft, .authenticated: true
                case .credentialGood, .unlockSucceeded, .shareGood, .recovered, .split, .contactGood, .typedRight,
                    .signed,
                    .acknowledged, .known, .succeeded:
                    isRight
                default: false
                }
            }
            #expect(fired?.rule.id == step["rule"].string, "step \(number)")
            now = fired?.position ?? now
            let expected = try position(step["expect"])
            #expect(now == expected, "step \(number)")
        }
    }

    private static let flow = "signer-product/navigator/flow.json"

    @Test("the original's flow goes where its rules lead", .enabled(if: SharedData.has(flow)))
    func original() throws {
        let steps = try SharedData.json(Self.flow).array.filter { $0["action"].string != nil }
        #expect(steps.count > 240)
        var now = Position.start
        for step in steps {
            let number = try #require(step["n"].int)
            let name = try #require(step["action"].string)
            let action = try #require(UserAction(rawValue: name))
            let candidates = RuleTable.shared.candidates(for: action, at: now)
            if let id = step["rule"].string {
                let rule = try #require(candidates.first { $0.id == id }, "step \(number)")
                now = rule.position(after: now)
            } else {
                // What is ignored meets no rule that needs nothing, but for that of the footer where there is none.
                #expect(
                    candidates.allSatisfy {
                        !$0.guards.isEmpty && ($0.guards != [.hasFooter] || !now.screen.hasFooter)
                    },
                    "step \(number)")
            }
            let expected = step["expect"]
            let place = try position(expected)
            #expect(now == place, "step \(number)")
            let headers = [(false, true), (false, false), (true, false)].map { isSelecting, isSeedKey in
                Header(of: now, isSelecting: isSelecting, isSeedKey: isSeedKey)
            }
            #expect(
                headers.contains { header in
                    header.label == expected["label"].string && header.hasBack == expected["back"].bool
                        && header.hasFooter == expected["footer"].bool
                        && header.root?.rawValue == expected["footerButton"].string
                        && header.right?.rawValue == expected["rightButton"].string
                        && header.title.rawValue == expected["nameType"].string
                }, "step \(number)")
        }
    }
}
