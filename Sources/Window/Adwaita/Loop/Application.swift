#if canImport(CAdwaita)
    import CAdwaita

    /// A program with windows. It has no name on the bus of the session: nobody else is told of it, and nobody can send
    /// it actions.
    @MainActor
    package final class Application: Object {
        /// - Parameter name: What the window's shell knows it by, such as `org.example.Program`.
        package init(name: String) {
            g_set_prgname(name)
            super.init(new: adw_application_new(nil, G_APPLICATION_NON_UNIQUE)?.opaque)
        }

        /// Starts, shows what `start` makes, and returns when all windows are closed or after ``quit()``. Called on
        /// the main thread, outside of any task. No widget may be made before `start`.
        package func run(_ start: @escaping @MainActor (Application) -> Void) -> Int32 {
            MainLoop.attach()
            on("activate") { [unowned self] _ in
                Inspector.close()
                start(self)
            }
            return g_application_run(typed(), 0, nil)
        }

        package func quit() { g_application_quit(typed()) }

        /// Keeps the screen from going dark until the number that is returned is given back; 0 where nobody can.
        package func keepAwake(_ window: Window, why: String) -> UInt32 {
            gtk_application_inhibit(typed(), window.typed(), GTK_APPLICATION_INHIBIT_IDLE, why)
        }

        package func mayGoDark(_ number: UInt32) { if number != 0 { gtk_application_uninhibit(typed(), number) } }
    }

    /// A window of the program.
    @MainActor
    package class Window: Widget {
        /// - Parameter size: The width and height in pixels before anybody changes them.
        package init(of application: Application, title: String, size: (width: Int, height: Int)) {
            // A window belongs to the library until it is destroyed; this is one more reference.
            guard let window = adw_window_new() else { preconditionFailure("the library has made no window") }
            super.init(borrowed: window.opaque)
            gtk_window_set_application(typed(), application.typed())
            gtk_window_set_default_size(typed(), Int32(size.width), Int32(size.height))
            self.title = title
            rememberKeys()
        }

        package var title: String {
            get { gtk_window_get_title(typed()).map { String(cString: $0) } ?? "" }
            set { gtk_window_set_title(typed(), newValue) }
        }

        package var isActive: Bool { gtk_window_is_active(typed()) != 0 }

        /// Tells when it gets the keys, and when another window has them.
        package func onActive(_ run: @escaping @MainActor (Bool) -> Void) {
            on("notify::is-active") { [pointer] _ in run(gtk_window_is_active(UnsafeMutablePointer(pointer)) != 0) }
        }

        package func setContent(_ content: Widget) { content.use { adw_window_set_content(typed(), $0) } }
        package func present() { gtk_window_present(typed()) }
        package func fullscreen() { gtk_window_fullscreen(typed()) }
        /// Closes it; its widgets go with it.
        package func destroy() { gtk_window_destroy(typed()) }

        /// The name of the widget that has the keys, or of the next one around it that was given a name.
        package var focusedName: String? {
            var widget = gtk_window_get_focus(typed())
            while let here = widget {
                let name = String(cString: gtk_widget_get_name(here))
                // Without a name of its own, a widget has that of its class.
                if name.contains(" ") { return name }
                widget = gtk_widget_get_parent(here)
            }
            return nil
        }

        /// Gives the keys to the widget of the name; false where there is none that takes them.
        package func focus(named name: String) -> Bool {
            func search(_ widget: UnsafeMutablePointer<GtkWidget>) -> Bool {
                if String(cString: gtk_widget_get_name(widget)) == name { return gtk_widget_grab_focus(widget) != 0 }
                var child = gtk_widget_get_first_child(widget)
                while let here = child {
                    if search(here) { return true }
                    child = gtk_widget_get_next_sibling(here)
                }
                return false
            }
            return search(typed())
        }
    }

    /// The library's own tool that shows all widgets and runs what is typed into it, at a chord of keys in any window.
    @MainActor
    private enum Inspector {
        /// Takes away what opens it, for each kind of window: the library's dialogs are windows, too, which nobody here
        /// makes.
        static func close() {
            let windows = gtk_window_get_type()
            // The signal is there with the class.
            g_type_class_unref(g_type_class_ref(windows))
            let answer: @convention(c) (OpaquePointer?, gboolean) -> gboolean = { _, _ in 1 }
            g_signal_override_class_handler("enable-debugging", windows, unsafeBitCast(answer, to: GCallback.self))
        }
    }
#endif
