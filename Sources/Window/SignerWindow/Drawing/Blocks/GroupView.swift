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
        /// Buttons are kept as long as they are shown: one that is held counts the time itself.
        private var rows: [(row: Row, widget: ListRow, buttons: [ControlButton])] = []

        init(title: Text?, _ rows: [Row], at place: Place) {
            (self.title, self.place) = (title, place)
            let box = Box(.vertical, spacing: 8)
            if let title, !title.isEmpty { box.append(Label(title, "heading", "block-heading")) }
            box.append(list)
            widget = box
            if let title { list.setAccessible(name: title.plain) }
            waiting = rows[...]
            grow()
            list.isVisible = !rows.isEmpty
        }

        /// Rows that are not there yet.
        private var waiting: ArraySlice<Row>
        /// Rows that are made at a time.
        private static let step = 12

        var isWhole: Bool { waiting.isEmpty }

        func grow() {
            for row in waiting.prefix(Self.step) { append(row) }
            waiting = waiting.dropFirst(Self.step)
        }

        private func append(_ row: Row) {
            let content = RowContent.draw(row, at: place)
            let widget = ListRow(content.widget)
            list.append(widget)
            rows.append((row, widget, content.buttons))
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
            while !isWhole { grow() }
            for (index, row) in new.enumerated() {
                guard index < rows.count else {
                    append(row)
                    continue
                }
                guard rows[index].row != row else { continue }
                let content = RowContent.draw(row, at: place)
                (rows[index].row, rows[index].buttons) = (row, content.buttons)
                rows[index].widget.setChild(content.widget)
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

        static func draw(_ row: Row, at place: Place) -> (widget: Widget, buttons: [ControlButton]) {
            let content = Box(.horizontal, spacing: 12)
            content.addClass("row-content")
            let words = words(of: row)
            let isLong = row.value.flatMap { MonospacedLines($0) } != nil
            let isTall = isLong || words.children.count > 2
            if let picture = row.picture {
                let widget = picture.widget
                widget.align(vertically: isTall ? .start : .center)
                content.append(widget)
            }
            content.append(words)
            let choices = placed(row.choices)
            let below = choices.below.map { ControlButton($0, at: place) }
            let beside = choices.beside.map { ControlButton($0, at: place, isIconOnly: true) }
            if !below.isEmpty {
                let line = Box(.vertical, spacing: 6)
                line.marginTop = 6
                for button in below { line.append(button.widget) }
                words.append(line)
            }
            let signs = beside.map(\.widget) + sign(of: row)
            // A long value takes all of the width below.
            let end = isLong ? widen(words, by: signs) : content
            for sign in signs { end.append(sign.centered()) }
            return (content, below + beside)
        }

        /// What stands at the end of a row that can be pressed.
        private static func sign(of row: Row) -> [Widget] {
            if let isSelected = row.isSelected {
                return [DrawingArea(icon: isSelected ? .selected : .select, size: 20)]
            }
            return row.press == nil ? [] : [DrawingArea(icon: .forward, size: 16)]
        }

        /// Puts the first line of words into a line with room for signs behind it.
        private static func widen(_ words: Box, by signs: [Widget]) -> Box {
            guard !signs.isEmpty, let first = words.children.first else { return words }
            let line = Box(.horizontal, spacing: 6)
            words.remove(first)
            first.expand(horizontally: true)
            first.align(vertically: .center)
            line.append(first)
            words.prepend(line)
            return line
        }

        private static func words(of row: Row) -> Box {
            if let line = fact(row) { return line }
            let words = Box(.vertical, spacing: 3)
            words.expand(horizontally: true)
            words.align(vertically: .center)
            switch (row.value, row.emphasis) {
            case (let value?, .value) where !value.isEmpty:
                words.append(.words(row.title, "caption", "dim-label"))
                words.append(.words(value))
            case (let value?, .title) where !value.isEmpty:
                words.append(.words(row.title))
                words.append(.words(value, "row-value"))
            default: words.append(.words(row.title))
            }
            if let detail = row.detail, !detail.isEmpty { words.append(.words(detail, "caption", "dim-label")) }
            if !row.marks.isEmpty { words.append(marks(row.marks)) }
            return words
        }

        /// Signs of a title and a value that have room beside each other on a telephone.
        private static let lineLength = 38

        /// A short fact on one line; nil for what takes more.
        private static func fact(_ row: Row) -> Box? {
            guard let value = row.value, !value.isEmpty, row.emphasis == .value, row.picture == nil, row.press == nil,
                row.detail?.isEmpty != false, row.marks.isEmpty, row.choices.isEmpty,
                row.title.plain.count + value.plain.count <= lineLength
            else { return nil }
            let line = Box(.horizontal, spacing: 12)
            line.expand(horizontally: true)
            line.append(Label(row.title, "dim-label").centered())
            let label = Label(value)
            label.justify(1)
            label.expand(horizontally: true)
            line.append(label)
            return line
        }

        /// Beside each other where they are short.
        private static func marks(_ marks: [Row.Mark]) -> Widget {
            let isShort = marks.reduce(0) { $0 + $1.text.plain.count + 4 } <= 28
            let box = Box(isShort ? .horizontal : .vertical, spacing: 6)
            for mark in marks { box.append(MarkView.widget(mark)) }
            return box
        }

        /// What is known by its icon stands beside the words, up to two of them; all else below.
        private static func placed(_ choices: [Control]) -> (beside: [Control], below: [Control]) {
            choices.count <= 2 && choices.allSatisfy { $0.icon != nil && $0.obstacle == nil && $0.press == .click }
                ? (choices, []) : ([], choices)
        }
    }

    extension Row.Picture {
        @MainActor
        fileprivate var widget: Widget {
            switch self {
            case .icon(let icon): DrawingArea(icon: icon, size: 20)
            case .identicon(let identicon): DrawingArea(identicon: identicon, size: 40)
            }
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
