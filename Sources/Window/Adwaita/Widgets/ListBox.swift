#if canImport(CAdwaita)
    import CAdwaita

    /// Rows below each other, of which those that do something can be gone to by the arrow keys.
    @MainActor
    package final class ListBox: Widget {
        /// What pressing each row does.
        private final class Presses {
            var of: [OpaquePointer: @MainActor () -> Void] = [:]
        }

        private let presses = Presses()

        package init() {
            super.init(new: gtk_list_box_new()?.opaque)
            gtk_list_box_set_selection_mode(pointer, GTK_SELECTION_NONE)
            addClass("boxed-list")
            on("row-activated") { [presses] signal in signal.object(0).flatMap { presses.of[$0] }?() }
        }

        package func append(_ row: ListRow) { row.use { gtk_list_box_append(pointer, $0) } }

        /// What pressing a row of the list does; nil for rows that only say something.
        package func onPress(_ row: ListRow, _ run: (@MainActor () -> Void)?) {
            presses.of[row.pointer] = run
            row.becomePressable(run)
        }

        package func remove(_ row: ListRow) {
            presses.of[row.pointer] = nil
            row.use { gtk_list_box_remove(pointer, $0) }
        }
    }

    /// A row of a list.
    @MainActor
    package final class ListRow: Widget {
        package init(_ child: Widget) {
            super.init(new: gtk_list_box_row_new()?.opaque)
            setChild(child)
            gtk_list_box_row_set_activatable(typed(), 0)
            gtk_list_box_row_set_selectable(typed(), 0)
            isFocusable = false
        }

        package func setChild(_ child: Widget) { child.use { gtk_list_box_row_set_child(typed(), $0) } }

        /// Rows have no action of their own for assistive technology before GTK 4.10; this one is called `row.open`.
        fileprivate func becomePressable(_ run: (@MainActor () -> Void)?) {
            gtk_list_box_row_set_activatable(typed(), run == nil ? 0 : 1)
            isFocusable = run != nil
            guard let run else { return gtk_widget_insert_action_group(typed(), "row", nil) }
            let action = Object(new: g_simple_action_new("open", nil))
            action.on("activate") { _ in run() }
            let group = Object(new: g_simple_action_group_new()?.opaque)
            g_action_map_add_action(group.pointer, action.pointer)
            gtk_widget_insert_action_group(typed(), "row", group.pointer)
        }
    }
#endif
