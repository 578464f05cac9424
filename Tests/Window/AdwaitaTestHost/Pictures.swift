#if canImport(CAdwaita)
    import Adwaita
    import CAdwaita
    import QRCode
    import Screens
    import SecretMemory

    @testable import SignerCore

    /// What widgets look like.
    @MainActor
    struct Snapshot {
        let width: Int
        let height: Int
        /// Blue, green, red and one more for each pixel.
        private let bytes: [UInt8]
        private let texture: Object

        init?(_ widget: Widget) {
            guard let paintable = widget.use({ gtk_widget_paintable_new($0) }) else { return nil }
            defer { g_object_unref(UnsafeMutableRawPointer(paintable)) }
            let (wide, high) = (widget.width, widget.height)
            let snapshot = gtk_snapshot_new()
            gdk_paintable_snapshot(paintable, snapshot, Double(wide), Double(high))
            guard let node = gtk_snapshot_free_to_node(snapshot),
                let native = widget.use({ gtk_widget_get_native($0) }),
                let renderer = gtk_native_get_renderer(native)
            else { return nil }
            defer { gsk_render_node_unref(node) }
            var bounds = graphene_rect_t()
            graphene_rect_init(&bounds, 0, 0, Float(wide), Float(high))
            guard let texture = gsk_renderer_render_texture(renderer, node, &bounds) else { return nil }
            self.texture = Object(new: texture)
            (width, height) = (Int(gdk_texture_get_width(texture)), Int(gdk_texture_get_height(texture)))
            var bytes = [UInt8](repeating: 0, count: width * height * 4)
            gdk_texture_download(texture, &bytes, gsize(width * 4))
            self.bytes = bytes
        }

        func color(x: Int, y: Int) -> (red: UInt8, green: UInt8, blue: UInt8) {
            let start = (y * width + x) * 4
            return (bytes[start + 2], bytes[start + 1], bytes[start])
        }

        /// Writes it as PNG.
        ///
        /// - Returns: whether it was written.
        func save(to path: String) -> Bool { gdk_texture_save_to_png(texture.pointer, path) != 0 }

        /// Whether each pixel is the same.
        func isSame(as other: Snapshot) -> Bool { width == other.width && bytes == other.bytes }
    }

    @MainActor
    enum Pictures {
        /// Compares codes on the screen with the modules they are made of, pixel by pixel.
        static func codes(_ application: Application, _ arguments: [String]) async throws -> [String] {
            var lines: [String] = []
            let open = Samples.code(moving: false)
            var exported = open
            let secret = ShownSecret(try SecretBytes(copying: Samples.codeText))
            exported.body = [.code(CodePicture(.secret(secret), label: "A key's secret", givesKey: true))]
            for (name, page, (width, height), dark) in [
                ("a key", exported, (360, 640), danger), ("360 × 640", open, (360, 640), black),
                ("1000 × 700", open, (1_000, 700), black), ("417 × 533", open, (417, 533), black),
            ] {
                let stage = Stage(application, width: width, height: height)
                stage.view.show(page)
                await stage.frames(3)
                await pause(milliseconds: 300)
                await stage.frames(2)
                let symbol = try QRSymbol.encode(bytes: Samples.codeText)
                guard let area = stage.find("code picture").first, let picture = Snapshot(area) else {
                    return ["no code"]
                }
                lines.append("\(name): \(compare(picture, with: symbol, in: min(width, height), dark: dark))")
                stage.window.destroy()
            }
            return lines
        }

        private typealias Pixel = (red: UInt8, green: UInt8, blue: UInt8)
        private static let black: Pixel = (0, 0, 0)
        /// The colour of codes that give a key away, as the specification has it.
        private static let danger: Pixel = (0xe6, 0x00, 0x7a)
        private static let white: Pixel = (255, 255, 255)

        private static func compare(
            _ picture: Snapshot, with symbol: QRSymbol, in side: Int, dark: Pixel
        ) -> String {
            let modules = symbol.size + 8
            let pixels = min(picture.width, picture.height) / modules
            let (left, top) = ((picture.width - pixels * modules) / 2, (picture.height - pixels * modules) / 2)
            var wrong = 0
            for y in 0..<picture.height {
                for x in 0..<picture.width {
                    let (column, row) = ((x - left) / pixels - 4, (y - top) / pixels - 4)
                    let isInside =
                        x >= left && y >= top && (0..<symbol.size).contains(column)
                        && (0..<symbol.size).contains(row)
                    let color = picture.color(x: x, y: y)
                    let expected = isInside && symbol[column, row] ? dark : white
                    if color != expected { wrong += 1 }
                }
            }
            let isLarge = pixels * modules * 10 >= side * 6
            return "\(wrong) pixels differ, \(isLarge ? "large enough" : "\(pixels * modules) pixels only")"
        }

        /// Tells of pages that are wider than a phone.
        static func widths(_ application: Application, _ arguments: [String]) async throws -> [String] {
            var lines: [String] = []
            for (name, page) in Samples.all {
                let stage = Stage(application)
                stage.view.show(page)
                await stage.frames(3)
                await pause(milliseconds: 200)
                let width = stage.view.widget.minimumWidth
                if width > 360 || stage.window.width > 360 { lines.append("\(name) is \(width) wide") }
                stage.window.destroy()
            }
            return lines + ["\(Samples.all.count) pages"]
        }

        /// The colours of a card that warns of a danger, at its edge and within.
        static func colour(_ application: Application, _ arguments: [String]) async throws -> [String] {
            let stage = Stage(application)
            stage.view.show(Samples.transaction)
            await stage.frames(3)
            func search(_ widget: Widget) -> Widget? {
                let has = widget.use { gtk_widget_has_css_class($0, "risk") != 0 }
                return has ? widget : widget.children.lazy.compactMap(search).first
            }
            guard let card = search(stage.window), let picture = Snapshot(card) else { return ["no card"] }
            let within = picture.color(x: picture.width / 2, y: 4)
            let isRed = Int(within.red) > Int(within.green) + 8 && Int(within.red) > Int(within.blue) + 8
            stage.window.destroy()
            return [isRed ? "a red card" : "a card of \(within)"]
        }
    }
#endif
