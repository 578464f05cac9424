import Navigator
import Testing
import Tours

@testable import Screens

/// What Enter does in the fields of all pages.
@Suite("Enter in a field")
struct EnterTests {
    private struct Place {
        var page: Page
        var field: Field
        var enter: Field.Enter
        var name: String { "\(page.position.screen) \(field.id.name)" }
    }

    private func places(on page: Page) -> [Place] {
        func walk(_ blocks: [Block], _ parts: [[Control]]) -> [Place] {
            blocks.flatMap { block -> [Place] in
                switch block {
                case .field(let field): [Place(page: page, field: field, enter: field.enter(among: parts))]
                case .fold(_, let inner): walk(inner, [inner.flatMap(\.buttons)] + parts)
                default: []
                }
            }
        }
        return walk(page.body, [page.bar]) + walk(page.sheet?.body ?? [], [page.sheet?.bar ?? []])
            + walk(page.alert?.body ?? [], [page.alert?.bar ?? []])
    }

    private func all() throws -> [Place] { try Tour.pages().flatMap(places) }

    @Test("Enter presses nothing that would drop what was typed, and nothing that goes back")
    func takesTheField() throws {
        let places = try all()
        #expect(places.count > 100)
        for place in places {
            let message: Message
            switch place.enter {
            case .sends(let own): message = own
            case .presses(let control): message = control.message
            case .asks, .nothing: continue
            }
            #expect(message.takes(place.field.id), "\(place.name)")
            guard case .core(let calls) = message else { continue }
            #expect(!calls.contains { $0.action == .goBack }, "\(place.name)")
        }
    }

    @Test("Enter does nothing in words of a phrase alone, and asks where several buttons take what is typed")
    func exceptions() throws {
        let typed = try all().filter { if case .toggle = $0.field.kind { false } else { true } }
        #expect(Set(typed.filter { $0.enter == .nothing }.map(\.name)) == ["recoverSeedPhrase word"])
        #expect(
            Set(typed.filter { $0.enter == .asks }.map(\.name)) == [
                "newSeed throws", "protection other-pin", "protection other-pin-again", "airgapCheck other-pin",
                "airgapCheck other-pin-again", "airgapCheck minutes", "networkPolicy credential",
            ])
    }

    @Test(
        "Enter presses the button that the field belongs to, wherever others stand before it",
        arguments: [
            (Screen.transaction, "comment", "approve"), (.protection, "key-pin", "rekey"),
            (.protection, "registers", "protect-tpm"), (.airgapCheck, "registers", "protect-tpm"),
            (.airgapCheck, "credential", "begin"), (.scan, "payload", "read-payload"),
        ])
    func known(_ screen: Screen, field: String, control: String) throws {
        let found = try all().filter { $0.page.position.screen == screen && $0.field.id.name == field }
        #expect(!found.isEmpty)
        for place in found {
            guard case .presses(let pressed) = place.enter else {
                Issue.record("\(place.name): \(place.enter)")
                continue
            }
            #expect(pressed.id == control)
        }
    }

    @Test("an action that takes a field of the same name elsewhere, or nothing, is not the field's")
    func taking() {
        let field = Field("a", label: "A", kind: .text(""))
        let takers: [CoreCall] = [
            CoreCall(.goForward, .field("a")), CoreCall(.goForward, .taken("a")), CoreCall(.goForward, .payload("a")),
            CoreCall(.goForward, .list(["b", "a"])), CoreCall(.goForward, .passwordedPath("a")),
            CoreCall(.goForward, .object(["member": "a"])), CoreCall(.goForward, secret: "a"),
            CoreCall(.goForward, credential: "a"),
            CoreCall(.goForward, needs: [CoreCall.Need(.same("b", "a"), otherwise: "")]),
        ]
        for call in takers { #expect(Message.core([call]).takes("a"), "\(call)") }
        let others: [CoreCall] = [
            CoreCall(.goForward), CoreCall(.goForward, .text("a")), CoreCall(.goForward, .field("b")),
            CoreCall(.goForward, needs: [CoreCall.Need(.isEmpty("a"), otherwise: "")]),
        ]
        for call in others { #expect(!Message.core([call]).takes("a"), "\(call)") }
        func control(_ id: String, _ call: CoreCall) -> Control { Control(id, label: "", does: .core([call])) }
        let (other, taker) = (control("other", others[0]), control("taker", takers[0]))
        #expect(field.enter(among: [[other], [other, taker]]) == .presses(taker))
        #expect(field.enter(among: [[taker], [control("outer", takers[1])]]) == .presses(taker))
        #expect(field.enter(among: [[taker, control("second", takers[1])]]) == .asks)
        #expect(field.enter(among: [[other], []]) == .nothing)
    }
}

extension Block {
    fileprivate var buttons: [Control] {
        switch self {
        case .buttons(let controls): controls
        case .fold(_, let inner): inner.flatMap(\.buttons)
        default: []
        }
    }
}
