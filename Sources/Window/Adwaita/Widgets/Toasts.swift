#if canImport(CAdwaita)
    import CAdwaita

    /// Short notes over what is inside, gone after a while.
    @MainActor
    package final class ToastOverlay: Widget {
        package init(_ child: Widget) {
            super.init(new: adw_toast_overlay_new()?.opaque)
            child.use { adw_toast_overlay_set_child(pointer, $0) }
        }

        /// A note that stays. Those behind it would wait for its end.
        private var staying: Object?

        /// The least time that a note is there, and how much of it is read in a second.
        private static let (leastSeconds, signsPerSecond) = (4, 12)

        /// Shows words as they are; the library would take the title of a note for markup.
        ///
        /// - Parameter stays: whether it is there until the person closes it, ``endStaying()``, or the next note; else
        ///   it is as long as it takes to be read.
        package func show(_ text: String, stays: Bool = false) {
            endStaying()
            guard let toast = adw_toast_new("") else { return }
            Label(text).use { adw_toast_set_custom_title(toast, $0) }
            let seconds = max(Self.leastSeconds, text.count / Self.signsPerSecond)
            adw_toast_set_timeout(toast, stays ? 0 : UInt32(clamping: seconds))
            if stays { staying = Object(borrowed: toast) }
            adw_toast_overlay_add_toast(pointer, toast)
        }

        /// Takes a note away that stays.
        package func endStaying() {
            guard let toast = staying else { return }
            staying = nil
            adw_toast_dismiss(toast.pointer)
        }
    }
#endif
