#if canImport(CAdwaita)
    import CAdwaita

    /// What hears of keys and pointers for a widget.
    @MainActor
    package class Controller: Object {
        /// Hears of things before the widgets inside do.
        package func hearFirst() { gtk_event_controller_set_propagation_phase(pointer, GTK_PHASE_CAPTURE) }
        /// Hears of things only where no widget inside has dealt with them.
        package func hearLast() { gtk_event_controller_set_propagation_phase(pointer, GTK_PHASE_BUBBLE) }
    }

    /// A key that is pressed.
    package struct Key: Hashable, Sendable {
        /// The number of the sign on it, as X11 has them (`GDK_KEY_…`).
        package var symbol: UInt32
        /// The number of the key on the keyboard, whatever is written with it.
        package var code: UInt32
        /// Whether Control, Alt or Super is held.
        package var isChord: Bool
        package var isShifted: Bool

        /// The sign that it writes; nil for keys that write none.
        package var character: Unicode.Scalar? {
            let value = gdk_keyval_to_unicode(symbol)
            return value < 0x20 || value == 0x7f ? nil : Unicode.Scalar(value)
        }

        package var isEnter: Bool {
            [UInt32(GDK_KEY_Return), UInt32(GDK_KEY_KP_Enter), UInt32(GDK_KEY_ISO_Enter)].contains(symbol)
        }
        package var isSpace: Bool { [UInt32(GDK_KEY_space), UInt32(GDK_KEY_KP_Space)].contains(symbol) }
        package var isPageDown: Bool { [UInt32(GDK_KEY_Page_Down), UInt32(GDK_KEY_KP_Page_Down)].contains(symbol) }
        package var isPageUp: Bool { [UInt32(GDK_KEY_Page_Up), UInt32(GDK_KEY_KP_Page_Up)].contains(symbol) }
        package var isHome: Bool { [UInt32(GDK_KEY_Home), UInt32(GDK_KEY_KP_Home)].contains(symbol) }
        package var isEnd: Bool { [UInt32(GDK_KEY_End), UInt32(GDK_KEY_KP_End)].contains(symbol) }
        /// Whether it moves a page, and does nothing else.
        package var scrolls: Bool { isPageDown || isPageUp || isHome || isEnd }
        package var isEscape: Bool { symbol == UInt32(GDK_KEY_Escape) }
        package var isBackspace: Bool { symbol == UInt32(GDK_KEY_BackSpace) }
    }

    /// Hears of keys while its widget, or one inside, has the focus.
    @MainActor
    package final class KeyController: Controller {
        package init() { super.init(new: gtk_event_controller_key_new()) }

        /// Does something for each key that goes down, again and again while it is held; true where it was dealt with.
        package func onPress(_ run: @escaping @MainActor (Key) -> Bool) {
            decide("key-pressed") { run(Key($0)) }
        }

        package func onRelease(_ run: @escaping @MainActor (Key) -> Void) { on("key-released") { run(Key($0)) } }
    }

    /// Hears of a pointer that moves over its widget.
    @MainActor
    package final class MotionController: Controller {
        package init() { super.init(new: gtk_event_controller_motion_new()) }
        package func onMove(_ run: @escaping @MainActor () -> Void) { on("motion") { _ in run() } }
    }

    /// Hears of the focus coming and going.
    @MainActor
    package final class FocusController: Controller {
        package init() { super.init(new: gtk_event_controller_focus_new()) }
        package func onEnter(_ run: @escaping @MainActor () -> Void) { on("enter") { _ in run() } }
        package func onLeave(_ run: @escaping @MainActor () -> Void) { on("leave") { _ in run() } }
    }

    /// Hears of the first button of a pointer, or of a finger.
    @MainActor
    package final class ClickGesture: Controller {
        package init() {
            super.init(new: gtk_gesture_click_new())
            gtk_gesture_single_set_button(pointer, guint(GDK_BUTTON_PRIMARY))
        }

        /// Takes the place within the widget, in pixels.
        package func onPress(_ run: @escaping @MainActor (_ x: Double, _ y: Double) -> Void) {
            on("pressed") { run($0.double(1), $0.double(2)) }
        }

        package func onRelease(_ run: @escaping @MainActor (_ x: Double, _ y: Double) -> Void) {
            on("released") { run($0.double(1), $0.double(2)) }
        }

        /// Does something when the press ends otherwise: the pointer was taken away, or another gesture has won.
        package func onCancel(_ run: @escaping @MainActor () -> Void) {
            on("cancel") { _ in run() }
            on("unpaired-release") { _ in run() }
        }

        /// Takes where the pointer is while it is held, in pixels from the widget's corner.
        package func onMove(_ run: @escaping @MainActor (_ x: Double, _ y: Double) -> Void) {
            on("update") { [unowned self] _ in
                var (x, y) = (0.0, 0.0)
                if gtk_gesture_get_point(pointer, nil, &x, &y) != 0 { run(x, y) }
            }
        }

        /// Keeps the press from all others who wait for it.
        package func claim() { gtk_gesture_set_state(pointer, GTK_EVENT_SEQUENCE_CLAIMED) }
    }

    extension Key {
        @MainActor
        fileprivate init(_ signal: Signal) {
            let state = signal.flags(2)
            let chords = GDK_CONTROL_MASK.rawValue | GDK_ALT_MASK.rawValue | GDK_SUPER_MASK.rawValue
            self.init(
                symbol: signal.unsigned(0), code: signal.unsigned(1), isChord: state & chords != 0,
                isShifted: state & GDK_SHIFT_MASK.rawValue != 0)
        }
    }
#endif
