#if canImport(CAdwaita)
    import Adwaita
    import QRCode

    /// The modules of a code with the white border that readers need around it, a byte each.
    enum CodeModules {
        /// Modules of the border, on each side.
        static let border = 4

        static func grey(_ symbol: QRSymbol) -> (side: Int, bytes: [UInt8]) {
            let side = symbol.size + 2 * border
            var bytes = [UInt8](repeating: 0xff, count: side * side)
            for y in 0..<symbol.size {
                for x in 0..<symbol.size where symbol[x, y] { bytes[(y + border) * side + x + border] = 0 }
            }
            return (side, bytes)
        }
    }

    /// A place in which a code is drawn as large as it fits, each of its modules a square of the screen's whole pixels.
    @MainActor
    final class CodeArea {
        let area = DrawingArea(width: 0, height: 0)
        private var raster: Raster?

        /// The colour of codes that give a key away (`signer-product` section 3.6); all others are black.
        private static let danger = Color(hex: 0xe6007a)

        init(givesKey: Bool) {
            let dark = givesKey ? Self.danger : Color(hex: 0x000000)
            area.name = "code picture"
            area.onDraw { [weak self, weak area] canvas, width, height in
                guard let self, let raster, let area else { return }
                let pixels = Double(area.scaleFactor)
                let module = (min(width, height) * pixels / Double(raster.width)).rounded(.down)
                guard module >= 1 else { return }
                let side = module * Double(raster.width)
                canvas.color(Color(hex: 0xffffff))
                canvas.rectangle(x: 0, y: 0, width: width, height: height)
                canvas.fill()
                // Lengths of the window are cut into pixels of the screen.
                canvas.translate(
                    x: ((width * pixels - side) / 2).rounded(.down) / pixels,
                    y: ((height * pixels - side) / 2).rounded(.down) / pixels)
                canvas.draw(raster, scale: module / pixels, .exact, dark: dark)
            }
        }

        /// Nil shows nothing.
        func show(_ symbol: QRSymbol?) {
            raster = symbol.flatMap {
                let (side, bytes) = CodeModules.grey($0)
                return Raster(width: side, height: side, grey: bytes)
            }
            area.queueDraw()
        }

        /// Asks for a square of so many pixels of the window. It is narrower where the window becomes so.
        func ask(side: Int) { area.ask(width: min(side, Self.leastSide), height: side) }

        private static let leastSide = 120
    }
#endif
