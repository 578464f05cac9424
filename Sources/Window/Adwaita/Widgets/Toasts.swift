#if canImport(CAdwaita)
    import CAdwaita

    /// Short notes over what is inside, gone after a while.
    @MainActor
    package final class ToastOverlay: Widget {
        package init(_ child: Widget) {
            super.init(new: adw_toast_overlay_new()?.opaque)
            child.use { adw_toast_overlay_set_child(pointer, $0) }
        }

        /// Shows words as they are; the library would take the title of a note for markup.
        package func show(_ text: String, seconds: UInt32 = 4) {
            guard let toast = adw_toast_new("") else { return }
            Label(text).use { adw_toast_set_custom_title(toast, $0) }
            adw_toast_set_timeout(toast, seconds)
            adw_toast_overlay_add_toast(pointer, toast)
        }
    }
#endif
