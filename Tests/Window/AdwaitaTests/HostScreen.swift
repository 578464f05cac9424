#if canImport(CGIO)
    import CGIO
    import Glibc
    import TestSupport

    // What this needs is there where GIO is: one trait decides on both.

    /// Xvfb has not told the number of its display.
    struct NoScreen: Error {}

    /// A screen of its own, without a window manager and without buses, on which the program with the widgets runs.
    final class HostScreen: Sendable {
        private let server: ChildProgram
        private let display: String
        let folder: TemporaryFolder

        /// Why there can be none on this machine; nil where there can be one.
        static let obstacle: String? = {
            let folders = (getenv("PATH").map { String(cString: $0) } ?? "/usr/bin").split(separator: ":")
            guard folders.contains(where: { access("\($0)/Xvfb", X_OK) == 0 }) else {
                return "Xvfb is missing: apt-get install xvfb"
            }
            return nil
        }()

        init() async throws {
            folder = try TemporaryFolder()
            server = try ChildProgram(
                "Xvfb", ["-displayfd", "1", "-screen", "0", "1100x2700x24", "-noreset", "-nolisten", "tcp"],
                diesWithOwner: true)
            guard let number = await server.nextLine() else {
                throw NoScreen()
            }
            display = ":" + number
        }

        /// What the program says to one of its questions.
        ///
        /// - Parameter configuration: the folder with the person's own styles.
        func ask(_ arguments: String..., configuration: String? = nil) async throws -> [String] {
            let environment = [
                "DISPLAY=\(display)", "GDK_BACKEND=x11", "GSK_RENDERER=cairo", "GTK_A11Y=none",
                "GSETTINGS_BACKEND=memory",
                "LANG=C.UTF-8", "HOME=\(folder.path)", "XDG_CONFIG_HOME=\(configuration ?? folder.path + "/none")",
                "XDG_RUNTIME_DIR=\(folder.path)", "DBUS_SESSION_BUS_ADDRESS=unix:path=/nonexistent",
            ]
            return try await ChildProgram.run(
                "/usr/bin/env", ["-i"] + environment + [ChildProgram.built("AdwaitaTestHost")] + arguments)
        }
    }
#endif
