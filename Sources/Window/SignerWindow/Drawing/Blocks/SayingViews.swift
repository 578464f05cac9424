#if canImport(CAdwaita)
    import Adwaita
    import Screens

    /// What counts most, large, with what it is below.
    @MainActor
    enum HeadlineView {
        static func widget(_ text: Text, caption: Text) -> Widget {
            let box = Box(.vertical, spacing: 4)
            box.addClass("headline")
            let large = Label(text, "title-1")
            large.justify(0.5)
            box.append(large)
            if !caption.isEmpty {
                let small = Label(caption, "dim-label")
                small.justify(0.5)
                box.append(small)
            }
            return box
        }
    }

    /// A risk, a refusal or a note: icon, word, title and text.
    @MainActor
    enum CardView {
        static func widget(_ severity: Severity, title: Text, text: Text) -> Widget {
            let card = Box(.horizontal, spacing: 12)
            card.addClass("risk")
            card.addClass(severity.rawValue)
            let icon = DrawingArea(icon: severity.icon, size: 24)
            icon.align(vertically: .start)
            icon.addClass("risk-ink")
            card.append(icon)
            let words = Box(.vertical, spacing: 4)
            words.expand(horizontally: true)
            let head = Label(severity.word.styled(.plain), "risk-word", "risk-ink")
            words.append(head)
            if !title.isEmpty, title != severity.word { words.append(Label(title, "heading")) }
            if !text.isEmpty { words.append(Label(text)) }
            card.append(words)
            return card
        }
    }

    /// Text from outside. Its box marks all of it, also where a line is wider than the window and goes on below.
    @MainActor
    enum ForeignView {
        static func widget(_ block: ForeignBlock) -> Widget {
            let box = Box(.vertical, spacing: 2)
            box.addClass("foreign")
            for line in block.lines {
                box.append(Label([Label.Run(line, isMonospaced: true)], wrap: .anywhere))
            }
            if let rest = block.rest { box.append(Label(rest, "dim-label", "foreign-rest")) }
            return box
        }
    }

    /// Decoded cards with their indents.
    @MainActor
    final class TreeView: BlockView {
        let widget: Widget
        private let box = Box(.vertical, spacing: 3)
        /// Lines that are not there yet.
        private var waiting: ArraySlice<TreeLine>
        /// Lines that are made at a time.
        private static let step = 40

        init(_ lines: [TreeLine]) {
            (widget, waiting) = (box, lines[...])
            box.addClass("tree")
            grow()
        }

        var isWhole: Bool { waiting.isEmpty }

        func grow() {
            for line in waiting.prefix(Self.step) {
                let label = Label(line.text)
                label.marginStart = Self.pixels(ofIndent: line.indent)
                box.append(label)
            }
            waiting = waiting.dropFirst(Self.step)
        }

        /// Deep lines move on by less, so that they keep room on a phone.
        private static func pixels(ofIndent indent: Int) -> Int {
            14 * min(indent, 6) + 6 * min(max(indent - 6, 0), 14)
        }
    }

    /// An empty place, and what would be here.
    @MainActor
    enum EmptyView {
        static func widget(_ icon: Icon, title: Text, text: Text) -> Widget {
            let box = Box(.vertical, spacing: 12)
            box.addClass("empty")
            box.align(vertically: .center)
            box.expand(vertically: true)
            box.append(picture(of: icon))
            for (text, look) in [(title, "title-2"), (text, "body")] where !text.isEmpty {
                let label = Label(text, look)
                label.justify(0.5)
                box.append(label)
            }
            return box
        }

        /// Draws a page's icon at 80 points, for pages with nothing to list.
        static func picture(of icon: Icon) -> Box {
            let picture = DrawingArea(icon: icon, size: 80)
            picture.addClass("empty-picture")
            let box = Box(.vertical)
            box.append(picture)
            return box
        }
    }
#endif
