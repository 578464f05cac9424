import BasicFoundation
import InstalledSigner

/// The environment of this program. What the caller's held beyond a list is gone before the first line of any library
/// (CCleanStart, CWindowStart); here is what the libraries of widgets are told instead.
///
/// The style sheet of a user outranks the program's own, a font of theirs can draw one digit for another, and a module
/// of theirs is code in this process. So the places of a user are places in which nothing can be.
///
/// Source: `signer-face` section 4.
enum WindowEnvironment {
    /// A folder that is not there, and that nobody can make.
    private static let nowhere = "/dev/null/none"

    /// What is read before the first line of this program.
    private static let early = ("G_SLICE", "always-malloc")

    private static let settings = [
        "HOME": nowhere, "XDG_CONFIG_HOME": nowhere, "XDG_DATA_HOME": nowhere, "XDG_CACHE_HOME": nowhere,
        // Modules of GIO are code; settings come from nowhere and go nowhere; no remote file systems.
        "GIO_MODULE_DIR": nowhere, "GSETTINGS_BACKEND": "memory", "GIO_USE_VFS": "local",
        // Drawing without a driver of graphics in this process.
        "GSK_RENDERER": "cairo", "GDK_DEBUG": "gl-disable,vulkan-disable",
    ]

    /// Sets all of it, in place of this process where something is read too early for that.
    static func enter() {
        let environment = ProcessInfo.processInfo.environment
        if environment["HOME"] != nowhere { keepPlaces(environment) }
        for (name, value) in settings { setenv(name, value, 1) }
        guard environment[early.0] != early.1 else { return }
        setenv(early.0, early.1, 1)
        var arguments: [UnsafeMutablePointer<CChar>?] = CommandLine.arguments.map { strdup($0) } + [nil]
        execv("/proc/self/exe", &arguments)
        // Without /proc it goes on: freed memory of one library is not put to zeros then.
    }

    /// The person's own folder, which no library looks into: where questions for files begin; nil where nobody says.
    static var home: String? { ProcessInfo.processInfo.environment[homeVariable] }
    private static let homeVariable = "CASEMATE_WINDOW_HOME"

    /// Keeps those places of the user that are none of the libraries' business.
    private static func keepPlaces(_ environment: [String: String]) {
        setenv("CASEMATE_VAULT", VaultFolderOptions.usualFolder.path, 0)
        unsetenv(homeVariable)
        guard let home = environment["HOME"] else { return }
        setenv(homeVariable, home, 1)
        setenv("XAUTHORITY", home + "/.Xauthority", 0)
        // Where keys of this program lie that the validator has pinned.
        setenv("XDG_STATE_HOME", home + "/.local/state", 0)
    }

    /// Keeps assistive technology, and whoever poses as it, out of the window.
    static func hideFromAccessibility() { setenv("GTK_A11Y", "none", 1) }
}
