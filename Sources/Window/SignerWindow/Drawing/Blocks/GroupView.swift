#if canImport(CAdwaita)
    import Adwaita
    import Screens

    /// Rows that belong together.
    @MainActor
    final class GroupView: BlockView {
        let widget: Widget
        private let place: Place
        private let title: Text?
        private let list = ListBox()
        private var rows: [(row: Row, widget: ListRow)] = []

        init(title: Text?, _ rows: [Row], at place: Place) {
            (self.title, self.place) = (title, place)
            let box = Box(.vertical, spacing: 8)
            if let title, !title.isEmpty { box.append(Label(title, "heading", "block-heading")) }
            box.append(list)
            widget = box
            if let title { list.setAccessible(name: title.plain) }
            for row in rows { append(row) }
            list.isVisible = !rows.isEmpty
        }

        private func append(_ row: Row) {
            let widget = ListRow(RowContent.widget(row, at: place))
            list.append(widget)
            rows.append((row, widget))
            dress(widget, as: row)
        }

        private func dress(_ widget: ListRow, as row: Row) {
            widget.name = "row \(row.id)"
            widget.setAccessible(name: RowContent.name(of: row))
            widget.setClass("selected", row.isSelected == true)
            list.onPress(widget, press(row))
        }

        private func press(_ row: Row) -> (@MainActor () -> Void)? {
            guard let message = row.press else { return nil }
            return { [place] in place.press(message) }
        }

        func update(_ block: Block) -> Bool {
            guard case .group(title, let new) = block else { return false }
            for (index, row) in new.enumerated() {
                guard index < rows.count else {
                    append(row)
                    continue
                }
                guard rows[index].row != row else { continue }
                rows[index].row = row
                rows[index].widget.setChild(RowContent.widget(row, at: place))
                dress(rows[index].widget, as: row)
            }
            while rows.count > new.count { list.remove(rows.removeLast().widget) }
            list.isVisible = !new.isEmpty
            return true
        }
    }

    /// What stands in a row.
    @MainActor
    enum RowContent {
        static func name(of row: Row) -> String {
            ([row.title, row.value, row.detail] + row.marks.map { $0.text })
                .compactMap { $0?.plain }.filter { !$0.isEmpty }.joined(separator: ", ")
        }

        static func widget(_ row: Row, at place: Place) -> Widget {
            let content = Box(.horizontal, spacing: 12)
            content.addClass("row-content")
            if let picture = row.picture {
                let widget =
                    switch picture {
                    case .icon(let icon): DrawingArea(icon: icon, size: 20) as Widget
                    case .identicon(let identicon): DrawingArea(identicon: identicon, size: 40) as Widget
                    }
                widget.align(vertically: .center)
                content.append(widget)
            }
            let words = words(of: row)
            let (beside, below) = placed(row.choices)
            if !below.isEmpty {
                let line = Box(.vertical, spacing: 6)
                line.marginTop = 6
                for choice in below { line.append(ControlButton(choice, at: place).widget) }
                words.append(line)
            }
            content.append(words)
            for choice in beside { content.append(ControlButton(choice, at: place, isIconOnly: true).widget) }
            if let isSelected = row.isSelected {
                content.append(DrawingArea(icon: isSelected ? .selected : .select, size: 20).centered())
            } else if row.press != nil {
                content.append(DrawingArea(icon: .forward, size: 16).centered())
            }
            return content
        }

        private static func words(of row: Row) -> Box {
            let words = Box(.vertical, spacing: 3)
            words.expand(horizontally: true)
            words.align(vertically: .center)
            if let value = row.value, !value.isEmpty {
                words.append(Label(row.title, "caption", "dim-label"))
                words.append(Label(value))
            } else {
                words.append(Label(row.title))
            }
            if let detail = row.detail, !detail.isEmpty { words.append(Label(detail, "row-detail", "dim-label")) }
            for mark in row.marks { words.append(MarkView.widget(mark)) }
            return words
        }

        /// What is known by its icon stands beside the words, up to two of them; all else below.
        private static func placed(_ choices: [Control]) -> (beside: [Control], below: [Control]) {
            choices.count <= 2 && choices.allSatisfy { $0.icon != nil && $0.obstacle == nil && $0.press == .click }
                ? (choices, []) : ([], choices)
        }
    }

    /// A word with an icon.
    @MainActor
    enum MarkView {
        static func widget(_ mark: Row.Mark) -> Widget {
            let box = Box(.horizontal, spacing: 6)
            box.addClass("mark")
            box.addClass(mark.severity.rawValue)
            box.align(horizontally: .start)
            let icon = DrawingArea(icon: mark.icon, size: 16)
            icon.addClass("risk-ink")
            icon.align(vertically: .start)
            box.append(icon)
            box.append(Label(mark.text, "caption", "risk-ink"))
            return box
        }
    }
#endif
