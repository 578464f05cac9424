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
        /// Tells when the keys are another window's, and when its own has them again.
        package func onBackdrop(_ run: @escaping @MainActor (Bool) -> Void) {
            on("state-flags-changed") { [pointer] signal in
                let now = gtk_widget_get_state_flags(UnsafeMutablePointer(pointer)).rawValue
                let backdrop = GTK_STATE_FLAG_BACKDROP.rawValue
                if (signal.flags(0) ^ now) & backdrop != 0 { run(now & backdrop != 0) }
            }
        }
    }
#endif
