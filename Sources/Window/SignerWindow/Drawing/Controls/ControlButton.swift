#if canImport(CAdwaita)
    import Adwaita
    import Screens

    /// A button of a page, with why it cannot be pressed where it cannot.
    @MainActor
    final class ControlButton {
        let widget: Widget
        let control: Control
        private let place: Place
        private let button: Button
        private let hold: HoldButton?
        private let obstacle = Label("", wrap: .words)

        /// - Parameter isIconOnly: Whether the icon stands for the label, which is told beside it.
        init(_ control: Control, at place: Place, isIconOnly: Bool = false) {
            (self.control, self.place) = (control, place)
            button = Button(Self.face(of: control, isIconOnly: isIconOnly), name: control.label.plain)
            button.name = "control \(control.id)"
            switch control.style {
            case .plain: if isIconOnly { button.addClass("flat") }
            case .suggested: button.addClass("suggested-action")
            case .destructive: button.addClass("destructive-action")
            }
            if isIconOnly {
                button.addClass("circular")
                button.align(vertically: .center)
                button.tooltip = control.label.plain
            }
            let press: @MainActor () -> Void = { [place, message = control.message] in place.press(message) }
            button.onClick(press)
            if case .hold(let word) = control.press {
                hold = HoldButton(control, typed: word, keys: place.context.keys, done: press)
            } else {
                hold = nil
            }
            guard !isIconOnly else {
                widget = button
                return
            }
            let box = Box(.vertical, spacing: 6)
            box.append(hold?.widget ?? button)
            obstacle.addClass("obstacle")
            obstacle.justify(0.5)
            box.append(obstacle)
            widget = box
            block(false)
        }

        /// Keeps it from being pressed for another reason than its own, which is said elsewhere.
        func block(_ isBlocked: Bool) {
            let reason = control.obstacle
            button.isSensitive = reason == nil && !isBlocked
            hold?.isBlocked = reason != nil || isBlocked
            obstacle.isVisible = reason != nil
            obstacle.set(reason ?? Text())
        }

        var hasFocus: Bool { button.hasFocus }

        /// Presses it as Enter in a field does: what has to be held is only gone to.
        func press() {
            if let hold { hold.focus() } else if button.isSensitive { place.press(control.message) }
        }

        private static func face(of control: Control, isIconOnly: Bool) -> Widget {
            let face = Box(.horizontal, spacing: 8)
            face.align(horizontally: .center)
            if let icon = control.icon { face.append(DrawingArea(icon: icon, size: 16).centered()) }
            if !isIconOnly || control.icon == nil {
                let label = Label(control.label)
                label.justify(0.5)
                face.append(label)
            }
            return face
        }
    }

    /// Buttons beside each other, or below each other where there are many.
    @MainActor
    final class ButtonsView: BlockView {
        let widget: Widget
        private let place: Place
        private let box: Box
        private var controls: [Control]
        /// Kept as long as they are shown: one that is held counts the time itself.
        private(set) var buttons: [ControlButton] = []

        init(_ controls: [Control], at place: Place) {
            (self.controls, self.place) = (controls, place)
            box = Box(controls.count <= 2 ? .horizontal : .vertical, spacing: 12)
            if controls.count == 2 { box.makeHomogeneous() }
            widget = box
            fill()
        }

        private func fill() {
            for control in controls {
                let button = ControlButton(control, at: place)
                buttons.append(button)
                button.widget.expand(horizontally: true)
                box.append(button.widget)
            }
        }
    }
#endif
