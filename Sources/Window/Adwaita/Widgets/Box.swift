#if canImport(CAdwaita)
    import CAdwaita

    /// Widgets beside or below each other.
    @MainActor
    package class Box: Widget {
        package enum Direction { case horizontal, vertical }

        /// - Parameter spacing: The pixels between two widgets.
        package init(_ direction: Direction, spacing: Int = 0) {
            super.init(
                new: gtk_box_new(
                    direction == .vertical ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL, Int32(spacing))?
                    .opaque)
        }

        package func append(_ child: Widget) { child.use { gtk_box_append(typed(), $0) } }
        /// Puts it behind another one, or first.
        package func insert(_ child: Widget, after sibling: Widget?) {
            child.use { child in
                guard let sibling else { return gtk_box_prepend(typed(), child) }
                sibling.use { gtk_box_insert_child_after(typed(), child, $0) }
            }
        }

        package func prepend(_ child: Widget) { child.use { gtk_box_prepend(typed(), $0) } }
        package func remove(_ child: Widget) { child.use { gtk_box_remove(typed(), $0) } }

        /// Takes out all that is in it.
        package func removeAll() {
            while let child = gtk_widget_get_first_child(typed()) { gtk_box_remove(typed(), child) }
        }

        /// Gives each widget as much room as the largest.
        package func makeHomogeneous() { gtk_box_set_homogeneous(typed(), 1) }
    }
#endif
