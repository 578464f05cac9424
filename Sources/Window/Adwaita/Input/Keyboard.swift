#if canImport(CAdwaita)
    import CAdwaita

    /// The keyboard of the person.
    @MainActor
    package enum Keyboard {
        /// Whether what is typed comes in capitals.
        package static var isCapsLocked: Bool {
            guard let display = gdk_display_get_default(), let seat = gdk_display_get_default_seat(display),
                let keyboard = gdk_seat_get_keyboard(seat)
            else { return false }
            return gdk_device_get_caps_lock_state(keyboard) != 0
        }
    }

    extension Key {
        /// One forward or back, for the arrows; nil for other keys.
        package var step: Int? {
            switch Int32(symbol) {
            case GDK_KEY_Right, GDK_KEY_Down, GDK_KEY_KP_Right, GDK_KEY_KP_Down: 1
            case GDK_KEY_Left, GDK_KEY_Up, GDK_KEY_KP_Left, GDK_KEY_KP_Up: -1
            default: nil
            }
        }
    }

    extension Widget {
        /// Tells whether the keys are another window's once it is on the screen, and when that changes.
        package func onBackdrop(_ run: @escaping @MainActor (Bool) -> Void) {
            let backdrop = Backdrop(run)
            on("state-flags-changed") { [pointer] _ in
                let flags = gtk_widget_get_state_flags(UnsafeMutablePointer(pointer)).rawValue
                backdrop.isDrawnBehind = flags & GTK_STATE_FLAG_BACKDROP.rawValue != 0
            }
            on("map") { [pointer] _ in backdrop.enter(gtk_widget_get_root(UnsafeMutablePointer(pointer))) }
            on("unmap") { _ in backdrop.leave() }
        }
    }

    extension Window {
        private static let mark = "casemate-had-keys"

        /// Keeps in mind that it has had the keys. What comes onto it while another window has them was not there when
        /// they went.
        func rememberKeys() {
            on("notify::is-active") { [pointer] _ in
                guard gtk_window_is_active(UnsafeMutablePointer(pointer)) != 0 else { return }
                g_object_set_data(UnsafeMutablePointer(pointer), Window.mark, UnsafeMutableRawPointer(bitPattern: 1))
            }
        }

        fileprivate static func hadKeys(_ window: OpaquePointer) -> Bool {
            g_object_get_data(UnsafeMutablePointer(window), mark) != nil
        }
    }

    /// Whether a widget's window is behind another one: either it is drawn so, which is for the window manager to say,
    /// or it had the keys and has them no more. Where nobody manages windows, and where there is no keyboard, only one
    /// of the two is told.
    @MainActor
    private final class Backdrop {
        private let tell: @MainActor (Bool) -> Void
        /// What was told; nil for a widget that is not on the screen yet, or again.
        private var isBehind: Bool?
        private var window: (object: Object, connection: Connection)?
        private var hasLostKeys = false
        var isDrawnBehind = false { didSet { look() } }

        init(_ tell: @escaping @MainActor (Bool) -> Void) { self.tell = tell }

        func enter(_ root: OpaquePointer?) {
            guard window == nil, let root else { return }
            let object = Object(borrowed: root)
            let connection = object.on("notify::is-active") { [weak self] _ in self?.keysMoved(of: root) }
            window = (object, connection)
            keysMoved(of: root)
        }

        func leave() {
            window.map { $0.object.disconnect($0.connection) }
            (window, hasLostKeys, isBehind) = (nil, false, nil)
        }

        private func keysMoved(of window: OpaquePointer) {
            hasLostKeys = gtk_window_is_active(UnsafeMutablePointer(window)) == 0 && Window.hadKeys(window)
            look()
        }

        private func look() {
            let isNow = isDrawnBehind || hasLostKeys
            guard isNow != isBehind else { return }
            isBehind = isNow
            tell(isNow)
        }
    }
#endif
