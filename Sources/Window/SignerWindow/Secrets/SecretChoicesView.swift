#if canImport(CAdwaita)
    import Adwaita
    import Screens
    import SecretMemory

    /// Secret words of which one is chosen, by pointer or by arrows and Enter; drawn as ``SecretWordsView`` draws them.
    @MainActor
    package final class SecretChoicesView {
        package let widget: Widget
        private let choices: SecretChoices
        private let chosen: (Int) -> Void
        private let area: DrawingArea
        /// Nil when they were hidden.
        private var words: [SecretBytes]?
        private var current = 0
        private var hasFocus = false
        private static let lettering = Lettering(size: 17)
        private static let rowHeight = 44.0
        private static let accent = Color(hex: 0x3584e4)

        /// - Parameter chosen: gets the place of the word that was chosen.
        package init(_ choices: SecretChoices, chosen: @escaping (Int) -> Void) {
            (self.choices, self.chosen) = (choices, chosen)
            words = choices.words.map(\.bytes)
            area = DrawingArea(width: 0, height: Int(Self.rowHeight))
            widget = area
            area.expand(horizontally: true)
            area.isFocusable = !choices.words.isEmpty
            area.setAccessible(role: .picture)
            area.setAccessible(name: choices.label.plain)
            area.setAccessible(description: "Choose with the arrow keys and Enter.")
            listen()
        }

        /// Takes them off the screen.
        package func hide() {
            words = nil
            area.queueDraw()
        }

        private func listen() {
            let keys = KeyController()
            keys.onPress { [weak self] key in self?.take(key) ?? false }
            area.add(keys)
            let focus = FocusController()
            focus.onEnter { [weak self] in self?.focusChanged(true) }
            focus.onLeave { [weak self] in self?.focusChanged(false) }
            area.add(focus)
            let click = ClickGesture()
            click.onRelease { [weak self] x, y in self?.press(x: x, y: y) }
            area.add(click)
            area.onDraw { [weak self] canvas, width, _ in self?.draw(on: canvas, width) }
            area.onResize { [weak self] width, _ in self?.fit(width: width) }
        }

        private func focusChanged(_ isHere: Bool) {
            hasFocus = isHere
            area.queueDraw()
        }

        private func take(_ key: Adwaita.Key) -> Bool {
            guard let words, !words.isEmpty, !key.isChord else { return false }
            if key.isEnter || key.isSpace {
                chosen(min(current, words.count - 1))
            } else if let step = key.step {
                let next = current + step
                // The arrows lead out at both ends.
                guard words.indices.contains(next) else { return false }
                current = next
                area.queueDraw()
            } else {
                return false
            }
            return true
        }

        private func press(x: Double, y: Double) {
            let hit = places(Double(area.width)).firstIndex { place in
                x >= place.x && x < place.x + place.width && y >= place.y && y < place.y + Self.rowHeight
            }
            if let hit { chosen(hit) }
        }

        // MARK: Drawing

        private func places(_ width: Double) -> [(x: Double, y: Double, width: Double)] {
            var (x, y) = (0.0, 0.0)
            return (words ?? []).map { word in
                let letters = word.withUnsafeBytes { $0.reduce(0) { $0 + Self.lettering.advance(of: $1) } }
                if x > 0, x + letters + 28 > width { (x, y) = (0, y + Self.rowHeight) }
                defer { x += letters + 34 }
                return (x, y, letters + 28)
            }
        }

        private func fit(width: Int) {
            let last = places(Double(width)).last?.y ?? 0
            area.setContent(height: Int(last + Self.rowHeight))
        }

        private func draw(on canvas: Canvas, _ width: Double) {
            guard let words else { return }
            let lettering = Self.lettering
            for (index, place) in places(width).enumerated() {
                canvas.color(canvas.ink.fading(to: 0.1))
                canvas.rectangle(x: place.x, y: place.y + 3, width: place.width, height: Self.rowHeight - 6, radius: 8)
                canvas.fill()
                if hasFocus, index == current {
                    canvas.color(Self.accent)
                    canvas.rectangle(
                        x: place.x + 1, y: place.y + 4, width: place.width - 2, height: Self.rowHeight - 8, radius: 7)
                    canvas.stroke(width: 2)
                }
                canvas.color(canvas.ink)
                var x = place.x + 14
                words[index].withUnsafeBytes { letters in
                    for letter in letters {
                        let y = place.y + (Self.rowHeight + lettering.ascent - lettering.descent) / 2
                        lettering.draw(letter, on: canvas, x: x, y: y)
                        x += lettering.advance(of: letter)
                    }
                }
            }
        }
    }
#endif
