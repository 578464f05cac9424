#if canImport(CAdwaita)
    import Adwaita
    import Screens
    import SecretMemory
    import SignerSession

    /// Secret words on the screen, drawn letter by letter from locked memory, so that no text is ever made of them.
    /// Nothing is told to assistive technology but what they are.
    @MainActor
    package final class SecretWordsView {
        package let widget: Widget
        private var words: SecretWords
        private let phrase: () throws -> SecretBytes
        private let area: DrawingArea
        private let note = Label("")
        private let button = Button("Show")
        /// What is drawn, for as long as it is: a phrase, or one word in each.
        private var shown: [SecretBytes]?
        private var clock: Countdown?
        /// Whether they come back by themselves when the window is looked at again.
        private var isAway = false
        /// Whether another window is looked at.
        private var isBehind = false
        private static let lettering = Lettering(size: 19)
        private static let cell = (width: 160.0, height: 36.0)

        /// - Parameters:
        ///   - isKeptHidden: what ``isKeptHidden`` begins with.
        ///   - phrase: gives the words that are handed out on demand.
        package init(_ words: SecretWords, isKeptHidden: Bool = false, phrase: @escaping () throws -> SecretBytes) {
            (self.words, self.isKeptHidden, self.phrase) = (words, isKeptHidden, phrase)
            area = DrawingArea(width: 0, height: Int(Self.cell.height))
            let box = Box(.vertical, spacing: 6)
            for part in [area, note, button] as [Widget] { box.append(part) }
            widget = box
            area.expand(horizontally: true)
            area.setAccessible(role: .picture)
            area.setAccessible(name: words.label.plain)
            button.align(horizontally: .center)
            area.onDraw { [weak self] canvas, width, _ in self?.draw(on: canvas, width) }
            area.measure { [weak self] width in self?.height(in: width) ?? 0 }
            area.onBackdrop { [weak self] isBehind in self?.windowIs(behind: isBehind) }
            button.onClick { [weak self] in
                guard let self else { return }
                shown == nil ? reveal() : hide()
            }
            if isKeptHidden || words.isOnDemand { hide() } else { reveal() }
        }

        // MARK: Showing and hiding

        package var isRevealed: Bool { shown != nil }

        /// Whether they are hidden and nobody can show them; when that ends, they are shown.
        package var isKeptHidden: Bool { didSet { isKeptHidden ? hide() : reveal() } }

        /// Takes words that are on the page in the place of these. What a person has hidden stays hidden.
        package func replace(by words: SecretWords) {
            self.words = words
            if shown != nil { reveal() }
        }

        /// Shows them where this window is looked at; before that, none are asked for.
        package func reveal() {
            guard !isBehind else { return wait() }
            do {
                shown =
                    switch words.source {
                    case .shown(let secrets): secrets.map(\.bytes)
                    case .phrase(let secret): [secret.bytes]
                    case .onDemand: [try phrase()]
                    }
                note.isVisible = false
            } catch {
                note.set(Text(own: "\(error)").plain)
                note.isVisible = true
            }
            isAway = false
            count()
            refresh()
        }

        package func hide() {
            (shown, clock, isAway) = (nil, nil, false)
            note.set("The words are hidden.")
            note.isVisible = true
            refresh()
        }

        /// Hides them for as long as another window is looked at. Words that are on the page come back with the person.
        private func wait() {
            hide()
            isAway = !words.isOnDemand
            note.set("The words are shown only while this window has the keyboard.")
        }

        private func refresh() {
            let label = Label(shown == nil ? "Show the words" : "Hide the words")
            button.setChild(label)
            button.setAccessible(name: label.text)
            button.isVisible = !isKeptHidden
            area.queueResize()
            area.queueDraw()
        }

        /// Hides them after the time that is given to read them.
        private func count() {
            guard shown != nil, let seconds = words.hidesAfter else { return }
            clock = Countdown(seconds: seconds) { [weak self] in self?.hide() }
        }

        /// Nobody who looks at another window is shown them.
        private func windowIs(behind isBehind: Bool) {
            self.isBehind = isBehind
            if isBehind, shown != nil {
                wait()
            } else if !isBehind, isAway {
                reveal()
            }
        }

        // MARK: Drawing

        /// Without numbers nobody knows whether columns or lines come first.
        private func columns(in width: Double) -> Int {
            words.isNumbered ? max(1, Int(width / Self.cell.width)) : 1
        }

        private func height(in width: Int) -> Int {
            guard shown != nil else { return Self.hiddenHeight }
            let columns = columns(in: Double(width))
            return Int(Double(max((wordCount + columns - 1) / columns, 1)) * Self.cell.height)
        }
        private static let hiddenHeight = 6

        private var wordCount: Int {
            shown?.reduce(0) { $0 + $1.withUnsafeBytes { WordRanges(of: $0).ranges.count } } ?? 0
        }

        private func draw(on canvas: Canvas, _ width: Double) {
            guard let shown else { return }
            var place = 0
            for secret in shown {
                secret.withUnsafeBytes { bytes in
                    for range in WordRanges(of: bytes).ranges {
                        draw(UnsafeRawBufferPointer(rebasing: bytes[range]), at: place, on: canvas, width)
                        place += 1
                    }
                }
            }
        }

        private func draw(_ word: UnsafeRawBufferPointer, at place: Int, on canvas: Canvas, _ width: Double) {
            let lettering = Self.lettering
            let columns = columns(in: width)
            // Down the columns, as people write lists.
            let rows = max(1, (wordCount + columns - 1) / columns)
            var x = Double(place / rows) * width / Double(columns) + 8
            let y = lettering.line(from: Double(place % rows) * Self.cell.height, height: Self.cell.height)
            if words.isNumbered {
                canvas.color(canvas.ink.fading(to: 0.6))
                let digits = Array(String(place + 1).utf8)
                x += lettering.advance(of: UInt8(ascii: "0")) * Double(2 - min(digits.count, 2))
                x = lettering.draw(digits, on: canvas, x: x, y: y) + 10
            }
            canvas.color(canvas.ink)
            lettering.draw(word, on: canvas, x: x, y: y)
        }
    }

    extension SecretWords {
        /// Whether they are handed out only where a person asks for them, which is noted.
        var isOnDemand: Bool { source == .onDemand }
    }
#endif
