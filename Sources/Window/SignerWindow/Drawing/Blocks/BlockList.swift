#if canImport(CAdwaita)
    import Adwaita
    import Screens

    /// Blocks below each other, of which those that stay the same stay as they are.
    @MainActor
    final class BlockList {
        let box = Box(.vertical, spacing: 12)
        private let place: Place
        private(set) var blocks: [Block] = []
        private(set) var views: [any BlockView] = []

        init(_ blocks: [Block], at place: Place) {
            self.place = place
            show(blocks)
        }

        // MARK: All at once, or by and by

        /// Whether all of it is there.
        private(set) var isComplete = true
        /// How many of the views have all that is in them.
        private var grown = 0

        /// Makes as many views as fill some pixels; ``grow()`` makes the rest.
        func begin(_ new: [Block], height: Int) {
            blocks = new
            extend(by: height)
            look()
        }

        /// Makes a part of what is not there yet; what is there already gets all that belongs into it first.
        func grow() {
            if grown < views.count { views[grown].grow() } else { extend(by: Self.step) }
            look()
        }

        private func look() {
            while grown < views.count, views[grown].isWhole { grown += 1 }
            isComplete = grown == blocks.count
        }
        /// Pixels that are made at a time.
        private static let step = 600

        private func extend(by height: Int) {
            var height = height
            while height > 0, views.count < blocks.count {
                let block = blocks[views.count]
                let view = place.view(of: block)
                box.append(view.widget)
                views.append(view)
                height -= block.usualHeight
            }
        }

        func complete() { while !isComplete { grow() } }

        // MARK: One after the other

        func show(_ new: [Block]) {
            complete()
            let prefix = zip(blocks, new).prefix { $0 == $1 }.count
            let shorter = min(blocks.count, new.count) - prefix
            let suffix = zip(blocks.reversed(), new.reversed()).prefix(shorter).prefix { $0 == $1 }.count
            let (oldEnd, newEnd) = (blocks.count - suffix, new.count - suffix)
            var middle: [any BlockView] = []
            var above = prefix > 0 ? views[prefix - 1].widget : nil
            for index in prefix..<max(oldEnd, newEnd) {
                let old = index < oldEnd ? views[index] : nil
                guard index < newEnd else {
                    old.map(remove)
                    continue
                }
                if let old, blocks[index] == new[index] || old.update(new[index]) {
                    middle.append(old)
                } else {
                    let view = place.view(of: new[index])
                    box.insert(view.widget, after: above)
                    old.map(remove)
                    middle.append(view)
                }
                above = middle.last?.widget
            }
            views.replaceSubrange(prefix..<oldEnd, with: middle)
            blocks = new
            grown = prefix
            look()
            complete()
        }

        private func remove(_ view: any BlockView) {
            view.end()
            box.remove(view.widget)
        }

        func fit(width: Int, height: Int) { for view in views { view.fit(width: width, height: height) } }
        func focusField() -> Bool { views.contains { $0.focusField() } }
        /// The views of a kind, also those within others.
        func all<View>(_ kind: View.Type) -> [View] {
            func search(_ view: any BlockView) -> [View] {
                [view].compactMap { $0 as? View } + view.inner.flatMap(search)
            }
            return views.flatMap(search)
        }
        func hideSecrets() { for view in views { view.hideSecrets() } }
        func end() { for view in views { view.end() } }
    }

    extension Block {
        /// About how many pixels it takes.
        fileprivate var usualHeight: Int {
            switch self {
            case .heading, .text, .fold: 40
            case .headline, .card, .field, .buttons: 90
            case .group(_, let rows): 40 + 60 * rows.count
            case .foreign(let block): 20 + 18 * block.lines.count
            case .tree(let lines): 20 + 20 * lines.count
            case .code, .words, .guesses, .scanner, .empty: 400
            }
        }
    }
#endif
