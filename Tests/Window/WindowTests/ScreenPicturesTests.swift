#if canImport(CGIO)
    import Foundation
    import TestSupport
    import Testing
    import WindowTestSupport

    /// Where pictures of screens are written; nil for nowhere.
    private let screensFolder = ProcessInfo.processInfo.environment["SCREENS"]

    /// Pictures of screens for people to look at, written to the folder that SCREENS names: `make screens`.
    @Suite(
        "Pictures of screens", .serialized,
        .enabled(if: Desktop.obstacle == nil, "\(Desktop.obstacle ?? "")"),
        .enabled(if: screensFolder != nil, "SCREENS names no folder: make screens"))
    struct ScreenPicturesTests {
        /// Where to go, one after the other: what is pressed, and what is seen then.
        private static let tour: [(press: [String], sees: String)] = [
            ([], "SeedSelector/-"), (["Scan"], "Scan/-"), (["Camera"], "Transaction/-"), (["Do not sign"], "Scan/-"),
            (["Log"], "Log/-"), (["Settings"], "Settings/-"), (["Keys"], "SeedSelector/-"),
            (["Demonstration"], "Keys/-"),
        ]

        @Test(
            "each screen of the tour is drawn, light and dark, narrow and wide", arguments: ["light", "dark"],
            [360, 1_000])
        func tour(look: String, width: Int) throws {
            let folder = try #require(screensFolder)
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let window = try DrivenWindow(
                ChildProgram.built("casemate-window"), ["--demo", "--look", look], on: Desktop(), hasNetwork: false)
            try window.page("SeedSelector/-")
            try window.resize(width: width, height: width == 360 ? 640 : 720)
            for (number, step) in Self.tour.enumerated() {
                for name in step.press { try window.press(name) }
                try window.page(step.sees)
                let name = step.sees.replacing("/", with: "-").lowercased()
                let picture = try DrivenWindow.wait("\(step.sees) is drawn") {
                    let picture = try window.picture()
                    return picture.isEmpty || picture.width != width ? nil : picture
                }
                try Data(picture.png).write(
                    to: URL(filePath: "\(folder)/\(number + 1)-\(name)-\(look)-\(width).png"))
            }
        }
    }
#endif
