#if canImport(CAdwaita)
    import Adwaita
    import Screens

    /// What can be done at the end of a page, always in sight.
    @MainActor
    final class BarView {
        let widget: Widget
        private let box = Box(.vertical, spacing: 8)
        private let lines = Box(.vertical, spacing: 8)
        private let obstacle = Label("", wrap: .words)
        private let place: Place
        private var controls: [Control] = []
        private(set) var buttons: [ControlButton] = []
        private var rows: [(line: Box, buttons: [ControlButton])] = []
        private var isScanning = false

        init(at place: Place) {
            self.place = place
            box.addClass("bar")
            obstacle.justify(0.5)
            obstacle.addClass("obstacle")
            box.append(obstacle)
            box.append(lines)
            widget = Clamp(box, width: 480)
            widget.isVisible = false
        }

        /// - Parameter obstacle: Why none of them can be pressed yet but those that are plain, which lead away from
        ///   what has to be read.
        func show(_ controls: [Control], obstacle: Text?) {
            if controls != self.controls {
                self.controls = controls
                lines.removeAll()
                rows = []
                buttons = controls.map { ControlButton($0, at: place) }
                fill()
            }
            widget.isVisible = !controls.isEmpty
            self.obstacle.isVisible = obstacle != nil
            self.obstacle.set(obstacle ?? Text())
            for button in buttons { button.block(obstacle != nil && button.control.style != .plain) }
            showOfScan()
        }

        /// Shows what is for a scan while one goes on, and hides it otherwise.
        func show(isScanning: Bool) {
            guard isScanning != self.isScanning else { return }
            self.isScanning = isScanning
            // What is hidden takes no keys.
            if !isScanning, buttons.contains(where: { $0.control.isOfScan && $0.hasFocus }) {
                buttons.first { !$0.control.isOfScan }?.widget.focusFirst()
            }
            showOfScan()
        }

        private func showOfScan() {
            for button in buttons where button.control.isOfScan { button.widget.isVisible = isScanning }
            for (line, buttons) in rows { line.isVisible = buttons.contains { $0.widget.isVisible } }
        }

        /// Two buttons with short words stand beside each other, all else below each other.
        private func fill() {
            var rest = buttons[...]
            while let first = rest.popFirst() {
                let line = Box(.horizontal, spacing: 12)
                line.makeHomogeneous()
                var together = [first]
                if first.control.isShort, let second = rest.first, second.control.isShort {
                    together.append(rest.removeFirst())
                }
                for button in together {
                    button.widget.expand(horizontally: true)
                    line.append(button.widget)
                }
                lines.append(line)
                rows.append((line, together))
            }
        }
    }

    extension Control {
        /// Whether half of a telephone's width is enough for it.
        fileprivate var isShort: Bool { press == .click && obstacle == nil && label.plain.count <= 14 }
    }
#endif
