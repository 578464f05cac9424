#if canImport(CAdwaita)
    import Adwaita
    import SignerSession

    /// A keypad on the screen.
    @MainActor
    final class KeypadView {
        let widget: Widget
        private let area: DrawingArea
        private var keypad: Keypad
        private var pressed: Keypad.Place?
        private static let lettering = Lettering(family: "sans-serif", size: 18)
        private static let rowHeight = 48

        /// - Parameter press: gets signs and deletions.
        init(_ keypad: Keypad, press: @escaping @MainActor (Keypad.Key) -> Void) {
            self.keypad = keypad
            area = DrawingArea(width: 0, height: keypad.rowCount * Self.rowHeight)
            widget = area
            area.expand(horizontally: true)
            area.setAccessible(role: .picture)
            area.setAccessible(name: "Keys for touch; type on the keyboard instead")
            area.onDraw { [weak self] canvas, width, height in self?.draw(on: canvas, width: width, height: height) }
            let gesture = ClickGesture()
            gesture.onPress { [weak self] x, y in
                guard let self else { return }
                let (x, y) = (x / Double(max(area.width, 1)), y / Double(max(area.height, 1)))
                pressed = self.keypad.places.first {
                    x >= $0.x && x < $0.x + $0.width && y >= $0.y && y < $0.y + $0.height
                }
                if let key = self.keypad.press(x: x, y: y) { press(key) }
                area.queueDraw()
            }
            gesture.onRelease { [weak self] _, _ in self?.letGo() }
            gesture.onCancel { [weak self] in self?.letGo() }
            area.add(gesture)
        }

        private func letGo() {
            pressed = nil
            area.queueDraw()
        }

        private func draw(on canvas: Canvas, width: Double, height: Double) {
            let lettering = Self.lettering
            for place in keypad.places {
                let (x, y) = (place.x * width, place.y * height)
                let (wide, high) = (place.width * width, place.height * height)
                // Which key is pressed is not shown for signs: whoever looks over a shoulder sees the finger alone.
                let isDown = place == pressed && !place.key.isSign
                canvas.color(canvas.ink.fading(to: isDown ? 0.3 : 0.1))
                canvas.rectangle(x: x + 2, y: y + 2, width: wide - 4, height: high - 4, radius: 6)
                canvas.fill()
                canvas.color(canvas.ink)
                let label = Array(place.key.label.utf8)
                lettering.draw(
                    label, on: canvas, x: x + (wide - lettering.width(of: label)) / 2,
                    y: lettering.line(from: y, height: high))
            }
        }
    }

    extension Keypad.Key {
        fileprivate var isSign: Bool { if case .sign = self { true } else { false } }
    }
#endif
