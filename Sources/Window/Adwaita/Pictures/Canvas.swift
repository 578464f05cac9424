#if canImport(CAdwaita)
    import CAdwaita

    /// A colour; each part from 0 to 1.
    package struct Color: Hashable, Sendable {
        package var red, green, blue, alpha: Double

        package init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
            (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
        }

        /// The colour that styles give as `0xRRGGBB`.
        package init(hex: UInt32) {
            self.init(
                red: Double(hex >> 16 & 0xff) / 255, green: Double(hex >> 8 & 0xff) / 255,
                blue: Double(hex & 0xff) / 255)
        }

        init(_ color: GdkRGBA) {
            self.init(
                red: Double(color.red), green: Double(color.green), blue: Double(color.blue), alpha: Double(color.alpha)
            )
        }

        package func fading(to alpha: Double) -> Color {
            Color(red: red, green: green, blue: blue, alpha: self.alpha * alpha)
        }
    }

    /// A place to draw on, for as long as the call lasts in which it is handed out.
    @MainActor
    package struct Canvas {
        package let context: OpaquePointer
        /// The colour of text there, which follows light and dark.
        package let ink: Color

        package init(_ context: OpaquePointer, ink: Color) { (self.context, self.ink) = (context, ink) }

        package func color(_ color: Color) {
            cairo_set_source_rgba(context, color.red, color.green, color.blue, color.alpha)
        }

        // MARK: The path

        package func move(x: Double, y: Double) { cairo_move_to(context, x, y) }
        package func line(x: Double, y: Double) { cairo_line_to(context, x, y) }
        package func closePath() { cairo_close_path(context) }

        package func lines(_ points: [(x: Double, y: Double)], isClosed: Bool = false) {
            guard let first = points.first else { return }
            move(x: first.x, y: first.y)
            for point in points.dropFirst() { line(x: point.x, y: point.y) }
            if isClosed { closePath() }
        }

        package func curve(near: (Double, Double), far: (Double, Double), to end: (Double, Double)) {
            cairo_curve_to(context, near.0, near.1, far.0, far.1, end.0, end.1)
        }

        package func rectangle(x: Double, y: Double, width: Double, height: Double, radius: Double = 0) {
            guard radius > 0 else { return cairo_rectangle(context, x, y, width, height) }
            cairo_new_sub_path(context)
            let (right, bottom) = (x + width - radius, y + height - radius)
            cairo_arc(context, right, y + radius, radius, -.pi / 2, 0)
            cairo_arc(context, right, bottom, radius, 0, .pi / 2)
            cairo_arc(context, x + radius, bottom, radius, .pi / 2, .pi)
            cairo_arc(context, x + radius, y + radius, radius, .pi, 1.5 * .pi)
            closePath()
        }

        package func circle(x: Double, y: Double, radius: Double) {
            cairo_new_sub_path(context)
            cairo_arc(context, x, y, radius, 0, 2 * .pi)
        }

        /// A part of a circle, from one angle to another, clockwise, in turns from the right.
        package func arc(x: Double, y: Double, radius: Double, from start: Double, to end: Double) {
            cairo_new_sub_path(context)
            cairo_arc(context, x, y, radius, start * 2 * .pi, end * 2 * .pi)
        }

        // MARK: What is done with it

        package func fill() { cairo_fill(context) }
        /// Fills what an odd number of the path's parts cover.
        package func fillEvenOdd() {
            cairo_set_fill_rule(context, CAIRO_FILL_RULE_EVEN_ODD)
            cairo_fill(context)
            cairo_set_fill_rule(context, CAIRO_FILL_RULE_WINDING)
        }
        /// Fills the path with its corners made round, by as much as it grows.
        package func fillRounded(by radius: Double) {
            cairo_set_line_width(context, 2 * radius)
            cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
            cairo_fill_preserve(context)
            cairo_stroke(context)
        }
        package func stroke(width: Double) {
            cairo_set_line_width(context, width)
            cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
            cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
            cairo_stroke(context)
        }
        package func clip() { cairo_clip(context) }

        // MARK: Where things are

        /// Draws something with another origin, scale and clip, which end with it.
        package func group(_ draw: () -> Void) {
            cairo_save(context)
            draw()
            cairo_restore(context)
        }
        /// Draws something that is put on the canvas as a whole. What is drawn after the call that it is given is cut
        /// out of what was drawn before.
        package func layer(_ draw: (_ cutting: () -> Void) -> Void) {
            group {
                cairo_push_group(context)
                color(ink)
                draw { cairo_set_operator(context, CAIRO_OPERATOR_DEST_OUT) }
                cairo_pop_group_to_source(context)
                cairo_paint(context)
            }
        }
        package func translate(x: Double, y: Double) { cairo_translate(context, x, y) }
        package func scale(_ factor: Double) { cairo_scale(context, factor, factor) }
        /// Turns what follows, in turns clockwise.
        package func rotate(turns: Double) { cairo_rotate(context, turns * 2 * .pi) }
    }
#endif
