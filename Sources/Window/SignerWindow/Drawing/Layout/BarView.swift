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
        private var buttons: [ControlButton] = []
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
        }

        /// Two plain buttons stand beside each other, all else below each other.
        private func fill() {
            let isPair = controls.count == 2 && controls.allSatisfy { $0.press == .click && $0.obstacle == nil }
            let line = Box(isPair ? .horizontal : .vertical, spacing: 12)
            if isPair { line.makeHomogeneous() }
            for button in buttons {
                button.widget.expand(horizontally: true)
                line.append(button.widget)
            }
            lines.append(line)
        }

        /// Does what Enter in a field does.
        func pressFirst() { buttons.first?.press() }
    }
#endif
