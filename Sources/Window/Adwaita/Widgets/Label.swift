#if canImport(CAdwaita)
    import CAdwaita

    /// Text on the screen, as it is: nothing in it is taken for markup, and no hyphen is put in where a line breaks.
    @MainActor
    package final class Label: Widget {
        /// A part of a text in one look.
        package struct Run: Hashable, Sendable {
            package var text: String
            package var isStrong: Bool
            package var isDim: Bool
            package var isMonospaced: Bool

            package init(_ text: String, isStrong: Bool = false, isDim: Bool = false, isMonospaced: Bool = false) {
                (self.text, self.isStrong, self.isDim, self.isMonospaced) = (text, isStrong, isDim, isMonospaced)
            }
        }

        /// How lines that are too long are broken.
        package enum Wrap {
            /// Not at all: the label is as wide as its longest line.
            case never
            /// Between words, and within those that are wider than a line.
            case words
            /// Anywhere.
            case anywhere
        }

        package convenience init(_ text: String, wrap: Wrap = .words) { self.init([Run(text)], wrap: wrap) }

        package init(_ runs: [Run], wrap: Wrap = .words) {
            super.init(new: gtk_label_new(nil)?.opaque)
            gtk_label_set_use_markup(pointer, 0)
            gtk_label_set_use_underline(pointer, 0)
            gtk_label_set_xalign(pointer, 0)
            if wrap != .never {
                gtk_label_set_wrap(pointer, 1)
                gtk_label_set_wrap_mode(pointer, wrap == .anywhere ? PANGO_WRAP_CHAR : PANGO_WRAP_WORD_CHAR)
                measure(by: Wrapping(of: pointer))
            }
            set(runs)
        }

        package var text: String { String(cString: gtk_label_get_text(pointer)) }

        package func set(_ text: String) { set([Run(text)]) }

        package func set(_ runs: [Run]) {
            // A zero would end the text for the library.
            gtk_label_set_text(pointer, runs.map(\.text).joined().replacing("\0", with: "\u{fffd}"))
            let attributes = pango_attr_list_new()
            pango_attr_list_insert(attributes, pango_attr_insert_hyphens_new(0))
            var start = 0
            for run in runs {
                let end = start + run.text.replacing("\0", with: "\u{fffd}").utf8.count
                var looks: [UnsafeMutablePointer<PangoAttribute>?] = []
                if run.isStrong { looks.append(pango_attr_weight_new(PANGO_WEIGHT_BOLD)) }
                if run.isDim { looks.append(pango_attr_foreground_alpha_new(UInt16.max / 100 * 60)) }
                if run.isMonospaced { looks.append(pango_attr_family_new("monospace")) }
                for case let look? in looks {
                    (look.pointee.start_index, look.pointee.end_index) = (guint(start), guint(end))
                    pango_attr_list_insert(attributes, look)
                }
                start = end
            }
            gtk_label_set_attributes(pointer, attributes)
            pango_attr_list_unref(attributes)
            (measuring as? Wrapping)?.forget()
        }

        /// Where lines begin: 0 left, 0.5 in the middle, 1 right.
        package func justify(_ place: Float) {
            gtk_label_set_xalign(pointer, place)
            gtk_label_set_justify(
                pointer, place == 0.5 ? GTK_JUSTIFY_CENTER : place > 0.5 ? GTK_JUSTIFY_RIGHT : GTK_JUSTIFY_LEFT)
        }

        /// Cuts what takes more lines, with three dots; only for what is said in full elsewhere.
        package func limit(lines: Int) {
            gtk_label_set_ellipsize(pointer, PANGO_ELLIPSIZE_END)
            gtk_label_set_lines(pointer, gint(lines))
        }
    }

    /// Measures text that wraps, in the place of the library. That sets it anew for each width at which it is asked,
    /// and first with a line for every sign, to find how narrow it could be: a page with three keys shaped nine
    /// thousand pieces of text. This one sets a text once, and once more where it does not fit on a line.
    @MainActor
    private final class Wrapping: Measuring {
        /// The label, which has this and is there as long as it is asked.
        private let label: OpaquePointer
        /// The size of all of it on one line.
        private var line: (width: Int, height: Int)?
        /// The last height that was asked for, with its width.
        private var last: (width: Int, height: Int)?
        /// The width that the label has; nil where it gets another one before it is drawn.
        private var allocated: Int?
        /// Another number means that the face has changed.
        private var serial: UInt32 = 0

        /// Pixels that a label has at the least. Words are broken where they do not fit.
        private static let leastWidth = 60

        init(of label: OpaquePointer) { self.label = label }

        /// The text is another one.
        func forget() { (line, last, allocated) = (nil, nil, nil) }

        private var layout: OpaquePointer? {
            let layout = gtk_label_get_layout(label)
            let now = pango_context_get_serial(pango_layout_get_context(layout))
            if now != serial { forget() }
            serial = now
            return layout
        }

        /// The size of the text at a width; negative for one line. What is drawn now stays as it is.
        private func size(at width: Int, of layout: OpaquePointer?) -> (width: Int, height: Int) {
            let copy = allocated == nil ? nil : Object(new: pango_layout_copy(layout))
            let measured = copy?.pointer ?? layout
            pango_layout_set_width(measured, width < 0 ? -1 : Int32(clamping: width * Int(PANGO_SCALE)))
            var (wide, high) = (Int32(0), Int32(0))
            pango_layout_get_size(measured, &wide, &high)
            return withExtendedLifetime(copy) { (Self.pixels(wide), Self.pixels(high)) }
        }

        private static func pixels(_ units: Int32) -> Int { (Int(units) + Int(PANGO_SCALE) - 1) / Int(PANGO_SCALE) }

        private func line(of layout: OpaquePointer?) -> (width: Int, height: Int) {
            if let line { return line }
            let size = size(at: -1, of: layout)
            line = size
            return size
        }

        var widths: (least: Int, natural: Int) {
            let natural = line(of: layout).width
            return (min(natural, Self.leastWidth), natural)
        }

        func height(in width: Int) -> Int {
            let layout = layout
            let line = line(of: layout)
            guard width < line.width else { return line.height }
            if let last, last.width == width { return last.height }
            let height = size(at: width, of: layout).height
            last = (width, height)
            return height
        }

        func allocate(width: Int) {
            let layout = layout
            let fits = width >= line(of: layout).width
            pango_layout_set_width(layout, fits ? -1 : Int32(clamping: width * Int(PANGO_SCALE)))
            allocated = width
        }
    }
#endif
