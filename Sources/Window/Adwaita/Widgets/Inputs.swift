#if canImport(CAdwaita)
    import CAdwaita

    /// A line of text that is typed, and is no secret.
    @MainActor
    package final class Entry: Widget {
        package init(_ text: String = "", name: String) {
            super.init(new: gtk_entry_new()?.opaque)
            gtk_entry_set_input_hints(
                typed(), GtkInputHints(GTK_INPUT_HINT_NO_SPELLCHECK.rawValue | GTK_INPUT_HINT_NO_EMOJI.rawValue))
            self.text = text
            setAccessible(name: name)
        }

        package var text: String {
            get { gtk_editable_get_text(pointer).map { String(cString: $0) } ?? "" }
            set { gtk_editable_set_text(pointer, newValue) }
        }

        @discardableResult
        package func onChange(_ run: @escaping @MainActor () -> Void) -> Connection { on("changed") { _ in run() } }
        package func onEnter(_ run: @escaping @MainActor () -> Void) { on("activate") { _ in run() } }
    }

    /// Yes or no.
    @MainActor
    package final class Switch: Widget {
        package init(_ isOn: Bool, name: String) {
            super.init(new: gtk_switch_new()?.opaque)
            self.isOn = isOn
            setAccessible(name: name)
        }

        package var isOn: Bool {
            get { gtk_switch_get_active(pointer) != 0 }
            set { gtk_switch_set_active(pointer, newValue ? 1 : 0) }
        }

        @discardableResult
        package func onChange(_ run: @escaping @MainActor () -> Void) -> Connection {
            on("notify::active") { _ in run() }
        }
    }

    /// A whole number within bounds.
    @MainActor
    package final class SpinButton: Widget {
        package init(_ number: Int, in bounds: ClosedRange<Int>, name: String) {
            super.init(
                new: gtk_spin_button_new_with_range(Double(bounds.lowerBound), Double(bounds.upperBound), 1)?.opaque)
            gtk_spin_button_set_numeric(pointer, 1)
            gtk_spin_button_set_value(pointer, Double(number))
            setAccessible(name: name)
        }

        package var number: Int {
            get {
                gtk_spin_button_update(pointer)
                return Int(gtk_spin_button_get_value_as_int(pointer))
            }
            set { gtk_spin_button_set_value(pointer, Double(newValue)) }
        }

        package func onEnter(_ run: @escaping @MainActor () -> Void) {
            guard let text = gtk_editable_get_delegate(pointer) else { return }
            Object(borrowed: text).on("activate") { _ in run() }
        }
    }

    /// A number that is chosen on a line.
    @MainActor
    package final class Scale: Widget {
        package init(_ number: Int, in bounds: ClosedRange<Int>, name: String) {
            super.init(
                new: gtk_scale_new_with_range(
                    GTK_ORIENTATION_HORIZONTAL, Double(bounds.lowerBound), Double(bounds.upperBound), 1)?.opaque)
            gtk_scale_set_draw_value(typed(), 0)
            gtk_range_set_value(typed(), Double(number))
            setAccessible(name: name)
        }

        package var number: Int {
            get { Int(gtk_range_get_value(typed())) }
            set { gtk_range_set_value(typed(), Double(newValue)) }
        }

        package func onChange(_ run: @escaping @MainActor () -> Void) { on("value-changed") { _ in run() } }
    }

    /// How far something has come.
    @MainActor
    package final class ProgressBar: Widget {
        package init(name: String) {
            super.init(new: gtk_progress_bar_new()?.opaque)
            setAccessible(name: name)
        }

        /// From 0 to 1.
        package var fraction: Double {
            get { gtk_progress_bar_get_fraction(pointer) }
            set { gtk_progress_bar_set_fraction(pointer, min(max(newValue, 0), 1)) }
        }
    }

    /// Turns while something is being done.
    @MainActor
    package final class Spinner: Widget {
        package init() { super.init(new: gtk_spinner_new()?.opaque) }

        package var isSpinning: Bool {
            get { gtk_spinner_get_spinning(pointer) != 0 }
            set { gtk_spinner_set_spinning(pointer, newValue ? 1 : 0) }
        }
    }
#endif
