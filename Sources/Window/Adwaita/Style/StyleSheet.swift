#if canImport(CAdwaita)
    import CAdwaita

    /// The looks of the program.
    @MainActor
    package enum StyleSheet {
        /// Adds rules for all windows. They outrank those of the person's own style sheet, which could hide a warning.
        package static func add(_ rules: String) {
            guard let display = gdk_display_get_default() else { return }
            let provider = Object(new: gtk_css_provider_new()?.opaque)
            gtk_css_provider_load_from_data(provider.typed(), rules, -1)
            gtk_style_context_add_provider_for_display(
                display, provider.pointer, guint(GTK_STYLE_PROVIDER_PRIORITY_USER + 1))
        }
    }

    /// Whether windows are light or dark.
    @MainActor
    package enum ColorScheme: String, CaseIterable {
        case system, light, dark

        /// Makes it so for all windows.
        package func apply() {
            let scheme =
                switch self {
                case .system: ADW_COLOR_SCHEME_DEFAULT
                case .light: ADW_COLOR_SCHEME_FORCE_LIGHT
                case .dark: ADW_COLOR_SCHEME_FORCE_DARK
                }
            adw_style_manager_set_color_scheme(adw_style_manager_get_default(), scheme)
        }
    }
#endif
