#if canImport(CAdwaita)
    import CAdwaita

    /// Text of which each sign is as wide as the next, such as an address. How it is broken is said by the program,
    /// which counts signs; the library would set it anew for each width at which it measures it.
    @MainActor
    package final class MonospacedText: DrawingArea {
        /// - Parameters:
        ///   - text: ASCII; what assistive technology hears.
        ///   - shortest: signs that a line must hold at the least.
        ///   - lines: breaks it into lines of so many signs at the most.
        package init(_ text: String, shortest: Int, lines: @escaping @MainActor (_ signs: Int) -> [String]) {
            super.init(width: 0, height: 0)
            setAccessible(role: .label)
            setAccessible(name: text)
            let state = State(text, on: self, shortest: shortest, lines: lines)
            measure(by: state)
            onDraw { canvas, width, _ in state.draw(on: canvas, width: width) }
        }

        /// What is measured and drawn; it belongs to the library's object.
        @MainActor
        private final class State: Measuring {
            private let text: String
            private let shortest: Int
            private let lines: @MainActor (Int) -> [String]
            private let layout: Object
            /// Another number means that the face has changed.
            private var serial: UInt32 = 0
            private var signWidth = 8.0
            private var lineHeight = 16.0

            init(
                _ text: String, on widget: Widget, shortest: Int, lines: @escaping @MainActor (Int) -> [String]
            ) {
                (self.text, self.shortest, self.lines) = (text, shortest, lines)
                layout = Object(new: widget.use { gtk_widget_create_pango_layout($0, nil) })
                let attributes = pango_attr_list_new()
                pango_attr_list_insert(attributes, pango_attr_family_new("monospace"))
                pango_layout_set_attributes(layout.pointer, attributes)
                pango_attr_list_unref(attributes)
            }

            private func refresh() {
                let now = pango_context_get_serial(pango_layout_get_context(layout.pointer))
                guard now != serial else { return }
                serial = now
                pango_layout_set_text(layout.pointer, text, -1)
                pango_layout_context_changed(layout.pointer)
                var (width, height) = (Int32(0), Int32(0))
                pango_layout_get_size(layout.pointer, &width, &height)
                signWidth = max(Double(width) / Double(PANGO_SCALE) / Double(max(text.utf8.count, 1)), 1)
                lineHeight = max((Double(height) / Double(PANGO_SCALE)).rounded(.up), 1)
            }

            private func broken(_ width: Int) -> [String] { lines(Int((Double(width) + 0.01) / signWidth)) }
            private func pixels(_ signs: Int) -> Int { Int((Double(signs) * signWidth).rounded(.up)) }

            var widths: (least: Int, natural: Int) {
                refresh()
                return (pixels(min(shortest, text.utf8.count)), pixels(text.utf8.count))
            }

            func height(in width: Int) -> Int {
                refresh()
                return Int(lineHeight) * broken(width).count
            }

            func draw(on canvas: Canvas, width: Double) {
                refresh()
                canvas.color(canvas.ink)
                for (index, line) in broken(Int(width)).enumerated() {
                    pango_layout_set_text(layout.pointer, line, -1)
                    canvas.move(x: 0, y: Double(index) * lineHeight)
                    pango_cairo_show_layout(canvas.context, layout.pointer)
                }
            }
        }
    }
#endif
