#if canImport(CAdwaita)
    import CAdwaita

    /// Letters as outlines, each drawn by itself, so that no library ever gets a word that is made of them: text that a
    /// label or a layout shows is copied by it, and by what draws it.
    ///
    /// The letters are those of ASCII, of one face and size. They are looked up once, in the order of the alphabet.
    @MainActor
    package final class Lettering {
        private struct Letter {
            /// Owned; nil for the blank.
            var outline: UnsafeMutablePointer<cairo_path_t>?
            var advance: Double
        }

        private static let known: ClosedRange<UInt8> = 0x20...0x7e

        private var letters: [Letter] = []
        /// How far letters reach above and below the line, in pixels.
        package let ascent: Double
        package let descent: Double

        /// - Parameters:
        ///   - family: the name of a family of fonts.
        ///   - size: in pixels.
        package init(family: String = "monospace", size: Double) {
            let surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1)
            let context = cairo_create(surface)
            defer {
                cairo_destroy(context)
                cairo_surface_destroy(surface)
            }
            cairo_select_font_face(context, family, CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL)
            cairo_set_font_size(context, size)
            var extents = cairo_font_extents_t()
            cairo_font_extents(context, &extents)
            (ascent, descent) = (extents.ascent, extents.descent)
            for byte in Self.known {
                let text = [CChar(bitPattern: byte), 0]
                var letter = cairo_text_extents_t()
                cairo_text_extents(context, text, &letter)
                cairo_new_path(context)
                cairo_move_to(context, 0, 0)
                cairo_text_path(context, text)
                letters.append(Letter(outline: cairo_copy_path(context), advance: letter.x_advance))
            }
        }

        isolated deinit { for letter in letters { cairo_path_destroy(letter.outline) } }

        /// Pixels from the place of a letter to that of the next.
        package func advance(of byte: UInt8) -> Double { letter(byte).advance }

        /// Draws one letter on the line, in the colour that is set.
        package func draw(_ byte: UInt8, on canvas: Canvas, x: Double, y: Double) {
            guard let outline = letter(byte).outline, outline.pointee.num_data > 0 else { return }
            canvas.group {
                canvas.translate(x: x, y: y)
                cairo_new_path(canvas.context)
                cairo_append_path(canvas.context, outline)
                canvas.fill()
            }
        }

        /// A question mark for what is no letter of ASCII.
        private func letter(_ byte: UInt8) -> Letter {
            letters[Int((Self.known.contains(byte) ? byte : UInt8(ascii: "?")) - Self.known.lowerBound)]
        }
    }
#endif
