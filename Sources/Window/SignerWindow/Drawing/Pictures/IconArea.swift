#if canImport(CAdwaita)
    import Adwaita
    import Screens

    extension DrawingArea {
        /// A sign, drawn in the colour of the text around it. Words stand beside it, so assistive technology hears
        /// nothing of it.
        convenience init(icon: Icon, size: Int) {
            self.init(width: size, height: size)
            align(horizontally: .center)
            show(icon: icon)
        }

        /// - Parameter isTurned: Whether it is turned by a quarter, clockwise.
        func show(icon: Icon, isTurned: Bool = false) {
            onDraw { canvas, width, height in
                let side = min(width, height)
                canvas.translate(x: (width - side) / 2, y: (height - side) / 2)
                canvas.scale(side / 16)
                if isTurned {
                    canvas.translate(x: 16, y: 0)
                    canvas.rotate(turns: 0.25)
                }
                canvas.color(canvas.ink)
                icon.draw(on: canvas)
            }
        }
    }
#endif
