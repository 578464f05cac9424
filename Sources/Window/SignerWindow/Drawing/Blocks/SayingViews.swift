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
            if !title.isEmpty { words.append(Label(title, "heading")) }
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
    enum TreeView {
        static func widget(_ lines: [TreeLine]) -> Widget {
            let box = Box(.vertical, spacing: 3)
            box.addClass("tree")
            for line in lines {
                let label = Label(line.text)
                label.marginStart = pixels(ofIndent: line.indent)
                box.append(label)
            }
            return box
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
            let picture = DrawingArea(icon: icon, size: 96)
            picture.addClass("dim-label")
            picture.align(horizontally: .center)
            box.append(picture)
            for (text, look) in [(title, "title-2"), (text, "body")] where !text.isEmpty {
                let label = Label(text, look)
                label.justify(0.5)
                box.append(label)
            }
            return box
        }
    }
#endif
