#if canImport(CGIO)
    import Foundation
    import TestSupport
    import Testing
    import WindowTestSupport

    /// Writing that goes wrong while the window is open.
    @Suite(
        "Faults under the window", .serialized, .enabled(if: Desktop.obstacle == nil, "\(Desktop.obstacle ?? "")"))
    struct FaultWindowTests {
        /// Goes to the page for a new key, and types a path.
        private func prepare(_ path: String, in window: DrivenWindow) throws {
            try window.press("New key", to: "DeriveKey/-")
            try window.type(path, over: "Path")
            try window.sees("A key can be made.")
        }

        private func openKeys(in window: DrivenWindow) throws {
            try window.page("SeedSelector/-")
            try window.press("demo", to: "Keys/-")
        }

        /// Whether a key is in the vault, in its list and its log alike.
        private func has(_ path: String, _ vault: WindowVault) async throws -> Bool {
            try await vault.casemate(["log", "verify"])
            let isThere = try await vault.keys(of: "demo").contains { $0.path == path }
            let isLogged = try await vault.log().flatMap(\.events).contains { $0.detail.contains(path) }
            #expect(isThere == isLogged, "\(path)")
            return isThere
        }

        @Test(
            "on a full disk what cannot be written says what to do and changes nothing, and is done once there is room",
            .enabled(if: SmallDisk.isPossible, "\(SmallDisk.reason)"))
        func fullDisk() async throws {
            let disk = try SmallDisk(byteCount: 8 << 20)
            let vault = try await WindowVault(in: disk.path + "/vault")
            let window = try vault.window()
            try openKeys(in: window)
            for (number, pages) in [0, 1, 2].enumerated() {
                try prepare("//full-\(number)", in: window)
                try disk.fill(leaving: pages)
                try window.press("Make the key")
                try window.sees("the disk is full. Free some space, and do it once more.")
                disk.free()
                try window.press("Back", to: "DeriveKey/-")
                // What was typed is there yet, and nothing was made of it.
                try window.sees("//full-\(number)")
                try window.sees("A key can be made.")
                try window.press("Make the key", to: "Keys/-")
                try window.sees("//full-\(number)")
            }
            window.end()
            for number in 0..<3 { #expect(try await has("//full-\(number)", vault)) }
        }

        @Test("a window that is killed while it writes leaves the state before or the one after, and opens again")
        func killed() async throws {
            let vault = try await WindowVault()
            var before = 0
            for changes in 0..<6 {
                let path = "//killed-\(changes)"
                let window = try vault.window()
                try openKeys(in: window)
                try prepare(path, in: window)
                let state = FileStates(of: vault.folder)
                try window.press("Make the key")
                state.wait(for: changes)
                window.end(by: SIGKILL)
                if try await !has(path, vault) { before += 1 }
            }
            let window = try vault.window()
            try openKeys(in: window)
            try prepare("//after", in: window)
            try window.press("Make the key", to: "Keys/-")
            window.end()
            #expect(try await has("//after", vault), "\(before) of 6 were killed before")
        }
    }

    /// The sizes and times of the files of a folder, to see when they change.
    private final class FileStates {
        private let folder: String
        private var last: [String: [Int]]

        init(of folder: String) {
            self.folder = folder
            last = Self.look(folder)
        }

        private static func look(_ folder: String) -> [String: [Int]] {
            let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
            return names.reduce(into: [:]) { looks, name in
                var state = stat()
                let isThere = stat("\(folder)/\(name)", &state) == 0
                looks[name] =
                    isThere ? [Int(state.st_size), Int(state.st_mtim.tv_sec), Int(state.st_mtim.tv_nsec)] : []
            }
        }

        /// Waits until so many changes were seen, or there are no more for a while.
        func wait(for count: Int) {
            var seen = 0
            let end = ContinuousClock.now + .seconds(2)
            while seen < count, ContinuousClock.now < end {
                let now = Self.look(folder)
                if now != last { seen += 1 }
                last = now
            }
        }
    }
#endif
