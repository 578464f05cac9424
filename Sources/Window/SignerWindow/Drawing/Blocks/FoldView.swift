#if canImport(CAdwaita)
    import Adwaita
    import Screens

    /// What is folded away until somebody opens it; it is made then.
    @MainActor
    final class FoldView: BlockView {
        let widget: Widget
        private let button: Button
        private let arrow = DrawingArea(icon: .forward, size: 16)
        private let place: Place
        private let revealer: Revealer
        private let inside = Box(.vertical)
        private let title: Text
        private var blocks: [Block]
        private var list: BlockList?

        init(title: Text, _ blocks: [Block], at place: Place) {
            (self.title, self.blocks) = (title, blocks)
            let own = Own()
            self.place = Place(
                context: place.context, layer: place.layer, form: Form(in: place.form),
                parts: { [own.buttons] + place.parts() })
            let head = Box(.horizontal, spacing: 8)
            arrow.align(vertically: .center)
            head.append(arrow)
            let label = Label(title, "heading")
            label.expand(horizontally: true)
            head.append(label)
            button = Button(head, name: title.plain)
            button.name = "fold"
            button.addClass("flat")
            button.setAccessible(isExpanded: false)
            revealer = Revealer(inside)
            let box = Box(.vertical, spacing: 6)
            box.append(button)
            box.append(revealer)
            widget = box
            button.onClick { [weak self] in self?.toggle() }
            own.fold = self
            // What a control elsewhere takes along is there also where nobody has opened the fold.
            if blocks.contains(where: \.isField) { fill() }
        }

        /// Finds the buttons of the fold, which are made after what asks for them.
        @MainActor
        private final class Own {
            weak var fold: FoldView?
            var buttons: [ControlButton] { fold?.list?.all(ButtonsView.self).flatMap(\.buttons) ?? [] }
        }

        private func toggle() {
            let isOpen = !revealer.isRevealed
            if isOpen { fill() }
            revealer.isRevealed = isOpen
            arrow.show(icon: .forward, isTurned: isOpen)
            button.setAccessible(isExpanded: isOpen)
        }

        private func fill() {
            guard list == nil else { return }
            let list = BlockList(blocks, at: place)
            list.box.addClass("fold")
            inside.append(list.box)
            self.list = list
        }

        var inner: [any BlockView] { list?.views ?? [] }

        func update(_ block: Block) -> Bool {
            guard case .fold(title, let blocks) = block else { return false }
            self.blocks = blocks
            list?.show(blocks)
            return true
        }

        func focusField() -> Bool { revealer.isRevealed && list?.focusField() == true }
        func hideSecrets() { list?.hideSecrets() }
        func end() { list?.end() }
    }

    extension Block {
        fileprivate var isField: Bool { if case .field = self { true } else { false } }
    }
#endif
