#if canImport(CAdwaita)
    import Adwaita
    import Screens

    /// What draws one block of a page.
    @MainActor
    protocol BlockView: AnyObject {
        var widget: Widget { get }
        /// Takes over another block, keeping the focus and what was typed; false where that needs another view.
        func update(_ block: Block) -> Bool
        /// Where somebody begins who has to fill something in; false where there is nothing of the kind.
        func focusField() -> Bool
        /// Takes the pixels that are seen of the page, for pictures that are as large as fits.
        func fit(width: Int, height: Int)
        /// Takes what is secret off the screen.
        func hideSecrets()
        /// The views that are in this one.
        var inner: [any BlockView] { get }
        /// Whether all that belongs into it is there.
        var isWhole: Bool { get }
        /// Makes a part of what is not there yet.
        func grow()
        /// The view goes away: it lets go of what holds on to it elsewhere.
        func end()
    }

    extension BlockView {
        func update(_ block: Block) -> Bool { false }
        func focusField() -> Bool { false }
        func fit(width: Int, height: Int) {}
        func hideSecrets() {}
        var inner: [any BlockView] { [] }
        var isWhole: Bool { true }
        func grow() {}
        func end() {}
    }

    /// Where a block is drawn.
    @MainActor
    struct Place {
        let context: PageContext
        let layer: LayerID
        let form: Form
        /// The buttons of the fold that it is in, of those around it, and of the bar.
        var parts: @MainActor () -> [[ControlButton]] = { [] }

        func press(_ message: Message) { context.press(message, with: form, on: layer) }

        /// Does what Enter in a field does.
        func enter(from field: Field) {
            let parts = parts()
            switch field.enter(among: parts.map { $0.map(\.control) }) {
            case .sends(let message): press(message)
            case .presses(let control): parts.joined().first { $0.control == control }?.press()
            case .asks: context.tell?("Several buttons take what is typed here. Press the one that you mean.")
            case .nothing: break
            }
        }

        func view(of block: Block) -> any BlockView {
            switch block {
            case .heading(let text): PlainView(Label(text, "heading", "block-heading"))
            case .text(let text): PlainView(Label(text))
            case .headline(let text, let caption): PlainView(HeadlineView.widget(text, caption: caption))
            case .card(let severity, let title, let text):
                PlainView(CardView.widget(severity, title: title, text: text))
            case .group(let title, let rows): GroupView(title: title, rows, at: self)
            case .foreign(let foreign): PlainView(ForeignView.widget(foreign))
            case .tree(let lines): TreeView(lines)
            case .fold(let title, let blocks): FoldView(title: title, blocks, at: self)
            case .field(let field): view(of: field)
            case .buttons(let controls): ButtonsView(controls, at: self)
            case .code(let code): CodeView(code, at: self)
            case .words(let words): WordsView(words, at: self)
            case .guesses(let choices): GuessesView(choices, at: self)
            case .scanner(let scanner): ScannerView(scanner)
            case .empty(let icon, let title, let text): PlainView(EmptyView.widget(icon, title: title, text: text))
            }
        }

        private func view(of field: Field) -> any BlockView {
            switch field.kind {
            case .text, .path: TextFieldView(field, at: self)
            case .number(let number, let bounds): NumberFieldView(field, number, in: bounds, at: self)
            case .toggle(let isOn): ToggleFieldView(field, isOn, at: self)
            case .secret(let kind): SecretFieldView(field, kind, at: self)
            }
        }
    }

    /// A block that only says something.
    @MainActor
    final class PlainView: BlockView {
        let widget: Widget
        init(_ widget: Widget) { self.widget = widget }
    }
#endif
