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
        /// Gives the keys to the first widget in it that takes them.
        @discardableResult
        package func focusFirst() -> Bool { gtk_widget_child_focus(raw, GTK_DIR_TAB_FORWARD) != 0 }
        @discardableResult package func grabFocus() -> Bool { gtk_widget_grab_focus(raw) != 0 }

        package var isMapped: Bool { gtk_widget_get_mapped(raw) != 0 }
        package var width: Int { Int(gtk_widget_get_width(raw)) }
        package var height: Int { Int(gtk_widget_get_height(raw)) }
        /// Pixels of the screen in one of the window's.
        package var scaleFactor: Int { Int(gtk_widget_get_scale_factor(raw)) }

        /// The pixels that it cannot be narrower than.
        package var minimumWidth: Int {
            var minimum: Int32 = 0
            gtk_widget_measure(raw, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, nil, nil, nil)
            return Int(minimum)
        }

        /// The pixels that it cannot be lower than where it has so many of width, or as many as it needs.
        package func minimumHeight(in width: Int) -> Int {
            var minimum: Int32 = 0
            let width = Int32(max(width, minimumWidth))
            gtk_widget_measure(raw, GTK_ORIENTATION_VERTICAL, width, &minimum, nil, nil, nil)
            return Int(minimum)
        }

        /// The widgets in it, from the first.
        package var children: [Widget] {
            var children: [Widget] = []
            var child = gtk_widget_get_first_child(raw)
            while let here = child {
                children.append(Widget(borrowed: here.opaque))
                child = gtk_widget_get_next_sibling(here)
            }
            return children
        }

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

        package var marginStart: Int {
            get { Int(gtk_widget_get_margin_start(raw)) }
            set { gtk_widget_set_margin_start(raw, Int32(newValue)) }
        }

        package var marginTop: Int {
            get { Int(gtk_widget_get_margin_top(raw)) }
            set { gtk_widget_set_margin_top(raw, Int32(newValue)) }
        }

        /// The same widget in the middle of a line.
        package func centered() -> Self {
            align(vertically: .center)
            return self
        }

        /// Plain words that are shown where the pointer rests.
        package var tooltip: String? {
            get { gtk_widget_get_tooltip_text(raw).map { String(cString: $0) } }
            set { gtk_widget_set_tooltip_text(raw, newValue) }
        }

        /// Whether pointer and keys come to it and to all in it; what is told to assistive technology goes along.
        package var isReachable: Bool {
            get { gtk_widget_get_can_target(raw) != 0 }
            set {
                gtk_widget_set_can_target(raw, newValue ? 1 : 0)
                gtk_widget_set_can_focus(raw, newValue ? 1 : 0)
                setState(GTK_ACCESSIBLE_STATE_HIDDEN, .bool(!newValue))
            }
        }

        package func addClass(_ name: String) { gtk_widget_add_css_class(raw, name) }
        package func removeClass(_ name: String) { gtk_widget_remove_css_class(raw, name) }
        package func setClass(_ name: String, _ isSet: Bool) { isSet ? addClass(name) : removeClass(name) }

        /// The name for tests and styles, and by which the focus is found again: with a blank in it. Nobody sees it.
        package var name: String {
            get { String(cString: gtk_widget_get_name(raw)) }
            set { gtk_widget_set_name(raw, newValue) }
        }

        package func queueDraw() { gtk_widget_queue_draw(raw) }

        package func add(_ controller: Controller) {
            // The widget takes over a reference.
            g_object_ref(UnsafeMutableRawPointer(controller.pointer))
            gtk_widget_add_controller(raw, controller.pointer)
        }

        // MARK: What assistive technology is told

        /// What assistive technology takes it for, before it was shown for the first time.
        package enum Role { case textBox, picture, group, button, dialog, alert, label }

        package func setAccessible(role: Role) {
            var value = GValue()
            g_value_init(&value, gtk_accessible_role_get_type())
            defer { g_value_unset(&value) }
            let number =
                switch role {
                case .textBox: GTK_ACCESSIBLE_ROLE_TEXT_BOX
                case .picture: GTK_ACCESSIBLE_ROLE_IMG
                case .group: GTK_ACCESSIBLE_ROLE_GROUP
                case .button: GTK_ACCESSIBLE_ROLE_BUTTON
                case .dialog: GTK_ACCESSIBLE_ROLE_DIALOG
                case .alert: GTK_ACCESSIBLE_ROLE_ALERT_DIALOG
                case .label: GTK_ACCESSIBLE_ROLE_LABEL
                }
            g_value_set_enum(&value, gint(number.rawValue))
            g_object_set_property(typed(), "accessible-role", &value)
        }

        package func setAccessible(name: String) { setAccessible(GTK_ACCESSIBLE_PROPERTY_LABEL, .string(name)) }

        package func setAccessible(description: String) {
            setAccessible(GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, .string(description))
        }

        package func setAccessible(isExpanded: Bool) {
            // Three answers are possible, so that it is a number.
            setState(GTK_ACCESSIBLE_STATE_EXPANDED, .int(isExpanded ? 1 : 0))
        }

        private func setState(_ state: GtkAccessibleState, _ value: Value) {
            var state = state
            value.withGValue { gtk_accessible_update_state_value(pointer, 1, &state, $0) }
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
