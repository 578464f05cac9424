#if canImport(CAdwaita)
    import CAdwaita

    /// Something that is larger than its place, and can be moved in it from top to bottom.
    @MainActor
    package final class ScrolledWindow: Widget {
        package init(_ child: Widget, isHorizontal: Bool = false) {
            super.init(new: gtk_scrolled_window_new()?.opaque)
            gtk_scrolled_window_set_policy(
                pointer, isHorizontal ? GTK_POLICY_AUTOMATIC : GTK_POLICY_NEVER,
                isHorizontal ? GTK_POLICY_NEVER : GTK_POLICY_AUTOMATIC)
            setChild(child)
        }

        package func setChild(_ child: Widget) { child.use { gtk_scrolled_window_set_child(pointer, $0) } }

        private var adjustment: UnsafeMutablePointer<GtkAdjustment>? { gtk_scrolled_window_get_vadjustment(pointer) }

        /// Pixels from the top of what is inside to the top of what is seen.
        package var offset: Double {
            get { gtk_adjustment_get_value(adjustment) }
            set { gtk_adjustment_set_value(adjustment, newValue) }
        }

        /// Pixels that are seen, and that there are.
        package var extent: (seen: Double, all: Double) {
            (gtk_adjustment_get_page_size(adjustment), gtk_adjustment_get_upper(adjustment))
        }

        /// Does something when it was moved, or when it or what is inside changed its size.
        package func onMove(_ run: @escaping @MainActor () -> Void) {
            guard let adjustment else { return }
            let object = Object(borrowed: adjustment.opaque)
            object.on("value-changed") { _ in run() }
            object.on("changed") { _ in run() }
        }

        /// Lets it be as small as the least height of what is inside, up to a limit in pixels.
        package func grow(to height: Int) {
            gtk_scrolled_window_set_propagate_natural_height(pointer, 1)
            gtk_scrolled_window_set_max_content_height(pointer, Int32(height))
        }

        /// The pixels of what is inside that are seen at the least; -1 leaves it to the widget.
        package var leastHeight: Int {
            get { Int(gtk_scrolled_window_get_min_content_height(pointer)) }
            set { gtk_scrolled_window_set_min_content_height(pointer, Int32(newValue)) }
        }

        /// Whether it moves to what gets the keys.
        package var followsFocus: Bool {
            get { viewport.map { gtk_viewport_get_scroll_to_focus($0) != 0 } ?? false }
            set { viewport.map { gtk_viewport_set_scroll_to_focus($0, newValue ? 1 : 0) } }
        }

        private var viewport: OpaquePointer? { gtk_scrolled_window_get_child(pointer)?.opaque }
    }

    /// Keeps something from being wider than it reads well.
    @MainActor
    package final class Clamp: Widget {
        /// - Parameter width: The pixels it gives at the most.
        package init(_ child: Widget, width: Int) {
            super.init(new: adw_clamp_new()?.opaque)
            maximumWidth = width
            setChild(child)
        }

        package var maximumWidth: Int {
            get { Int(adw_clamp_get_maximum_size(pointer)) }
            set {
                adw_clamp_set_maximum_size(pointer, Int32(newValue))
                adw_clamp_set_tightening_threshold(pointer, Int32(newValue))
            }
        }

        package func setChild(_ child: Widget) { child.use { adw_clamp_set_child(pointer, $0) } }
    }

    /// Widgets over each other.
    @MainActor
    package final class Overlay: Widget {
        package init(_ child: Widget) {
            super.init(new: gtk_overlay_new()?.opaque)
            setChild(child)
        }

        package func setChild(_ child: Widget) { child.use { gtk_overlay_set_child(pointer, $0) } }

        /// - Parameter isMeasured: Whether all of it is at least as large as this one.
        package func add(over child: Widget, isMeasured: Bool = false) {
            child.use {
                gtk_overlay_add_overlay(pointer, $0)
                gtk_overlay_set_measure_overlay(pointer, $0, isMeasured ? 1 : 0)
            }
        }

        package func remove(over child: Widget) { child.use { gtk_overlay_remove_overlay(pointer, $0) } }
    }

    /// Something that is folded away and unfolds.
    @MainActor
    package final class Revealer: Widget {
        package init(_ child: Widget, isRevealed: Bool = false) {
            super.init(new: gtk_revealer_new()?.opaque)
            child.use { gtk_revealer_set_child(pointer, $0) }
            self.isRevealed = isRevealed
        }

        package var isRevealed: Bool {
            get { gtk_revealer_get_reveal_child(pointer) != 0 }
            set { gtk_revealer_set_reveal_child(pointer, newValue ? 1 : 0) }
        }
    }

    /// Two widgets beside each other where there is room for both, else the second alone.
    @MainActor
    package final class Leaflet: Widget {
        private let side: Widget

        package init(side: Widget, content: Widget) {
            self.side = side
            super.init(new: adw_leaflet_new()?.opaque)
            side.use { _ = adw_leaflet_append(pointer, $0) }
            content.use {
                _ = adw_leaflet_append(pointer, $0)
                adw_leaflet_set_visible_child(pointer, $0)
            }
            adw_leaflet_set_fold_threshold_policy(pointer, ADW_FOLD_THRESHOLD_POLICY_MINIMUM)
            adw_leaflet_set_can_navigate_back(pointer, 0)
            adw_leaflet_set_can_unfold(pointer, 1)
        }

        package var isFolded: Bool { adw_leaflet_get_folded(pointer) != 0 }

        package func onFold(_ run: @escaping @MainActor () -> Void) { on("notify::folded") { _ in run() } }
    }

    /// The bar at the top of a window, by which it is moved and closed.
    @MainActor
    package final class HeaderBar: Widget {
        package init(title: Widget) {
            super.init(new: adw_header_bar_new()?.opaque)
            title.use { adw_header_bar_set_title_widget(pointer, $0) }
        }

        package func start(_ child: Widget) { child.use { adw_header_bar_pack_start(pointer, $0) } }
        package func end(_ child: Widget) { child.use { adw_header_bar_pack_end(pointer, $0) } }
        package func remove(_ child: Widget) { child.use { adw_header_bar_remove(pointer, $0) } }

        /// Which buttons of the window it shows at its end: all that the desktop wants, or the one that closes it.
        package var showsAllButtons: Bool {
            get { adw_header_bar_get_decoration_layout(pointer) == nil }
            set { adw_header_bar_set_decoration_layout(pointer, newValue ? nil : ":close") }
        }

        package func hideButtons() {
            adw_header_bar_set_show_start_title_buttons(pointer, 0)
            adw_header_bar_set_show_end_title_buttons(pointer, 0)
        }
    }
#endif
