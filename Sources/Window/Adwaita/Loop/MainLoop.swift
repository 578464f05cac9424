#if canImport(CAdwaita)
    import CAdwaita
    import Dispatch
    import Glibc

    /// The library's loop, which runs the main actor as well.
    @MainActor
    package enum MainLoop {
        private static var isAttached = false

        /// Lets the library's loop run what is enqueued on the main actor; called once, by ``Application``.
        ///
        /// The queue of the main actor tells by a descriptor that something waits. What the descriptor counts is read
        /// before the queue is drained: else it stays readable, and the loop never sleeps again. It runs at the
        /// priority of drawing, so that tasks that go on and on do not keep the window from being drawn.
        static func attach() {
            guard !isAttached else { return }
            isAttached = true
            let redraw = Int32(G_PRIORITY_HIGH_IDLE + 20)
            g_unix_fd_add_full(
                redraw, _dispatch_get_main_queue_handle_4CF(), G_IO_IN,
                { descriptor, _, _ in
                    var count: UInt64 = 0
                    _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
                    _dispatch_main_queue_callback_4CF(nil)
                    return 1
                }, nil, nil)
        }

        /// Runs something once the loop has nothing more urgent to do.
        package static func soon(_ run: @escaping @MainActor () -> Void) {
            typealias Boxed = Callback<@MainActor () -> Void>
            g_idle_add_full(
                G_PRIORITY_DEFAULT_IDLE,
                { data in
                    MainActor.assumeIsolated { [boxed = Boxed.from(data)] in boxed?.run() }
                    return 0
                }, Boxed.retained(run), { Boxed.free($0) })
        }

        /// One turn of the loop, for tests; false where nothing waited.
        @discardableResult
        package static func turn(mayBlock: Bool = false) -> Bool {
            g_main_context_iteration(nil, mayBlock ? 1 : 0) != 0
        }
    }

    /// Something that is done after a while, or again and again, as long as this is held.
    @MainActor
    package final class Timeout {
        private var source: guint = 0

        /// Runs something after a time in milliseconds, and then for as long as it says true.
        package init(milliseconds: Int, _ run: @escaping @MainActor () -> Bool) {
            typealias Boxed = Callback<@MainActor () -> Bool>
            let step: @MainActor () -> Bool = { [weak self] in
                guard run() else {
                    self?.source = 0
                    return false
                }
                return true
            }
            source = g_timeout_add_full(
                G_PRIORITY_DEFAULT, guint(clamping: milliseconds),
                { data in
                    MainActor.assumeIsolated { [boxed = Boxed.from(data)] in boxed?.run() == true ? 1 : 0 }
                }, Boxed.retained(step), { Boxed.free($0) })
        }

        package func cancel() {
            if source != 0 { g_source_remove(source) }
            source = 0
        }

        isolated deinit { if source != 0 { g_source_remove(source) } }
    }

    /// Something that is done at the beginning of each frame of a window, before sizes are given out and it is drawn,
    /// as long as this is held. While there is one, one frame follows the other.
    @MainActor
    package final class FrameTick {
        private let widget: Widget
        private var number: guint = 0

        /// Runs something with the next frame of a widget's window, and then for as long as it says true.
        package init(of widget: Widget, _ run: @escaping @MainActor () -> Bool) {
            typealias Boxed = Callback<@MainActor () -> Bool>
            self.widget = widget
            let step: @MainActor () -> Bool = { [weak self] in
                guard run() else {
                    self?.number = 0
                    return false
                }
                return true
            }
            number = widget.use {
                gtk_widget_add_tick_callback(
                    $0,
                    { _, _, data in
                        MainActor.assumeIsolated { [boxed = Boxed.from(data)] in boxed?.run() == true ? 1 : 0 }
                    }, Boxed.retained(step), { Boxed.free($0) })
            }
        }

        isolated deinit { if number != 0 { widget.use { gtk_widget_remove_tick_callback($0, number) } } }
    }
#endif
