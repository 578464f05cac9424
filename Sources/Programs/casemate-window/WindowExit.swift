import InstalledSigner

/// What keeps the window from being shown.
enum WindowError: Error, CustomStringConvertible {
    case noScreen
    case notBuiltIn

    var description: String {
        switch self {
        case .noScreen:
            "There is no screen to show a window on: neither WAYLAND_DISPLAY nor DISPLAY names one that answers. Start it in a graphical "
                + "session, or use the terminal: casemate --help"
        case .notBuiltIn:
            "This program was built without its window (the trait Window). Build it again with it, or use the terminal: casemate --help"
        }
    }
}

/// The exit codes of the program, which mean what casemate's mean.
enum WindowExit: Int32 {
    case failure = 1
    case notIsolated = 22
    case noScreen = 23

    static let help = """
        0 closed · 1 failed · 22 no network namespace to be had · 23 no screen, or built without the window · 64 wrong \
        usage
        """

    init(_ error: any Error) {
        self =
            switch error {
            case InstallationError.notIsolated: .notIsolated
            case is WindowError: .noScreen
            default: .failure
            }
    }
}
