#if canImport(CAdwaita)
    import CAdwaita

    /// Something on the screen.
    @MainActor
    package class Widget: Object {
        package enum Align { case fill, start, center, end }

        /// Lends the widget to a call. What was made in the list of arguments is still there when the call is done; a
        /// pointer taken out of it need not be.
        package func use<Answer>(_ body: (UnsafeMutablePointer<GtkWidget>) -> Answer) -> Answer {
            withExtendedLifetime(self) { body(typed()) }
        }

        private var raw: UnsafeMutablePointer<GtkWidget> { typed() }

        package var isVisible: Bool {
            get { gtk_widget_get_visible(raw) != 0 }
            set { gtk_widget_set_visible(raw, newValue ? 1 : 0) }
        }

        /// Whether it answers to anything.
        package var isSensitive: Bool {
            get { gtk_widget_get_sensitive(raw) != 0 }
            set { gtk_widget_set_sensitive(raw, newValue ? 1 : 0) }
        }

        package var isFocusable: Bool {
            get { gtk_widget_get_focusable(raw) != 0 }
            set { gtk_widget_set_focusable(raw, newValue ? 1 : 0) }
        }

        package var hasFocus: Bool { gtk_widget_has_focus(raw) != 0 }
        /// Whether it or something in it has the keys.
        package var containsFocus: Bool { gtk_widget_get_focus_child(raw) != nil || hasFocus }
        @discardableResult package func grabFocus() -> Bool { gtk_widget_grab_focus(raw) != 0 }

        package var isMapped: Bool { gtk_widget_get_mapped(raw) != 0 }
        package var width: Int { Int(gtk_widget_get_width(raw)) }
        package var height: Int { Int(gtk_widget_get_height(raw)) }
        /// Pixels of the screen in one of the window's.
        package var scaleFactor: Int { Int(gtk_widget_get_scale_factor(raw)) }

        /// The least it takes up, in pixels; -1 leaves it to the widget.
        package func request(width: Int = -1, height: Int = -1) {
            gtk_widget_set_size_request(raw, Int32(width), Int32(height))
        }

        package func expand(horizontally: Bool? = nil, vertically: Bool? = nil) {
            if let horizontally { gtk_widget_set_hexpand(raw, horizontally ? 1 : 0) }
            if let vertically { gtk_widget_set_vexpand(raw, vertically ? 1 : 0) }
        }

        package func align(horizontally: Align? = nil, vertically: Align? = nil) {
            if let horizontally { gtk_widget_set_halign(raw, horizontally.library) }
            if let vertically { gtk_widget_set_valign(raw, vertically.library) }
        }

        package func margins(_ all: Int) { margins(horizontal: all, vertical: all) }

        package func margins(horizontal: Int, vertical: Int) {
            gtk_widget_set_margin_start(raw, Int32(horizontal))
            gtk_widget_set_margin_end(raw, Int32(horizontal))
            gtk_widget_set_margin_top(raw, Int32(vertical))
            gtk_widget_set_margin_bottom(raw, Int32(vertical))
        }

        package func addClass(_ name: String) { gtk_widget_add_css_class(raw, name) }
        package func removeClass(_ name: String) { gtk_widget_remove_css_class(raw, name) }
        package func setClass(_ name: String, _ isSet: Bool) { isSet ? addClass(name) : removeClass(name) }

        /// The name for tests and styles; nothing that people see.
        package var name: String {
            get { String(cString: gtk_widget_get_name(raw)) }
            set { gtk_widget_set_name(raw, newValue) }
        }

        package func queueDraw() { gtk_widget_queue_draw(raw) }

        /// Takes it out of what it is in.
        package func unparent() { gtk_widget_unparent(raw) }

        package func add(_ controller: Controller) {
            // The widget takes over a reference.
            g_object_ref(UnsafeMutableRawPointer(controller.pointer))
            gtk_widget_add_controller(raw, controller.pointer)
        }

        // MARK: What assistive technology is told

        package func setAccessible(name: String) { setAccessible(GTK_ACCESSIBLE_PROPERTY_LABEL, .string(name)) }

        package func setAccessible(description: String) {
            setAccessible(GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, .string(description))
        }

        private func setAccessible(_ property: GtkAccessibleProperty, _ value: Value) {
            var property = property
            value.withGValue { gtk_accessible_update_property_value(pointer, 1, &property, $0) }
        }
    }

    extension Widget.Align {
        fileprivate var library: GtkAlign {
            switch self {
            case .fill: GTK_ALIGN_FILL
            case .start: GTK_ALIGN_START
            case .center: GTK_ALIGN_CENTER
            case .end: GTK_ALIGN_END
            }
        }
    }
#endif
