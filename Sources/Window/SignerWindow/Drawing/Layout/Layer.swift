#if canImport(CAdwaita)
    import Adwaita
    import Screens

    /// Blocks that are moved through from top to bottom, and the bar below them.
    @MainActor
    final class Layer {
        let box = Box(.vertical)
        private let content = Box(.vertical)
        private let clamp: Clamp
        private let scroller: ScrolledWindow
        private let place: Place
        private let bar: BarView
        private var list: BlockList
        private var controls: [Control] = []
        private var mustBeRead = false
        private var wasRead = false

        /// The most that text is wide, in pixels, and what codes may take.
        private static let (textWidth, codeWidth) = (620, 1600)

        /// - Parameter form: What stands in the fields of the layer.
        init(_ id: LayerID, in context: PageContext, form: Form) {
            let enter = Enter()
            place = Place(context: context, layer: id, form: form) { enter.run?() }
            bar = BarView(at: place)
            list = BlockList([], at: place)
            clamp = Clamp(content, width: Self.textWidth)
            scroller = ScrolledWindow(clamp)
            scroller.expand(horizontally: true, vertically: true)
            scroller.name = "body \(id)"
            content.addClass("page-body")
            content.append(list.box)
            box.append(scroller)
            box.append(bar.widget)
            enter.run = { [weak self] in self?.bar.pressFirst() }
            scroller.onMove { [weak self] in self?.moved() }
        }

        private final class Enter { var run: (@MainActor () -> Void)? }

        /// Lets a sheet be no higher than what is in it.
        func growsWithContent() { scroller.grow(to: 4_000) }

        /// - Parameter isNew: Whether nothing of what was shown before is kept.
        func show(_ blocks: [Block], bar controls: [Control], mustBeRead: Bool = false, isNew: Bool) {
            if isNew {
                list.end()
                content.remove(list.box)
                list = BlockList(blocks, at: place)
                list.box.expand(vertically: true)
                content.append(list.box)
                scroller.offset = 0
            } else {
                list.show(blocks)
            }
            clamp.maximumWidth = blocks.contains(where: \.isPicture) ? Self.codeWidth : Self.textWidth
            if isNew || blocks != shown { wasRead = false }
            shown = blocks
            (self.controls, self.mustBeRead) = (controls, mustBeRead)
            showBar()
            moved()
        }
        private var shown: [Block] = []

        private func showBar() {
            let isUnread = mustBeRead && !wasRead
            bar.show(controls, obstacle: isUnread ? "Read to the end of the page first." : nil)
        }

        // MARK: Having been read

        /// Looks again once all sizes are known.
        private func moved() {
            guard !isLooking else { return }
            isLooking = true
            MainLoop.soon { [weak self] in self?.look() }
        }
        private var isLooking = false

        private func look() {
            isLooking = false
            let (seen, all) = scroller.extent
            guard scroller.isMapped, seen > 1 else { return }
            list.fit(width: scroller.width - 2 * 12, height: Int(seen) - 2 * 12)
            if scroller.offset + seen >= all - 2, !wasRead {
                wasRead = true
                showBar()
            }
        }

        // MARK: What the window does with it

        /// Moves by the height that is seen, or by a part of it.
        func scroll(by pages: Double) { scroller.offset += pages * scroller.extent.seen }

        func show(isScanning: Bool) { bar.show(isScanning: isScanning) }

        func focusField() -> Bool { list.focusField() }
        /// What has to be read takes the keys itself, so that they move it: a field would take them from it.
        func focusSomething() {
            if mustBeRead, scroller.grabFocus() { return }
            _ = focusField() || content.focusFirst() || bar.widget.focusFirst()
        }
        func hideSecrets() { list.hideSecrets() }
        func end() { list.end() }
        func views<View>(_ kind: View.Type) -> [View] { list.all(kind) }
    }

    extension Block {
        /// Whether it may take all of the window's width.
        fileprivate var isPicture: Bool {
            switch self {
            case .code, .scanner: true
            default: false
            }
        }
    }
#endif
