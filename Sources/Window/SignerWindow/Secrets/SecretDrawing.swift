#if canImport(CAdwaita)
    import Adwaita

    // What the widgets for secrets have in common: how they are typed into and what they look like.

    extension Widget {
        /// Hears of keys, and of the focus coming and going.
        func hear(
            keys: @escaping @MainActor (Adwaita.Key) -> Bool,
            focus changed: @escaping @MainActor (_ isHere: Bool) -> Void
        ) {
            let controller = KeyController()
            controller.onPress(keys)
            add(controller)
            let focus = FocusController()
            focus.onEnter { changed(true) }
            focus.onLeave { changed(false) }
            add(focus)
        }
    }

    extension Canvas {
        private static let accent = Color(hex: 0x3584e4)

        /// A place in which something is typed or chosen, with a line around it where it has the focus.
        func plate(x: Double, y: Double, width: Double, height: Double, hasFocus: Bool) {
            color(ink.fading(to: 0.1))
            rectangle(x: x, y: y, width: width, height: height, radius: 8)
            fill()
            guard hasFocus else { return }
            color(Self.accent)
            rectangle(x: x + 1, y: y + 1, width: width - 2, height: height - 2, radius: 7)
            stroke(width: 2)
        }
    }

    extension Lettering {
        /// Where letters stand that are in the middle between two heights.
        func line(from top: Double, height: Double) -> Double { top + (height + ascent - descent) / 2 }

        func width(of word: some Sequence<UInt8>) -> Double { word.reduce(0) { $0 + advance(of: $1) } }

        /// Draws a word letter by letter, so that no text is made of it.
        ///
        /// - Returns: where it ends.
        @discardableResult
        func draw(_ word: some Sequence<UInt8>, on canvas: Canvas, x: Double, y: Double) -> Double {
            word.reduce(x) { x, letter in
                draw(letter, on: canvas, x: x, y: y)
                return x + advance(of: letter)
            }
        }
    }
#endif
