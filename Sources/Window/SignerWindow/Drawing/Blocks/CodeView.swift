#if canImport(CAdwaita)
    import Adwaita
    import Airgap
    import QRCode
    import Screens

    /// A code, or codes that follow each other, with what sets their speed and size.
    @MainActor
    final class CodeView: BlockView {
        let widget: Widget
        private var code: CodePicture
        private let context: PageContext
        private let picture: CodeArea
        private let frame: Clamp
        /// Pixels around the picture, on each side, that are white as it is.
        private static let padding = 12
        private let cover: CodeCover
        private let film: CodeFilm?
        private var room = (width: 0, height: 0)
        private var hiding: Countdown?
        private var isAwake = false
        /// Whether another window is looked at: nobody who does is shown a secret.
        private var isBehind = false

        /// A secret is covered after so many seconds.
        private static let secretTime = 60

        init(_ code: CodePicture, at place: Place) {
            (self.code, context) = (code, place.context)
            let sender = code.isSecret ? nil : try? code.codes()
            let picture = CodeArea(givesKey: code.givesKey)
            self.picture = picture
            film = sender.map { CodeFilm($0, on: picture) }
            let box = Box(.vertical, spacing: 12)
            let frame = Box(.vertical)
            frame.setAccessible(role: .picture)
            frame.addClass("code-frame")
            frame.setAccessible(name: code.label.plain)
            frame.append(picture.area)
            self.frame = Clamp(frame, width: 0)
            box.append(self.frame)
            let label = Label(code.label, "dim-label")
            label.justify(0.5)
            box.append(label)
            cover = CodeCover(isSecret: code.isSecret, over: picture, film: film)
            box.append(cover.controls)
            widget = box
            cover.onSize { [weak self] in self?.resize() }
            cover.onReveal { [weak self] in self?.reveal() }
            widget.on("map") { [weak self] _ in self?.appear() }
            widget.on("unmap") { [weak self] _ in self?.disappear() }
            guard code.isSecret else { return }
            reveal()
            picture.area.onBackdrop { [weak self] isBehind in
                self?.isBehind = isBehind
                if isBehind { self?.hideSecrets() }
            }
        }

        /// Another secret of the same name is shown only where this one is.
        func update(_ block: Block) -> Bool {
            guard case .code(let new) = block, code.isSecret, new.isSecret, new.label == code.label else {
                return false
            }
            code = new
            if !cover.isCovered { reveal() }
            return true
        }

        // MARK: Its size

        /// Takes the pixels that are seen of the page.
        func fit(width: Int, height: Int) {
            room = (width, height)
            resize()
        }

        private func resize() {
            guard room.width > 0 else { return }
            let inside = (width: room.width - 2 * Self.padding, height: room.height - 2 * Self.padding)
            let side = Self.side(in: inside, share: cover.share)
            picture.ask(side: side)
            frame.maximumWidth = side + 2 * Self.padding
        }

        /// The side of the picture: as much as fits with what it is below it, times the share that the person has set.
        static func side(in room: (width: Int, height: Int), share: Double) -> Int {
            let height = room.height * 9 / 10
            return Int(Double(max(min(room.width, height), 120)) * share)
        }

        // MARK: Being seen

        private func appear() {
            film?.run()
            // A camera takes its time with codes that anybody may see. With a secret one, a screen that is left alone
            // may go dark and be locked.
            guard !code.isSecret else { return }
            if !isAwake { context.wake.begin() }
            isAwake = true
        }

        private func disappear() {
            film?.stop()
            if isAwake { context.wake.end() }
            isAwake = false
        }

        private func reveal() {
            guard !isBehind else { return cover.refuse() }
            // What is made of a secret on the way is let go of at once; the picture itself goes when it is covered.
            guard let sender = try? code.codes(), let symbol = try? QRSymbol.encode(bytes: sender.content(0)) else {
                return
            }
            picture.show(symbol)
            cover.isCovered = false
            hiding = Countdown(seconds: Self.secretTime) { [weak self] in self?.hideSecrets() }
        }

        func hideSecrets() {
            guard code.isSecret else { return }
            picture.show(nil)
            cover.isCovered = true
            hiding = nil
        }

        func end() {
            disappear()
            hideSecrets()
        }
    }

    /// Shows one code after the other.
    @MainActor
    final class CodeFilm {
        private let sender: TransferSender
        private let picture: CodeArea
        private var number = 0
        private var timer: Timeout?
        private(set) var isPaused = false

        static let speeds = 1...30
        static let usualSpeed = 15

        var speed = usualSpeed { didSet { if timer != nil { run() } } }

        init(_ sender: TransferSender, on picture: CodeArea) {
            (self.sender, self.picture) = (sender, picture)
            show()
        }

        var isMoving: Bool { sender.isEndless || sender.sourceCount > 1 }

        private func show() { picture.show(try? QRSymbol.encode(bytes: sender.content(number))) }

        func run() {
            guard isMoving, !isPaused else { return }
            timer = Timeout(milliseconds: 1000 / speed) { [weak self] in
                guard let self else { return false }
                number += 1
                show()
                return true
            }
        }

        func stop() { timer = nil }

        func pause(_ isPaused: Bool) {
            self.isPaused = isPaused
            isPaused ? stop() : run()
        }
    }

    /// What is set of a code: whether it moves, how fast, how large, and whether a secret one is seen.
    @MainActor
    final class CodeCover {
        let controls = Box(.vertical, spacing: 6)
        private let size = Scale(100, in: 40...100, name: "Size of the code in percent")
        private let reveal = Button("Show the code again")
        private let refusal = Label("The code is shown only while this window has the keyboard.")
        private var onReveal: (@MainActor () -> Void)?

        init(isSecret: Bool, over picture: CodeArea, film: CodeFilm?) {
            if let film, film.isMoving { addSpeed(of: film) }
            let line = Box(.horizontal, spacing: 12)
            line.append(Label("Size", wrap: .never))
            size.expand(horizontally: true)
            line.append(size)
            controls.append(line)
            if isSecret {
                reveal.align(horizontally: .center)
                refusal.justify(0.5)
                controls.append(refusal)
                controls.append(reveal)
            }
            refusal.isVisible = false
            reveal.isVisible = false
            reveal.onClick { [weak self] in self?.onReveal?() }
        }

        /// The part of the room that the code takes, up to 1.
        var share: Double { Double(size.number) / 100 }
        var isCovered: Bool {
            get { reveal.isVisible }
            set {
                reveal.isVisible = newValue
                refusal.isVisible = false
            }
        }

        /// Says why what is covered stays so.
        func refuse() { refusal.isVisible = true }

        func onSize(_ run: @escaping @MainActor () -> Void) { size.onChange(run) }
        func onReveal(_ run: @escaping @MainActor () -> Void) { onReveal = run }

        private func addSpeed(of film: CodeFilm) {
            let icon = DrawingArea(icon: .pause, size: 16)
            let pause = Button(icon, name: "Pause")
            pause.addClass("circular")
            pause.tooltip = "Pause"
            let speed = Scale(film.speed, in: CodeFilm.speeds, name: "Codes a second")
            speed.name = "speed of codes"
            speed.expand(horizontally: true)
            let line = Box(.horizontal, spacing: 12)
            line.append(pause)
            line.append(speed)
            let says = Label(Self.words(film.speed), wrap: .words)
            says.justify(0.5)
            controls.append(line)
            controls.append(says)
            pause.onClick { [weak film, weak icon, weak pause] in
                guard let film else { return }
                film.pause(!film.isPaused)
                let name = film.isPaused ? "Go on" : "Pause"
                icon?.show(icon: film.isPaused ? .play : .pause)
                pause?.setAccessible(name: name)
                pause?.tooltip = name
            }
            speed.onChange { [weak film, weak speed, weak says] in
                guard let film, let speed else { return }
                film.speed = speed.number
                says?.set(Self.words(speed.number))
            }
        }

        private static func words(_ speed: Int) -> String {
            "\(speed) \(speed == 1 ? "code" : "codes") a second. Slower helps a camera that misses some."
        }
    }
#endif
