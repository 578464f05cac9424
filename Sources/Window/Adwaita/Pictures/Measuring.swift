#if canImport(CAdwaita)
    import CAdwaita

    /// Tells how large a place is that the program draws itself.
    @MainActor
    package protocol Measuring: AnyObject, Sendable {
        /// Pixels that it cannot be narrower than, and that it would have.
        var widths: (least: Int, natural: Int) { get }
        /// The pixels of height that it takes in a width.
        func height(in width: Int) -> Int
        /// Hears of the width that it has from now on.
        func allocate(width: Int)
    }

    extension Measuring {
        package func allocate(width: Int) {}
    }

    extension Widget {
        /// What it is measured by instead of by the library.
        package var measuring: (any Measuring)? {
            Callback<any Measuring>.from(g_object_get_data(typed(), measuringKey))?.run
        }

        /// Is measured by something else than the library, which it holds as long as it lives.
        package func measure(by measuring: any Measuring) {
            typealias Boxed = Callback<any Measuring>
            g_object_set_data_full(typed(), measuringKey, Boxed.retained(measuring)) { Boxed.free($0) }
            let manager = gtk_custom_layout_new(
                { _ in GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH },
                { widget, orientation, size, least, natural, _, _ in
                    guard let widget, let least, let natural else { return }
                    // The library measures on the main thread alone, where the widget holds what it is measured by.
                    let isWidth = orientation == GTK_ORIENTATION_HORIZONTAL
                    nonisolated(unsafe) let data = g_object_get_data(UnsafeMutablePointer(widget.opaque), measuringKey)
                    let answer = MainActor.assumeIsolated { () -> (least: Int, natural: Int) in
                        guard let measuring = Boxed.from(data)?.run else { return (0, 0) }
                        if isWidth { return measuring.widths }
                        let height = measuring.height(in: size < 0 ? measuring.widths.natural : Int(size))
                        return (height, height)
                    }
                    (least.pointee, natural.pointee) = (Int32(clamping: answer.least), Int32(clamping: answer.natural))
                },
                { widget, width, _, _ in
                    guard let widget else { return }
                    // As above.
                    nonisolated(unsafe) let data = g_object_get_data(UnsafeMutablePointer(widget.opaque), measuringKey)
                    MainActor.assumeIsolated { Boxed.from(data)?.run.allocate(width: Int(width)) }
                })
            // The widget takes over the reference.
            use { gtk_widget_set_layout_manager($0, manager) }
        }
    }

    /// As wide as there is room, and as high as something says.
    @MainActor
    private final class HeightForWidth: Measuring {
        private let run: @MainActor (Int) -> Int
        init(_ run: @escaping @MainActor (Int) -> Int) { self.run = run }
        var widths: (least: Int, natural: Int) { (0, 0) }
        func height(in width: Int) -> Int { run(width) }
    }

    extension Widget {
        /// Lets its height follow from its width, both in pixels.
        ///
        /// - Parameter height: lives as long as the widget, and must not hold it.
        package func measure(height: @escaping @MainActor (_ width: Int) -> Int) { measure(by: HeightForWidth(height)) }

        /// Asks to be measured anew.
        package func queueResize() { use { gtk_widget_queue_resize($0) } }
    }

    private let measuringKey = "casemate-measuring"
#endif
