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
        /// Whether another window is looked at: nobody who does is shown them.
        private var isBehind = false
        private static let lettering = Lettering(size: 17)
        private static let rowHeight = 44.0

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
            area.hear(
                keys: { [weak self] in self?.take($0) ?? false }, focus: { [weak self] in self?.focusChanged($0) })
            let click = ClickGesture()
            click.onRelease { [weak self] x, y in self?.press(x: x, y: y) }
            area.add(click)
            area.onDraw { [weak self] canvas, width, _ in self?.draw(on: canvas, width) }
            area.measure { [weak self] width in self?.height(in: width) ?? 0 }
            area.onBackdrop { [weak self] isBehind in
                self?.isBehind = isBehind
                self?.area.queueDraw()
            }
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
            guard !isBehind else { return }
            let hit = places(Double(area.width)).firstIndex { place in
                x >= place.x && x < place.x + place.width && y >= place.y && y < place.y + Self.rowHeight
            }
            if let hit { chosen(hit) }
        }

        // MARK: Drawing

        private func places(_ width: Double) -> [(x: Double, y: Double, width: Double)] {
            var (x, y) = (0.0, 0.0)
            return (words ?? []).map { word in
                let letters = word.withUnsafeBytes { Self.lettering.width(of: $0) }
                if x > 0, x + letters + 28 > width { (x, y) = (0, y + Self.rowHeight) }
                defer { x += letters + 34 }
                return (x, y, letters + 28)
            }
        }

        private func height(in width: Int) -> Int {
            Int((places(Double(width)).last?.y ?? 0) + Self.rowHeight)
        }

        private func draw(on canvas: Canvas, _ width: Double) {
            guard let words, !isBehind else { return }
            let lettering = Self.lettering
            for (index, place) in places(width).enumerated() {
                canvas.plate(
                    x: place.x, y: place.y + 3, width: place.width, height: Self.rowHeight - 6,
                    hasFocus: hasFocus && index == current)
                canvas.color(canvas.ink)
                let y = lettering.line(from: place.y, height: Self.rowHeight)
                words[index].withUnsafeBytes { _ = lettering.draw($0, on: canvas, x: place.x + 14, y: y) }
            }
        }
    }
#endif
