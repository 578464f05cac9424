import Navigator
import Testing
import Tours

@testable import Screens

/// Whatever the rules make possible can be done on some page.
@Suite("Pages and the rules")
struct RuleCoverageTests {
    /// What no person does by a control, with the reason.
    static let doneByHost: [UserAction: String] = [
        .start: "the program begins, or begins anew, by itself",
        .nothing: "the host draws the page anew where the detector or the lock changed",
    ]

    @Test("each action that a rule tells of is sent by a control, a row, a field or a scanner of some page there")
    func coverage() throws {
        let pages = try Tour.pages()
        let missing = RuleTable.shared.rules.filter { rule in
            guard let action = rule.action, Self.doneByHost[action] == nil else { return false }
            return !pages.contains { page in
                page.actions.contains(action) && rule.applies(to: action, at: page.position)
            }
        }
        #expect(missing.map(\.id) == [])
    }

    @Test("a tour through the vault shows every screen, every sheet and every alert")
    func everything() throws {
        let pages = try Tour.pages()
        let screens = Set(pages.map(\.position.screen))
        #expect(Set(Screen.allCases).subtracting(screens) == [])
        #expect(Set(Modal.allCases).subtracting(pages.compactMap(\.position.modal)) == [])
        #expect(Set(Alert.allCases).subtracting(pages.compactMap(\.position.alert)) == [])
    }

    @Test("no control on any page sends what no rule takes there")
    func nothingInVain() throws {
        for page in try Tour.pages() {
            for case .core(let calls) in page.messages {
                guard let action = calls.first?.action else { continue }
                let candidates = RuleTable.shared.candidates(for: action, at: page.position)
                #expect(!candidates.isEmpty, "\(action.rawValue) on \(page.position)")
            }
        }
    }

    @Test("on each page every id of a control and of a row is there once, and every label says something")
    func idsAndLabels() throws {
        for page in try Tour.pages() {
            let controls = page.activeControls.map(\.id)
            #expect(Set(controls).count == controls.count, "\(page.position): \(controls)")
            let rows = page.activeRows.map(\.id)
            #expect(Set(rows).count == rows.count, "\(page.position): \(rows)")
            let fields = page.activeFields.map(\.id)
            #expect(Set(fields).count == fields.count, "\(page.position)")
            for control in page.activeControls { #expect(!control.label.isEmpty, "\(page.position) \(control.id)") }
            for row in page.activeRows { #expect(!row.title.isEmpty, "\(page.position) \(row.id)") }
            for field in page.activeFields { #expect(!field.label.isEmpty, "\(page.position)") }
            #expect(!page.title.isEmpty && !page.vault.isEmpty && !page.shield.text.isEmpty, "\(page.position)")
        }
    }

    @Test("every severity has a word and an icon of its own")
    func severities() {
        let all = Severity.allCases
        #expect(Set(all.map(\.word)).count == all.count && Set(all.map(\.icon)).count == all.count)
        #expect(all.allSatisfy { !$0.word.isEmpty })
    }
}
