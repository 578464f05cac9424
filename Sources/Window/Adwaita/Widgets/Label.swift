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

        /// Signs that fit a line of a long text at the least. Without this, the library measures texts with a line for
        /// every sign of it, which takes longer than all else that it does to show a page.
        private static let leastLine = 8

        package convenience init(_ text: String, wrap: Wrap = .words) { self.init([Run(text)], wrap: wrap) }

        package init(_ runs: [Run], wrap: Wrap = .words) {
            super.init(new: gtk_label_new(nil)?.opaque)
            gtk_label_set_use_markup(pointer, 0)
            gtk_label_set_use_underline(pointer, 0)
            gtk_label_set_xalign(pointer, 0)
            if wrap != .never {
                gtk_label_set_wrap(pointer, 1)
                gtk_label_set_wrap_mode(pointer, wrap == .anywhere ? PANGO_WRAP_CHAR : PANGO_WRAP_WORD_CHAR)
                gtk_label_set_natural_wrap_mode(pointer, GTK_NATURAL_WRAP_NONE)
            }
            set(runs)
        }

        package var text: String { String(cString: gtk_label_get_text(pointer)) }

        package func set(_ text: String) { set([Run(text)]) }

        package func set(_ runs: [Run]) {
            // A zero would end the text for the library.
            let count = runs.reduce(0) { $0 + $1.text.unicodeScalars.count }
            let isLong = gtk_label_get_wrap(pointer) != 0 && count >= 3 * Self.leastLine
            gtk_label_set_width_chars(pointer, isLong ? gint(Self.leastLine) : -1)
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
        }

        /// Where lines begin: 0 left, 0.5 in the middle, 1 right.
        package func justify(_ place: Float) {
            gtk_label_set_xalign(pointer, place)
            gtk_label_set_justify(
                pointer, place == 0.5 ? GTK_JUSTIFY_CENTER : place > 0.5 ? GTK_JUSTIFY_RIGHT : GTK_JUSTIFY_LEFT)
        }

        /// Cuts a line that is too long, with three dots; only for what is said in full elsewhere.
        package func ellipsize() {
            gtk_label_set_wrap(pointer, 0)
            gtk_label_set_ellipsize(pointer, PANGO_ELLIPSIZE_END)
        }
    }
#endif
