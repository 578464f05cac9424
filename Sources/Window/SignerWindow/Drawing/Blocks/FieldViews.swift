#if canImport(CAdwaita)
    import Adwaita
    import Screens
    import SecretMemory

    /// A line of words, or the path of a key.
    @MainActor
    final class TextFieldView: BlockView, FilledIn {
        let id: Field.ID
        let widget: Widget
        private let entry: Entry
        private let frame: FieldFrame
        private let place: Place
        private var field: Field

        init(_ field: Field, at place: Place) {
            (id, self.field, self.place) = (field.id, field, place)
            var start = ""
            switch field.kind {
            case .text(let text), .path(let text): start = text
            default: break
            }
            entry = Entry(start, name: field.label.plain)
            entry.name = "field \(field.id.name)"
            frame = FieldFrame(field, around: entry)
            widget = frame.box
            place.form.add(self)
            if case .path = field.kind { entry.addClass("monospace") }
            entry.onChange { [weak self] in self?.check() }
            entry.onEnter { [weak self] in self.map { $0.place.enter(from: $0.field) } }
            check()
        }

        var text: String? { entry.text }
        func clearText() { entry.text = "" }

        private func check() {
            guard case .path = field.kind else { return }
            frame.show(entry.text.isEmpty ? nil : place.context.verdict(onPath: entry.text))
        }

        func update(_ block: Block) -> Bool {
            guard case .field(let new) = block, new.id == id else { return false }
            switch (field.kind, new.kind) {
            case (.text(let old), .text(let text)), (.path(let old), .path(let text)):
                // What was typed stays, unless the page itself says something else now.
                if old != text { entry.text = text }
            default: return false
            }
            field = new
            frame.show(new)
            entry.setAccessible(name: new.label.plain)
            check()
            return true
        }

        func focusField() -> Bool { entry.grabFocus() }
        func end() { place.form.remove(self) }
    }

    /// A number with its bounds.
    @MainActor
    final class NumberFieldView: BlockView, FilledIn {
        let id: Field.ID
        let widget: Widget
        private let spin: SpinButton
        private let place: Place
        private let field: Field

        init(_ field: Field, _ number: Int, in bounds: ClosedRange<Int>, at place: Place) {
            (id, self.field, self.place) = (field.id, field, place)
            spin = SpinButton(number, in: bounds, name: field.label.plain)
            spin.name = "field \(field.id.name)"
            widget = FieldRow.widget(field, spin, onPress: nil)
            place.form.add(self)
            spin.onEnter { place.enter(from: field) }
        }

        var text: String? { String(spin.number) }
        func end() { place.form.remove(self) }
    }

    /// Yes or no.
    @MainActor
    final class ToggleFieldView: BlockView, FilledIn {
        let id: Field.ID
        let widget: Widget
        private let toggle: Switch
        private let place: Place

        init(_ field: Field, _ isOn: Bool, at place: Place) {
            (id, self.place) = (field.id, place)
            let toggle = Switch(isOn, name: field.label.plain)
            toggle.name = "field \(field.id.name)"
            self.toggle = toggle
            widget = FieldRow.widget(field, toggle) { [weak toggle] in toggle?.isOn.toggle() }
            place.form.add(self)
            toggle.onChange {
                place.form.toggleChanged()
                field.enter.map(place.press)
            }
        }

        var isOn: Bool? { toggle.isOn }
        func end() { place.form.remove(self) }
    }

    /// A secret, typed into locked memory.
    @MainActor
    final class SecretFieldView: BlockView, FilledIn {
        let id: Field.ID
        let widget: Widget
        private let entry: SecretEntry
        private let frame: FieldFrame
        private let place: Place
        private var field: Field
        /// What is taken out to be told, or to be hidden, changes the entry without a person.
        private var isTelling = false
        private var focusing: Timeout?

        init(_ field: Field, _ kind: Field.Secret, at place: Place) {
            (id, self.field, self.place) = (field.id, field, place)
            entry = SecretEntry(label: field.label, kind: kind)
            frame = FieldFrame(field, around: entry.widget)
            widget = frame.box
            place.form.add(self)
            entry.onEnter = { [weak self] in self.map { $0.place.enter(from: $0.field) } }
            entry.onChange = { [weak self] in
                guard let self, !isTelling, case .secret(.word(_, let changed)) = self.field.kind else { return }
                isTelling = true
                place.press(changed)
                isTelling = false
                // A sign that belongs to no word changes nothing on the page, and was taken along all the same.
                if self.entry.isEmpty, self.entry.onChange != nil { self.fill() }
            }
            fill()
            guard field.isWord else { return }
            // The field of the next word takes the place of this one, and the keys with it.
            focusing = Timeout(milliseconds: 1) { [weak self] in
                self?.entry.grabFocus()
                return false
            }
        }

        /// Puts in what the core has made of a word that is typed: a blank, and the word so far.
        private func fill() {
            guard case .secret(.word(let typed, _)) = field.kind, case .shown(let words) = typed.source,
                let word = words.first, let copy = try? word.bytes.withUnsafeBytes({ try SecretBytes(copying: $0) })
            else { return }
            entry.replace(by: copy)
        }

        var secret: SecretEntry? { entry }

        func update(_ block: Block) -> Bool {
            guard case .field(let new) = block, new.id == id, new.kind == field.kind || new.isWord && field.isWord
            else {
                return false
            }
            field = new
            frame.show(new)
            entry.name(new.label)
            fill()
            return true
        }

        func focusField() -> Bool {
            entry.grabFocus()
            return true
        }
        func hideSecrets() {
            // Nobody has deleted it: the core is not told, and what it knows of the word is not put back.
            isTelling = true
            entry.clear()
            isTelling = false
        }
        func end() {
            // What goes with its page tells nobody: the core would answer with a page while another is put there.
            (entry.onChange, entry.onEnter) = (nil, nil)
            focusing?.cancel()
            entry.clear()
            place.form.remove(self)
        }
    }

    extension Field {
        /// Whether a word of a phrase is typed into it.
        fileprivate var isWord: Bool { if case .secret(.word) = kind { true } else { false } }
    }

    /// What a field is called above it, and what to write below.
    @MainActor
    final class FieldFrame {
        let box = Box(.vertical, spacing: 6)
        private let label: Label
        private let hint = Label("")
        private let verdict = Box(.horizontal, spacing: 6)

        init(_ field: Field, around widget: Widget) {
            label = Label(field.label, "field-label")
            hint.addClass("dim-label")
            hint.addClass("caption")
            verdict.isVisible = false
            verdict.addClass("verdict")
            for part in [label, widget, verdict, hint] { box.append(part) }
            show(field)
        }

        func show(_ field: Field) {
            label.set(field.label)
            hint.set(field.hint ?? Text())
            hint.isVisible = field.hint != nil
        }

        func show(_ said: FieldVerdict?) {
            verdict.removeAll()
            verdict.isVisible = said != nil
            guard let said else { return }
            for severity in Severity.allCases { verdict.setClass(severity.rawValue, severity == said.severity) }
            let icon = DrawingArea(icon: said.severity.icon, size: 16)
            icon.addClass("risk-ink")
            icon.align(vertically: .start)
            verdict.append(icon)
            verdict.append(Label(said.severity.word + ": " + said.text, "caption", "risk-ink"))
        }
    }

    /// A row with a label and something small to be set.
    @MainActor
    enum FieldRow {
        static func widget(_ field: Field, _ control: Widget, onPress press: (@MainActor () -> Void)?) -> Widget {
            let line = Box(.horizontal, spacing: 12)
            line.addClass("row-content")
            let words = Box(.vertical, spacing: 3)
            words.expand(horizontally: true)
            words.align(vertically: .center)
            words.append(Label(field.label))
            if let hint = field.hint { words.append(Label(hint, "caption", "dim-label")) }
            line.append(words)
            line.append(control.centered())
            let row = ListRow(line)
            let list = ListBox()
            list.append(row)
            list.onPress(row, press)
            // The control itself is what keys go to.
            row.isFocusable = false
            return list
        }
    }
#endif
