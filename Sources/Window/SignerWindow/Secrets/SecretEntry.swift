#if canImport(CAdwaita)
    import Adwaita
    import Screens
    import SecretMemory
    import SignerSession

    /// A field for a secret. What is typed goes from the key into locked memory, sign by sign, and is drawn as dots.
    ///
    /// GTK's own fields, those for passwords too, keep copies to take changes back, and tell what stands in them to
    /// whoever asks as assistive technology. This one has no clipboard, no method of input and no text to be asked for;
    /// signs that take several keys (dead keys, Compose) cannot be typed.
    @MainActor
    package final class SecretEntry {
        package let widget: Widget
        /// Called after each change.
        package var onChange: (() -> Void)?
        /// Called when Enter is pressed.
        package var onEnter: (() -> Void)?

        private let area: DrawingArea
        private let hint = Label("")
        private let keypad: KeypadView
        private let toggle: Button
        private let kind: Field.Secret
        private var typed: TypedSecret
        private var hasFocus = false
        /// Whether another window is looked at, so that nothing here can be read.
        private var isBehind = false
        private static let lettering = Lettering(size: 17)

        package init(label: Text, kind: Field.Secret) {
            self.kind = kind
            typed = TypedSecret(kind.signs, limit: kind.limit)
            area = DrawingArea(width: 0, height: 46)
            let box = Box(.vertical, spacing: 6)
            widget = box
            var press: (@MainActor (Keypad.Key) -> Void)?
            keypad = KeypadView(
                Keypad(
                    beginningWith: kind.beginsWithDigits ? .digits : .letters,
                    hasAllSigns: kind.signs.hasAllSigns)
            ) { press?($0) }
            toggle = Button("123 abc")
            toggle.setAccessible(name: "Keys for touch")
            let line = Box(.horizontal, spacing: 6)
            line.append(area)
            line.append(toggle)
            for part in [line, hint, keypad.widget] { box.append(part) }
            keypad.widget.isVisible = false
            hint.isVisible = false
            press = { [weak self] key in self?.press(key) }
            area.expand(horizontally: true)
            area.isFocusable = true
            area.setAccessible(role: .textBox)
            name(label)
            area.setAccessible(description: "Hidden: what is typed here is told to no other program.")
            toggle.align(vertically: .center)
            toggle.addClass("flat")
            listen()
        }

        // MARK: What is typed

        package var isEmpty: Bool { typed.count == 0 }

        /// What was typed. Nothing is left here, also where this throws.
        package func take() throws -> SecretBytes {
            defer { changed() }
            return try typed.take()
        }

        /// What was typed, which stays.
        package func copy() throws -> SecretBytes { try typed.copy() }

        package func clear() {
            typed.clear()
            changed()
        }

        /// Takes what the core has made of what was typed, without telling of it.
        package func replace(by secret: SecretBytes) {
            typed.replace(by: secret)
            area.queueDraw()
        }

        package func grabFocus() { area.grabFocus() }

        /// Says what it is for, to those who cannot see what stands above it.
        package func name(_ label: Text) { area.setAccessible(name: label.plain) }

        private func changed() {
            area.queueDraw()
            onChange?()
        }

        private func type(_ sign: Unicode.Scalar) {
            // Where there is no memory for it, the sign is not taken, which the dots show.
            if (try? typed.type(sign)) == true { changed() }
        }

        private func deleteLast() {
            try? typed.deleteLast()
            changed()
        }

        // MARK: Keys and fingers

        private func listen() {
            area.hear(
                keys: { [weak self] in self?.take($0) ?? false }, focus: { [weak self] in self?.focusChanged($0) })
            let click = ClickGesture()
            click.onPress { [weak self] _, _ in self?.area.grabFocus() }
            area.add(click)
            toggle.onClick { [weak self] in
                guard let self else { return }
                keypad.widget.isVisible.toggle()
                area.grabFocus()
            }
            area.onDraw { [weak self] canvas, width, height in self?.draw(on: canvas, width: width, height: height) }
            guard kind.isShown else { return }
            area.onBackdrop { [weak self] isBehind in
                self?.isBehind = isBehind
                self?.area.queueDraw()
            }
        }

        private func take(_ key: Adwaita.Key) -> Bool {
            showHint()
            guard !key.isChord else { return false }
            if key.isEnter {
                onEnter?()
            } else if key.isBackspace {
                deleteLast()
            } else if let sign = key.character {
                type(sign)
            } else {
                return false
            }
            return true
        }

        private func press(_ key: Keypad.Key) {
            switch key {
            case .sign(let sign): type(sign)
            case .delete: deleteLast()
            case .shift, .layer: break
            }
        }

        private func focusChanged(_ isHere: Bool) {
            hasFocus = isHere
            showHint()
            area.queueDraw()
        }

        private func showHint() {
            let text =
                if typed.count >= typed.limit { "No more signs are taken." } else if hasFocus, Keyboard.isCapsLocked {
                    "Caps Lock is on."
                } else { "" }
            if hint.text != text { hint.set(text) }
            hint.isVisible = !text.isEmpty
        }

        // MARK: Drawing

        private func draw(on canvas: Canvas, width: Double, height: Double) {
            canvas.plate(x: 1, y: 1, width: width - 2, height: height - 2, hasFocus: hasFocus)
            canvas.color(canvas.ink)
            canvas.group {
                canvas.rectangle(x: 8, y: 0, width: width - 16, height: height)
                canvas.clip()
                let end =
                    kind.isShown && !isBehind
                    ? drawLetters(on: canvas, height: height) : drawDots(on: canvas, width: width, height: height)
                guard hasFocus else { return }
                canvas.rectangle(x: end + 2, y: height / 2 - 11, width: 1.5, height: 22)
                canvas.fill()
            }
        }

        private func drawDots(on canvas: Canvas, width: Double, height: Double) -> Double {
            let (step, start) = (13.0, 18.0)
            // The last ones stay in sight.
            let hidden = max(0, typed.count - Int((width - 2 * start) / step))
            for place in 0..<(typed.count - hidden) {
                canvas.circle(x: start + Double(place) * step, y: height / 2, radius: 4)
            }
            canvas.fill()
            return start - step / 2 + Double(typed.count - hidden) * step
        }

        private func drawLetters(on canvas: Canvas, height: Double) -> Double {
            let lettering = Self.lettering
            return typed.bytes?.withUnsafeBytes { bytes in
                // What goes on from one word to the next begins with a blank.
                let letters = bytes.drop { $0 == UInt8(ascii: " ") }
                return lettering.draw(letters, on: canvas, x: 14, y: lettering.line(from: 0, height: height))
            } ?? 14
        }
    }

    extension TypedSecret.Signs {
        fileprivate var hasAllSigns: Bool { if case .all = self { true } else { false } }
    }
#endif
