#if canImport(CAdwaita)
    import CAdwaita

    /// The versions of the libraries that the window stands on.
    package enum Toolkit {
        /// The version of GTK that runs, as major, minor and micro.
        package static var gtkVersion: (UInt32, UInt32, UInt32) {
            (gtk_get_major_version(), gtk_get_minor_version(), gtk_get_micro_version())
        }
    }
#endif
