#if canImport(CAdwaita)
    import CAdwaita

    /// What the window stands on.
    package enum Toolkit {
        /// Looks for a screen, before anything is shown.
        ///
        /// - Returns: whether there is one.
        @MainActor
        package static func start() -> Bool { gtk_init_check() != 0 }

        /// Whether other programs of the screen can see windows and keys: those of X11.
        @MainActor
        package static var isSeenByOthers: Bool {
            guard let display = gdk_display_get_default() else { return false }
            return g_type_name_from_instance(display.instance).map { String(cString: $0) } == "GdkX11Display"
        }
    }

    extension OpaquePointer {
        fileprivate var instance: UnsafeMutablePointer<GTypeInstance> { UnsafeMutablePointer(self) }
    }
#endif
