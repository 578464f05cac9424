#if canImport(CAdwaita)
    import Adwaita
    import Screens

    /// A button that is held: by the pointer, or by space or Enter, for a second and a half. It has no action that
    /// assistive technology could call; who cannot hold it types a word into the field beside it.
    @MainActor
    final class HoldButton {
        let widget: Widget
        static let duration = 1.5
        /// What a wait of the loop counts for at the most, in seconds: the time in which nobody could let go does not
        /// count.
        private static let longestStep = 0.05

        private let surface = Box(.vertical)
        private let filling = DrawingArea(width: 0, height: 0)
        private let typing: TypedConsent
        private let keys: KeysDown
        private let done: @MainActor () -> Void
        private var held = 0.0
        private var last = ContinuousClock.now
        private var timer: Timeout?

        init(_ control: Control, typed word: String, keys: KeysDown, done: @escaping @MainActor () -> Void) {
            (self.keys, self.done) = (keys, done)
            typing = TypedConsent(word, done: done)
            surface.setAccessible(role: .button)
            surface.setAccessible(name: control.label.plain)
            surface.setAccessible(
                description: "Hold it for a second and a half, or type \(word) in the field that comes next.")
            surface.addClass("hold")
            surface.addClass(control.style == .destructive ? "destructive" : "suggested")
            surface.isFocusable = true
            surface.name = "control \(control.id)"
            let label = Label(control.label, "hold-label")
            label.justify(0.5)
            let overlay = Overlay(label)
            overlay.add(over: filling)
            filling.isReachable = false
            overlay.expand(horizontally: true)
            surface.append(overlay)
            let box = Box(.vertical, spacing: 6)
            box.append(surface)
            box.append(typing.widget)
            widget = box
            filling.onDraw { [weak self] canvas, width, height in
                guard let self, held > 0 else { return }
                canvas.rectangle(x: 0, y: 0, width: width, height: height, radius: 12)
                canvas.clip()
                canvas.color(canvas.ink.fading(to: 0.35))
                canvas.rectangle(x: 0, y: 0, width: width * min(held / Self.duration, 1), height: height)
                canvas.fill()
            }
            hearKeys()
            hearPointer()
        }

        var isBlocked = false {
            didSet {
                surface.isSensitive = !isBlocked
                typing.widget.isSensitive = !isBlocked
                if isBlocked { stop() }
            }
        }

        func focus() { surface.grabFocus() }

        private func hearKeys() {
            let controller = KeyController()
            controller.onPress { [weak self] key in
                guard let self, key.isSpace || key.isEnter, !key.isChord else { return false }
                if !keys.isRepeat { start() }
                return true
            }
            controller.onRelease { [weak self] _ in self?.stop() }
            surface.add(controller)
            let focus = FocusController()
            focus.onLeave { [weak self] in self?.stop() }
            surface.add(focus)
        }

        private func hearPointer() {
            let click = ClickGesture()
            click.onPress { [weak self] _, _ in
                self?.surface.grabFocus()
                self?.start()
            }
            click.onRelease { [weak self] _, _ in self?.stop() }
            click.onCancel { [weak self] in self?.stop() }
            click.onMove { [weak self] x, y in
                guard let surface = self?.surface else { return }
                let isInside = x >= 0 && y >= 0 && x < Double(surface.width) && y < Double(surface.height)
                if !isInside { self?.stop() }
            }
            surface.add(click)
        }

        private func start() {
            guard !isBlocked, timer == nil else { return }
            (held, last) = (0, .now)
            timer = Timeout(milliseconds: 16) { [weak self] in self?.step() ?? false }
        }

        private func step() -> Bool {
            let now = ContinuousClock.now
            held += min((now - last) / .seconds(1), Self.longestStep)
            last = now
            filling.queueDraw()
            guard held >= Self.duration else { return surface.isMapped }
            (held, timer) = (0, nil)
            done()
            return false
        }

        private func stop() {
            timer?.cancel()
            (held, timer) = (0, nil)
            filling.queueDraw()
        }
    }

    /// A field for a word that says yes as much as a button that is held.
    @MainActor
    private final class TypedConsent {
        let widget: Widget
        private let entry: Entry
        private let button: Button
        private let revealer: Revealer

        init(_ word: String, done: @escaping @MainActor () -> Void) {
            let question: Text = "Type \(own: word) instead of holding"
            let opener = Button(Label(question, "caption"), name: question.plain)
            opener.addClass("flat")
            opener.addClass("opener")
            opener.align(horizontally: .center)
            entry = Entry(name: question.plain)
            entry.name = "field \(word)"
            entry.expand(horizontally: true)
            button = Button("Confirm")
            button.name = "confirm \(word)"
            button.isSensitive = false
            let line = Box(.horizontal, spacing: 6)
            line.append(entry)
            line.append(button)
            revealer = Revealer(line)
            let box = Box(.vertical, spacing: 6)
            box.append(opener)
            box.append(revealer)
            widget = box
            opener.onClick { [weak self] in
                guard let self else { return }
                revealer.isRevealed.toggle()
                if revealer.isRevealed { entry.grabFocus() }
            }
            let isTyped = { [weak self] in self?.entry.text == word }
            entry.onChange { [weak self] in self?.button.isSensitive = isTyped() }
            // It says yes once, whatever comes of it.
            let confirm: @MainActor () -> Void = { [weak self] in
                guard isTyped() else { return }
                self?.entry.text = ""
                done()
            }
            entry.onEnter(confirm)
            button.onClick(confirm)
        }
    }
#endif
