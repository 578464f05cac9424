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
            let own = Own()
            place = Place(context: context, layer: id, form: form, parts: { [own.bar?.buttons ?? []] })
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
            own.bar = bar
            scroller.onMove { [weak self] in self?.moved() }
        }

        /// Finds the bar, which is made after what asks for it.
        private final class Own { weak var bar: BarView? }

        /// Lets a sheet be no higher than what is in it, and as high where there is room.
        ///
        /// - Parameter room: the pixels of height that all of the sheet may take; 0 while nobody knows.
        func growsWithContent(upTo room: @escaping @MainActor () -> Int) {
            scroller.grow(to: 4_000)
            self.room = room
        }
        private var room: (@MainActor () -> Int)?

        /// The library asks for the height that text takes in its greatest width.
        private func growToContent(_ all: Int) {
            guard let room else { return }
            let around = box.height - scroller.height
            let height = min(all, room() - around)
            if height > max(scroller.leastHeight, scroller.height) { scroller.leastHeight = height }
        }

        /// - Parameter isNew: Whether nothing of what was shown before is kept.
        func show(_ blocks: [Block], bar controls: [Control], mustBeRead: Bool = false, isNew: Bool) {
            if isNew {
                list.end()
                content.remove(list.box)
                list = BlockList([], at: place)
                list.box.expand(vertically: true)
                list.begin(blocks, height: firstHeight(of: blocks, mustBeRead))
                content.append(list.box)
                scroller.offset = 0
                // What is on top of it is seen first, whatever is to be filled in below.
                scroller.followsFocus = false
                growSoon()
            } else {
                list.show(blocks)
                if !mustBeRead, blocks.count > shown.count, blocks.last != shown.last { moveToEndSoon() }
            }
            clamp.maximumWidth = blocks.contains(where: \.isPicture) ? Self.codeWidth : Self.textWidth
            if isNew || blocks != shown { wasRead = false }
            if room != nil, isNew || blocks != shown { scroller.leastHeight = -1 }
            shown = blocks
            (self.controls, self.mustBeRead) = (controls, mustBeRead)
            showBar()
            moved()
        }
        private var shown: [Block] = []

        /// Shows what has come below all else, as what can be done with a key does, once it has its place.
        private func moveToEndSoon() {
            moving = Timeout(milliseconds: 50) { [weak self] in
                if let self, !self.mustBeRead { scroller.offset = scroller.extent.all }
                return false
            }
        }
        private var moving: Timeout?

        // MARK: By and by

        /// What is seen is made at once, and all else when that was drawn: pages may have a thousand calls. What takes
        /// something along from a field has all fields.
        private func firstHeight(of blocks: [Block], _ mustBeRead: Bool) -> Int {
            let hasFields = blocks.contains { if case .field = $0 { true } else { false } }
            return hasFields && !mustBeRead ? .max : max(scroller.height, Self.leastHeight)
        }
        private static let leastHeight = 500

        /// Whether all blocks are there.
        var isComplete: Bool { list.isComplete }
        /// Called when all blocks are there.
        var onComplete: (@MainActor () -> Void)?
        private var isGrowing = false

        private func growSoon() {
            guard !isGrowing else { return }
            isGrowing = true
            MainLoop.soon { [weak self] in
                guard let self else { return }
                isGrowing = false
                list.grow()
                guard list.isComplete else { return growSoon() }
                moved()
                onComplete?()
            }
        }

        private func showBar() {
            let isUnread = mustBeRead && !wasRead
            bar.show(controls, obstacle: isUnread ? "Read to the end of the page first." : nil)
        }

        // MARK: Having been read

        /// Looks again as soon as there is time, and judges once sizes have been given out.
        private func moved() {
            judgeSoon()
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
            growToContent(Int(all))
        }

        /// A frame gives out sizes after its tick: with the second tick, the sizes are not those of the page before.
        private func judgeSoon() {
            judging = nil
            guard mustBeRead, !wasRead else { return }
            var ticks = 0
            judging = FrameTick(of: content) { [weak self] in
                ticks += 1
                guard ticks == 2 else { return true }
                self?.judge()
                return false
            }
        }
        private var judging: FrameTick?

        /// Whether the end is in sight. Sizes that are less than what is there needs are older than it: a window that
        /// is about to be resized has such.
        private func judge() {
            let (seen, all) = scroller.extent
            guard mustBeRead, isComplete, scroller.isMapped, seen > 1,
                Double(clamp.minimumHeight(in: clamp.width)) <= all + 1, scroller.offset + seen >= all - 2
            else { return }
            wasRead = true
            showBar()
        }

        // MARK: What the window does with it

        /// Moves by the height that is seen, or by a part of it.
        func scroll(by pages: Double) { scroller.offset += pages * scroller.extent.seen }

        func show(isScanning: Bool) { bar.show(isScanning: isScanning) }

        func focusField() -> Bool { list.focusField() }
        /// What has to be read takes the keys itself, so that they move it: a field would take them from it.
        func focusSomething() {
            if mustBeRead, scroller.grabFocus() { return }
            // Where codes are scanned, that comes first.
            if shown.contains(where: \.isScanner), bar.widget.focusFirst() { return }
            _ = focusField() || content.focusFirst() || bar.widget.focusFirst()
        }
        /// A person does something: from now on the page moves to what gets the keys.
        func followFocus() { if !scroller.followsFocus { scroller.followsFocus = true } }
        /// What is not there yet would show its secrets when it comes.
        func hideSecrets() {
            list.complete()
            list.hideSecrets()
        }
        func end() { list.end() }
        func views<View>(_ kind: View.Type) -> [View] {
            list.complete()
            return list.all(kind)
        }
    }

    extension Block {
        fileprivate var isScanner: Bool { if case .scanner = self { true } else { false } }

        /// Whether it may take all of the window's width.
        fileprivate var isPicture: Bool {
            switch self {
            case .code, .scanner: true
            default: false
            }
        }
    }
#endif
