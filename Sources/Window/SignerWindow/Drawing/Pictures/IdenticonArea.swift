#if canImport(CAdwaita)
    import Adwaita
    import Identicons
    import Screens

    extension DrawingArea {
        /// The picture of a public key. The address stands beside it, so assistive technology hears nothing of it.
        convenience init(identicon: Identicon, size: Int) {
            self.init(width: size, height: size)
            let shapes = identicon.shapes
            onDraw { canvas, width, height in
                let side = min(width, height)
                canvas.translate(x: (width - side) / 2, y: (height - side) / 2)
                canvas.scale(side)
                for shape in shapes { Self.draw(shape, on: canvas) }
            }
        }

        private static func draw(_ shape: Identicon.Shape, on canvas: Canvas) {
            canvas.color(
                Color(
                    red: Double(shape.color.red) / 255, green: Double(shape.color.green) / 255,
                    blue: Double(shape.color.blue) / 255))
            for border in shape.borders {
                switch border {
                case .circle(let center, let radius): canvas.circle(x: center.x, y: center.y, radius: radius)
                case .polygon(let points): canvas.lines(points.map { (x: $0.x, y: $0.y) }, isClosed: true)
                }
            }
            canvas.fillEvenOdd()
        }
    }
#endif
