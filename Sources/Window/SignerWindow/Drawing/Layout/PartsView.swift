#if canImport(CAdwaita)
    import Adwaita
    import Screens

    /// The main parts of the vault: below each other at the side of wide windows, beside each other below narrow ones.
    @MainActor
    final class PartsView {
        let side: Widget
        let bottom: Widget
        private let sideBox = Box(.vertical, spacing: 2)
        private let bottomBox = Box(.horizontal)
        private let sets: BlockList
        private let place: Place
        private var parts: [Page.Part] = []

        init(in context: PageContext, form: Form) {
            place = Place(context: context, layer: .page, form: form)
            sets = BlockList([], at: place)
            sideBox.addClass("side-parts")
            bottomBox.addClass("bottom-parts")
            bottomBox.makeHomogeneous()
            let inside = Box(.vertical, spacing: 12)
            inside.append(sideBox)
            inside.append(sets.box)
            inside.addClass("side-inside")
            let scroller = ScrolledWindow(inside)
            scroller.expand(vertically: true)
            let header = HeaderBar(title: Label("Casemate", "title"))
            header.hideButtons()
            let column = Box(.vertical)
            column.addClass("side")
            column.append(header)
            column.append(scroller)
            column.request(width: 250)
            column.expand(horizontally: false)
            side = column
            bottom = bottomBox
            bottom.isVisible = false
        }

        func show(_ page: Page) {
            let rows = page.side
            sets.show(rows.isEmpty ? [] : [.group(title: "Key sets", rows)])
            guard page.parts != parts else { return }
            if parts.map(\.label) != page.parts.map(\.label) || parts.map(\.press) != page.parts.map(\.press) {
                rebuild(page.parts)
            }
            parts = page.parts
            for (index, part) in parts.enumerated() {
                for buttons in [sideButtons, bottomButtons] { buttons[index].setClass("current", part.isCurrent) }
                let name = part.label.plain + (part.isCurrent ? ", current" : "")
                for buttons in [sideButtons, bottomButtons] { buttons[index].setAccessible(name: name) }
            }
        }
        private var sideButtons: [Button] = []
        private var bottomButtons: [Button] = []

        private func rebuild(_ parts: [Page.Part]) {
            sideBox.removeAll()
            bottomBox.removeAll()
            sideButtons = parts.map { button($0, .horizontal) }
            bottomButtons = parts.map { button($0, .vertical) }
            for button in sideButtons { sideBox.append(button) }
            for button in bottomButtons { bottomBox.append(button) }
        }

        private func button(_ part: Page.Part, _ direction: Box.Direction) -> Button {
            let face = Box(direction, spacing: direction == .vertical ? 2 : 12)
            face.append(DrawingArea(icon: part.icon, size: direction == .vertical ? 20 : 16))
            let label = Label(part.label)
            if direction == .vertical {
                label.justify(0.5)
                label.addClass("caption")
                face.align(vertically: .center)
            }
            face.append(label)
            let button = Button(face, name: part.label.plain)
            button.addClass("flat")
            button.addClass("part")
            button.expand(horizontally: true)
            button.name = "part \(part.root)"
            button.onClick { [place, message = part.press] in place.press(message) }
            return button
        }
    }
#endif
