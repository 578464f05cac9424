#if canImport(CAdwaita)
    import Adwaita
    import AirgapLink
    import Screens

    /// A camera's picture with the codes that were found, and how far the scan has come.
    @MainActor
    final class ScannerView: BlockView {
        let widget: Widget
        private let picture = CameraArea()
        private let progress = ProgressBar(name: "Codes read")
        private let count = Label("", wrap: .words)
        private let pace = Label("", wrap: .words)
        private let advice = Label("", wrap: .words)
        private let help: Label
        private let place: Box
        private let failure = Box(.vertical)

        init(_ scanner: Scanner) {
            help = Label(scanner.advice, "dim-label")
            let box = Box(.vertical, spacing: 12)
            for label in [count, pace, advice, help] { label.justify(0.5) }
            count.addClass("heading")
            pace.addClass("dim-label")
            place = EmptyView.picture(of: scanner.purpose == .payload ? .scan : .pictures)
            for part in [failure, place, picture.widget, progress, count, pace, advice, help] { box.append(part) }
            box.expand(vertically: true)
            widget = box
            failure.isVisible = false
            show(nil)
        }

        func fit(width: Int, height: Int) { picture.fit(width: width, height: height) }

        /// Nil where no scan goes on.
        func show(_ scan: ScanUpdate?) {
            place.isVisible = scan == nil
            widget.align(vertically: scan == nil ? .center : .start)
            picture.widget.isVisible = scan != nil
            picture.show(scan)
            progress.isVisible = scan?.have != nil
            count.isVisible = scan != nil
            count.set(scan.map(Self.words) ?? "")
            let pace = scan.map(Self.pace) ?? ""
            self.pace.isVisible = !pace.isEmpty
            self.pace.set(pace)
            if let have = scan?.have, let need = scan?.need, need > 0 {
                progress.fraction = Double(have) / Double(need)
            }
            advice.isVisible = scan?.advice != nil
            advice.set(scan?.advice?.description ?? "")
            help.isVisible = scan?.advice == nil
        }

        /// Shows why there is nothing to be seen; nil for no reason.
        func show(failure text: Text?) {
            failure.removeAll()
            failure.isVisible = text != nil
            if let text { failure.append(CardView.widget(.warning, title: "It was not done", text: text)) }
        }

        static func words(of scan: ScanUpdate) -> String {
            guard let have = scan.have else { return "No code yet" }
            return scan.need.map { "\(have) of \($0) codes" } ?? "\(have) codes"
        }

        static func pace(of scan: ScanUpdate) -> String {
            let rate = scan.codesPerSecond.map { "\(Int($0.rounded())) a second" }
            let left = scan.secondsLeft.map { "about \(max(1, Int($0.rounded()))) s left" }
            return [rate, left].compactMap(\.self).joined(separator: ", ")
        }
    }

    /// The picture of a camera, or a place for one that has none to show.
    @MainActor
    final class CameraArea {
        let widget: Widget
        private let area = DrawingArea(width: 0, height: 0)
        private var raster: Raster?
        private var outlines: [[ScanPoint]] = []
        private let clamp: Clamp
        private static let usualShape = 0.75

        init() {
            area.addClass("camera")
            let frame = Box(.vertical)
            frame.setAccessible(role: .picture)
            frame.setAccessible(name: "What the camera sees")
            frame.append(area)
            clamp = Clamp(frame, width: 0)
            widget = clamp
            area.onDraw { [weak self] canvas, width, height in self?.draw(on: canvas, width: width, height: height) }
        }

        func fit(width: Int, height: Int) {
            let shape = raster.map { Double($0.height) / Double($0.width) } ?? Self.usualShape
            let width = min(width, Int(Double(max(height / 2, 160)) / shape))
            area.ask(width: min(width, 120), height: Int(Double(width) * shape))
            clamp.maximumWidth = width
        }

        func show(_ scan: ScanUpdate?) {
            raster = (scan?.picture).flatMap { Raster(width: $0.width, height: $0.height, grey: $0.pixels) }
            outlines = scan?.outlines ?? []
            area.queueDraw()
        }

        private func draw(on canvas: Canvas, width: Double, height: Double) {
            canvas.rectangle(x: 0, y: 0, width: width, height: height, radius: 12)
            canvas.clip()
            canvas.color(Color(hex: 0x1d1d1d))
            canvas.rectangle(x: 0, y: 0, width: width, height: height)
            canvas.fill()
            if let raster {
                let scale = min(width / Double(raster.width), height / Double(raster.height))
                canvas.group {
                    canvas.translate(
                        x: (width - scale * Double(raster.width)) / 2, y: (height - scale * Double(raster.height)) / 2)
                    canvas.draw(raster, scale: scale, .smooth)
                }
            } else {
                drawSign(on: canvas, width: width, height: height)
            }
            for outline in outlines { draw(outline, on: canvas, width: width, height: height) }
        }

        private func drawSign(on canvas: Canvas, width: Double, height: Double) {
            let side = 64.0
            canvas.group {
                canvas.translate(x: (width - side) / 2, y: (height - side) / 2)
                canvas.scale(side / 16)
                canvas.color(Color(hex: 0x9a9996))
                Icon.camera.draw(on: canvas)
            }
        }

        /// White on black, so that it is seen on whatever the picture shows.
        private func draw(_ outline: [ScanPoint], on canvas: Canvas, width: Double, height: Double) {
            for (color, line) in [(Color(hex: 0x000000), 6.0), (Color(hex: 0xf9f06b), 3.0)] {
                canvas.lines(outline.map { (x: $0.x * width, y: $0.y * height) }, isClosed: true)
                canvas.color(color)
                canvas.stroke(width: line)
            }
        }
    }
#endif
