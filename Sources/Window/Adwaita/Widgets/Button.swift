#if canImport(CAdwaita)
    import CAdwaita

    /// Something to be pressed by pointer, key or assistive technology.
    @MainActor
    package class Button: Widget {
        /// - Parameter name: What assistive technology calls it.
        package init(_ child: Widget, name: String) {
            super.init(new: gtk_button_new()?.opaque)
            setChild(child)
            setAccessible(name: name)
        }

        package convenience init(_ label: String) {
            let child = Label(label)
            child.justify(0.5)
            self.init(child, name: label)
        }

        package func setChild(_ child: Widget) { child.use { gtk_button_set_child(typed(), $0) } }

        /// Does something each time it is pressed.
        package func onClick(_ run: @escaping @MainActor () -> Void) { on("clicked") { _ in run() } }
    }
#endif
