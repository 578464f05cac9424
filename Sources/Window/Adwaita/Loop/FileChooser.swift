#if canImport(CAdwaita)
    import CAdwaita

    /// Asks for a file or a folder; it is held as long as it asks.
    @MainActor
    package final class FileChooser: Object {
        package enum Wanted {
            case file, folder
            /// One that is to be written, with the name that it has where nobody says otherwise.
            case newFile(named: String)
        }

        package init(_ wanted: Wanted, title: String, over window: Window) {
            let action =
                switch wanted {
                case .file: GTK_FILE_CHOOSER_ACTION_OPEN
                case .folder: GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER
                case .newFile: GTK_FILE_CHOOSER_ACTION_SAVE
                }
            super.init(new: gtk_file_chooser_native_new(title, window.typed(), action, nil, nil))
            gtk_native_dialog_set_modal(typed(), 1)
            if case .newFile(let name) = wanted { gtk_file_chooser_set_current_name(pointer, name) }
            begin()
        }

        /// Shows the question. The answer is the paths that were chosen; none where nothing was.
        package func ask(_ answer: @escaping @MainActor ([String]) -> Void) {
            on("response") { [unowned self] signal in
                let chosen = signal.int(0) == GTK_RESPONSE_ACCEPT.rawValue ? paths : []
                remember(chosen)
                answer(chosen)
            }
            gtk_native_dialog_show(typed())
        }

        /// Takes the question away without an answer.
        package func end() { gtk_native_dialog_hide(typed()) }

        private var paths: [String] {
            guard let list = gtk_file_chooser_get_files(pointer) else { return [] }
            defer { g_object_unref(UnsafeMutableRawPointer(list)) }
            return (0..<g_list_model_get_n_items(list)).compactMap { index in
                guard let file = g_list_model_get_item(list, index) else { return nil }
                defer { g_object_unref(file) }
                guard let path = g_file_get_path(OpaquePointer(file)) else { return nil }
                defer { g_free(path) }
                return String(cString: path)
            }
        }
    }
#endif
