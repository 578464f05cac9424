#if canImport(CAdwaita)
    import Adwaita
    import Screens

    // The signs are drawn in a square of 16 by 16, with lines that are two wide unless they are fine.

    extension Icon {
        @MainActor
        func draw(on canvas: Canvas) {
            let pen = Pen(canvas: canvas)
            switch self {
            case .back: pen.lines((10, 3), (5, 8), (10, 13))
            case .forward: pen.lines((6, 3), (11, 8), (6, 13))
            case .next: pen.lines((3, 8), (13, 8)).lines((9, 4), (13, 8), (9, 12))
            case .previous: pen.lines((13, 8), (3, 8)).lines((7, 4), (3, 8), (7, 12))
            case .menu: for y in [3.5, 8, 12.5] { pen.dot((8, y), 1.5) }
            case .close: pen.lines((4, 4), (12, 12)).lines((12, 4), (4, 12))
            case .add: pen.lines((8, 3), (8, 13)).lines((3, 8), (13, 8))
            case .remove: pen.lines((3, 8), (13, 8))
            case .keys: pen.key()
            case .scan: pen.corners().lines((5, 8), (11, 8))
            case .log: for y in [4.0, 8, 12] { pen.dot((3, y), 1.1).lines((6, y), (13.5, y)) }
            case .settings: pen.sliders()
            case .refused: pen.disc { $0.lines((5.3, 5.3), (10.7, 10.7)).lines((10.7, 5.3), (5.3, 10.7)) }
            case .danger: pen.triangle { $0.lines((8, 6), (8, 9.2)).dot((8, 12), 1.1) }
            case .warning: pen.octagon { $0.lines((8, 4.5), (8, 8.5)).dot((8, 11.5), 1.1) }
            case .note: pen.disc { $0.dot((8, 4.6), 1.1).lines((8, 7.4), (8, 11.6)) }
            case .good: pen.disc { $0.lines((4.8, 8.3), (7, 10.6), (11.2, 5.6)) }
            case .check: pen.lines((3, 8.5), (6.5, 12), (13, 4.5))
            case .locked, .lock: pen.padlock(isOpen: false)
            case .exposed: pen.padlock(isOpen: true)
            case .password: pen.password()
            case .network: pen.network()
            case .contact: pen.person()
            case .verifier: pen.seal()
            case .shieldSafe: pen.shield { $0.lines((5.2, 7.8), (7.3, 10), (10.9, 5.6)) }
            case .shieldOnline: pen.shield { $0.lines((8, 4.3), (8, 8)).dot((8, 10.8), 1.1) }
            case .shieldWasOnline: pen.shield { $0.lines((8, 4.5), (8, 7.8), (10.2, 9.2)) }
            case .shieldFailed: pen.shield { $0.question() }
            case .film: pen.film()
            case .pictures: pen.pictures()
            case .camera: pen.camera()
            case .play: pen.area((4, 2.5), (13, 8), (4, 13.5))
            case .pause: pen.bar(x: 3.5, y: 3, width: 3.2, height: 10).bar(x: 9.3, y: 3, width: 3.2, height: 10)
            case .select: pen.ring((8, 8), 6)
            case .selected: pen.disc { $0.lines((4.8, 8.3), (7, 10.6), (11.2, 5.6)) }
            case .backup: pen.backup()
            case .document: pen.document()
            case .wipe: pen.bin()
            }
        }
    }

    /// Draws lines and areas of a sign.
    @MainActor
    private struct Pen {
        typealias Place = (Double, Double)
        let canvas: Canvas
        var width = 2.0

        @discardableResult
        func lines(_ points: Place...) -> Pen {
            canvas.lines(points.map { (x: $0.0, y: $0.1) })
            canvas.stroke(width: width)
            return self
        }

        @discardableResult
        func outline(_ points: Place...) -> Pen {
            canvas.lines(points.map { (x: $0.0, y: $0.1) }, isClosed: true)
            canvas.stroke(width: width)
            return self
        }

        @discardableResult
        func area(_ points: Place...) -> Pen {
            canvas.lines(points.map { (x: $0.0, y: $0.1) }, isClosed: true)
            canvas.fill()
            return self
        }

        @discardableResult
        func dot(_ place: Place, _ radius: Double) -> Pen {
            canvas.circle(x: place.0, y: place.1, radius: radius)
            canvas.fill()
            return self
        }

        @discardableResult
        func ring(_ place: Place, _ radius: Double) -> Pen {
            canvas.circle(x: place.0, y: place.1, radius: radius)
            canvas.stroke(width: width)
            return self
        }

        @discardableResult
        func arc(_ place: Place, _ radius: Double, from start: Double, to end: Double) -> Pen {
            canvas.arc(x: place.0, y: place.1, radius: radius, from: start, to: end)
            canvas.stroke(width: width)
            return self
        }

        @discardableResult
        func bar(x: Double, y: Double, width: Double, height: Double, radius: Double = 0.8) -> Pen {
            canvas.rectangle(x: x, y: y, width: width, height: height, radius: radius)
            canvas.fill()
            return self
        }

        @discardableResult
        func frame(x: Double, y: Double, width: Double, height: Double, radius: Double = 1.5) -> Pen {
            canvas.rectangle(x: x, y: y, width: width, height: height, radius: radius)
            canvas.stroke(width: self.width)
            return self
        }

        // MARK: Areas with a sign cut out of them

        /// Draws an area, and in it a sign of which nothing remains.
        private func cut(_ area: () -> Void, _ sign: (Pen) -> Void) {
            canvas.layer { cutting in
                area()
                cutting()
                sign(Pen(canvas: canvas, width: 1.8))
            }
        }

        func disc(_ sign: (Pen) -> Void) { cut({ dot((8, 8), 7.5) }, sign) }

        func triangle(_ sign: (Pen) -> Void) {
            cut(
                {
                    canvas.lines([(8, 2), (14.6, 13.6), (1.4, 13.6)], isClosed: true)
                    canvas.fillRounded(by: 1.6)
                }, sign)
        }

        func octagon(_ sign: (Pen) -> Void) {
            let (near, far, low, high) = (5.0, 11.0, 1.0, 15.0)
            cut(
                {
                    canvas.lines(
                        [
                            (near, low), (far, low), (high, near), (high, far), (far, high), (near, high), (low, far),
                            (low, near),
                        ], isClosed: true)
                    canvas.fillRounded(by: 1)
                }, sign)
        }

        func shield(_ sign: (Pen) -> Void) {
            cut(
                {
                    canvas.move(x: 8, y: 0.8)
                    canvas.curve(near: (10, 2.2), far: (12, 2.8), to: (14, 3))
                    canvas.curve(near: (14.2, 9), far: (12.5, 13), to: (8, 15.3))
                    canvas.curve(near: (3.5, 13), far: (1.8, 9), to: (2, 3))
                    canvas.curve(near: (4, 2.8), far: (6, 2.2), to: (8, 0.8))
                    canvas.fill()
                }, sign)
        }

        func question() {
            arc((8, 6.2), 2.1, from: 0.5, to: 1.12)
            lines((8.6, 8.1), (8, 9.2))
            dot((8, 11.6), 1.1)
        }

        // MARK: Things

        func key() {
            ring((5.2, 8), 3.2)
            lines((8.4, 8), (14.5, 8), (14.5, 10.8))
            lines((11.4, 8), (11.4, 10.2))
        }

        func corners() -> Pen {
            lines((2, 5.5), (2, 2), (5.5, 2)).lines((10.5, 2), (14, 2), (14, 5.5))
            return lines((14, 10.5), (14, 14), (10.5, 14)).lines((5.5, 14), (2, 14), (2, 10.5))
        }

        func sliders() {
            lines((2, 5), (14, 5)).lines((2, 11), (14, 11))
            dot((10.5, 5), 2.6).dot((5.5, 11), 2.6)
        }

        func padlock(isOpen: Bool) {
            bar(x: 3, y: 7.2, width: 10, height: 7.8, radius: 1.6)
            arc((8, isOpen ? 4.6 : 5.4), 3.2, from: 0.5, to: 1)
            lines((4.8, isOpen ? 4.6 : 5.4), (4.8, 8))
            if !isOpen { lines((11.2, 5.4), (11.2, 8)) }
        }

        func password() {
            frame(x: 1.5, y: 4, width: 13, height: 8, radius: 2)
            for x in [4.7, 8, 11.3] { dot((x, 8), 1.1) }
        }

        func network() {
            lines((8, 4), (3.6, 11.8)).lines((8, 4), (12.4, 11.8)).lines((3.6, 11.8), (12.4, 11.8))
            dot((8, 3.6), 2.5).dot((3.4, 12), 2.5).dot((12.6, 12), 2.5)
        }

        func person() {
            dot((8, 4.8), 3.2)
            canvas.move(x: 1.8, y: 14.5)
            canvas.curve(near: (1.8, 10.6), far: (4.6, 9.2), to: (8, 9.2))
            canvas.curve(near: (11.4, 9.2), far: (14.2, 10.6), to: (14.2, 14.5))
            canvas.fill()
        }

        func seal() {
            ring((8, 6), 4.4)
            lines((5.8, 10), (4.6, 14.8), (8, 13), (11.4, 14.8), (10.2, 10))
        }

        func film() {
            frame(x: 1.6, y: 3, width: 12.8, height: 10)
            for y in [5.6, 8, 10.4] { dot((4, y), 0.8).dot((12, y), 0.8) }
            area((6.6, 5.6), (10.4, 8), (6.6, 10.4))
        }

        func pictures() {
            frame(x: 1.6, y: 4.8, width: 10, height: 9.2)
            lines((4.6, 2), (14.4, 2), (14.4, 11))
            area((3, 12.6), (6.2, 8.4), (8, 10.4), (9.2, 9.2), (10.6, 12.6))
        }

        func camera() {
            frame(x: 1.4, y: 4.6, width: 13.2, height: 9)
            ring((8, 9), 2.4)
            bar(x: 5.2, y: 2.2, width: 5.6, height: 3, radius: 1)
        }

        func backup() {
            lines((8, 2), (8, 9.4)).lines((4.6, 6.4), (8, 9.8), (11.4, 6.4))
            lines((2, 10.5), (2, 14), (14, 14), (14, 10.5))
        }

        func document() {
            outline((3, 1.8), (9.6, 1.8), (13, 5.2), (13, 14.2), (3, 14.2))
            lines((5.8, 8), (10.2, 8)).lines((5.8, 11), (10.2, 11))
        }

        func bin() {
            lines((2.4, 4), (13.6, 4)).lines((6, 4), (6, 2), (10, 2), (10, 4))
            lines((4, 4), (4.6, 14.2), (11.4, 14.2), (12, 4))
            lines((8, 7), (8, 11.2))
        }
    }
#endif
