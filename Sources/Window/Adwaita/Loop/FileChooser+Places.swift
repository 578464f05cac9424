#if canImport(CAdwaita)
    import CAdwaita

    /// Where questions for files begin, and which places they offer. Where the environment keeps the person's own
    /// folder from the library, so that it loads nothing from there, the library offers what is not there in its place.
    extension FileChooser {
        /// The person's own folder.
        package static var home: String?
        /// The folder of the last answer.
        private static var last: String?

        /// Lets it begin where the last answer was, or at home.
        func begin() {
            // Nothing of the person's is read, so that the list of what was used last is always empty.
            gtk_settings_get_default().map { Object(borrowed: $0).set("gtk-recent-files-enabled", .bool(false)) }
            Self.hideMissingPlaces()
            if let home = Self.folder(Self.home) { gtk_file_chooser_add_shortcut_folder(pointer, home.pointer, nil) }
            guard let start = Self.folder(Self.last) ?? Self.folder(Self.home) else { return }
            gtk_file_chooser_set_current_folder(pointer, start.pointer, nil)
        }

        /// Begins the next one where this one was answered.
        func remember(_ answer: [String]) {
            guard let path = answer.first, let end = path.lastIndex(of: "/") else { return }
            Self.last = String(path[...end])
        }

        /// A folder that is there; nil for none.
        private static func folder(_ path: String?) -> Object? {
            guard let path, let file = g_file_new_for_path(path) else { return nil }
            let folder = Object(new: file)
            let kind = g_file_query_file_type(folder.pointer, G_FILE_QUERY_INFO_NONE, nil)
            return kind == G_FILE_TYPE_DIRECTORY ? folder : nil
        }

        // MARK: What is offered at the side

        /// Takes the library's idea of home, and what it looks for below it, from all questions that there are. It has
        /// no call for that: the list is found in their windows.
        private static func hideMissingPlaces() {
            guard folder(g_get_home_dir().map { String(cString: $0) }) == nil, let windows = gtk_window_get_toplevels()
            else { return }
            for index in 0..<g_list_model_get_n_items(windows) {
                guard let item = g_list_model_get_item(windows, index) else { continue }
                let window = Widget(borrowed: OpaquePointer(item))
                g_object_unref(item)
                guard window.isOfClass("GtkFileChooserDialog") else { continue }
                let list = window.first(ofClass: "GtkPlacesSidebar")?.first(ofClass: "GtkListBox")
                list.map { gtk_list_box_set_filter_func($0.pointer, isOutsideHome, nil, nil) }
            }
        }

        private static let isOutsideHome: GtkListBoxFilterFunc = { row, _ in
            guard let row, let home = g_filename_to_uri(g_get_home_dir(), nil, nil) else { return 1 }
            defer { g_free(home) }
            var value = GValue()
            g_value_init(&value, Value.Fundamental.string)
            defer { g_value_unset(&value) }
            g_object_get_property(UnsafeMutableRawPointer(row).assumingMemoryBound(to: GObject.self), "uri", &value)
            guard let uri = g_value_get_string(&value) else { return 1 }
            return String(cString: uri).hasPrefix(String(cString: home)) ? 0 : 1
        }
    }

    extension Widget {
        fileprivate func isOfClass(_ name: String) -> Bool {
            let instance: UnsafeMutablePointer<GTypeInstance> = typed()
            return g_type_name_from_instance(instance).map { String(cString: $0) } == name
        }

        /// The first widget of one of the library's classes in this one.
        fileprivate func first(ofClass name: String) -> Widget? {
            if isOfClass(name) { return self }
            for child in children { if let found = child.first(ofClass: name) { return found } }
            return nil
        }
    }
#endif
