#if os(Linux)
    import Foundation
    import Synchronization
    import Testing

    @testable import MainKey

    @Suite("Cleartext in files, for a while", .enabled(if: access("/dev/shm", W_OK) == 0))
    struct CleartextFilesTests {
        /// A place in memory for one test.
        final class Place: Sendable {
            let parent = "/dev/shm/casemate-test-\(UUID())"

            init() { mkdir(parent, 0o700) }

            deinit { try? FileManager.default.removeItem(atPath: parent) }

            var places: CleartextPlaces { Self.places(in: parent) }

            static func places(in parent: String, allowsDisk: Bool = false) -> CleartextPlaces {
                CleartextPlaces(
                    [.init(parent: parent, name: "mainkey", isUsersOwn: true)], allowsDisk: allowsDisk)
            }

            /// The folders of processes, each with the files in it.
            func folders(_ vault: VaultID) -> [String] {
                let path = parent + "/mainkey/\(vault)"
                return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
            }
        }

        private let place = Place()
        private let vault = CleartextFilesTests.vault
        private static let vault = VaultID(Array(1...16) as [UInt8])!

        private func files() -> CleartextFiles { CleartextFiles(of: vault, in: place.places) }

        private func pathOf(_ file: borrowing CleartextFile) -> String { file.path ?? "no path" }

        private func put(_ text: String, _ file: borrowing CleartextFile) {
            #expect(write(file.fileDescriptor, text, text.utf8.count) == text.utf8.count)
        }

        @Test("a named file is there for its owner alone, and goes with the value that stands for it")
        func named() throws {
            let files = files()
            var path = ""
            do {
                let file = try files.makeNamed("holiday.pdf")
                put("cleartext", file)
                path = pathOf(file)
                #expect(path.hasSuffix("/holiday.pdf"))
                #expect(FileManager.default.contents(atPath: path) == Data("cleartext".utf8))
                var status = stat()
                #expect(stat(path, &status) == 0 && status.st_mode & 0o7777 == 0o600)
                let again = try files.makeNamed("holiday.pdf")
                #expect(pathOf(again) != path)
            }
            #expect(!FileManager.default.fileExists(atPath: path))
        }

        @Test("an unnamed file is reached by its descriptor only")
        func unnamed() throws {
            let files = files()
            let file = try files.makeUnnamed()
            put("cleartext", file)
            #expect(pathOf(file) == "no path")
            let number = file.fileDescriptor
            #expect(FileManager.default.contents(atPath: "/proc/self/fd/\(number)") == Data("cleartext".utf8))
            let folder = try #require(place.folders(vault).first)
            let names = try FileManager.default.contentsOfDirectory(
                atPath: place.parent + "/mainkey/\(vault)/" + folder)
            #expect(names == ["owner"])
        }

        @Test("locking empties files that are in use and removes the folder; new ones can be made after")
        func locking() throws {
            let files = files()
            let named = try files.makeNamed("a.txt")
            let unnamed = try files.makeUnnamed()
            put("cleartext", named)
            put("cleartext", unnamed)
            let viewer = open(pathOf(named), O_RDONLY)
            defer { close(viewer) }
            try files.removeAll()
            #expect(place.folders(vault).isEmpty)
            var byte: UInt8 = 0
            for number in [viewer, named.fileDescriptor, unnamed.fileDescriptor] {
                #expect(pread(number, &byte, 1, 0) == 0)
            }
            try files.removeAll()
            let later = try files.makeNamed("b.txt")
            #expect(FileManager.default.fileExists(atPath: pathOf(later)))
        }

        @Test("the folder goes with the last owner")
        func released() throws {
            do {
                let files = files()
                _ = try files.makeUnnamed()
                #expect(place.folders(vault).count == 1)
            }
            #expect(place.folders(vault).isEmpty)
        }

        @Test("two vaults open in one process do not disturb each other")
        func twice() throws {
            let first = files()
            let second = files()
            let mine = try first.makeNamed("a")
            let other = try second.makeNamed("a")
            #expect(place.folders(vault).count == 2)
            #expect(second.sweep().count == 0)
            try second.removeAll()
            #expect(FileManager.default.fileExists(atPath: pathOf(mine)))
            #expect(!FileManager.default.fileExists(atPath: pathOf(other)))
        }

        @Test("no file is made for who has asked before all were removed")
        func removedMeanwhile() throws {
            let files = files()
            let removals = files.removals
            _ = try files.makeNamed("a", since: removals)
            try files.removeAll()
            #expect(code { _ = try files.makeNamed("a", since: removals) } == "locked")
            #expect(code { _ = try files.makeUnnamed(since: removals) } == "locked")
            #expect(place.folders(vault).isEmpty)
            _ = try files.makeNamed("a", since: files.removals)
        }

        @Test("what a killed process left is swept, what a living one has is not")
        func deadOwner() async throws {
            await #expect(processExitsWith: .signal(SIGKILL)) { [parent = place.parent as String] in
                let files = CleartextFiles(of: CleartextFilesTests.vault, in: Place.places(in: parent))
                let file = try files.makeNamed("cleartext.txt")
                _ = write(file.fileDescriptor, "cleartext", 9)
                kill(getpid(), SIGKILL)
            }
            #expect(place.folders(vault).count == 1)
            let files = files()
            let mine = try files.makeNamed("mine")
            #expect(place.folders(vault).count == 2)
            #expect(files.sweep().count == 1)
            #expect(files.sweep().count == 0)
            #expect(place.folders(vault).count == 1)
            #expect(FileManager.default.fileExists(atPath: pathOf(mine)))
        }

        @Test("the ordinary end of a process removes its files")
        func atExit() async throws {
            await #expect(processExitsWith: .exitCode(3)) { [parent = place.parent as String] in
                let files = CleartextFiles(of: CleartextFilesTests.vault, in: Place.places(in: parent))
                let file = try files.makeNamed("cleartext.txt")
                guard FileManager.default.fileExists(atPath: file.path ?? "") else { exit(4) }
                exit(3)
            }
            #expect(FileManager.default.fileExists(atPath: place.parent + "/mainkey/\(vault)"))
            #expect(place.folders(vault).isEmpty)
        }

        @Test("a folder without an owner, and links in it, are swept without leaving the place")
        func strange() throws {
            let files = files()
            _ = try files.makeUnnamed()
            let path = place.parent + "/mainkey/\(vault)/p-1-1"
            mkdir(path, 0o700)
            try Data("kept".utf8).write(to: URL(filePath: place.parent + "/precious"))
            symlink(place.parent, path + "/link")
            symlink("owner", path + "/owner")
            #expect(files.sweep().count == 0)
            unlink(path + "/owner")
            #expect(files.sweep().count == 1)
            #expect(FileManager.default.contents(atPath: place.parent + "/precious") == Data("kept".utf8))
        }

        @Test("a file whose name is no UTF-8 is swept like any other")
        func strangeName() throws {
            let files = files()
            _ = try files.makeUnnamed()
            let path = place.parent + "/mainkey/\(vault)/p-1-1"
            mkdir(path, 0o700)
            mkdir(path + "/1", 0o700)
            let beginning = "\(path)/1/M".utf8CString.dropLast()
            let name = Array(beginning) + [CChar(bitPattern: 0xfc)] + Array("ller.pdf".utf8CString)
            let descriptor = creat(name, 0o600)
            try #require(descriptor >= 0)
            close(descriptor)
            let (count, failures) = files.sweep()
            #expect(count == 1 && failures.isEmpty)
            #expect(access(name, F_OK) != 0)
            #expect(place.folders(vault).count == 1)
        }

        @Test("a vault opens also where left cleartext cannot be removed, and tells", .timeLimit(.minutes(10)))
        func unsweepable() throws {
            let folder = try VaultFolder()
            let vault = try folder.make().0.status().vaultID
            // Whoever sweeps waits for the lock of the place.
            let files = CleartextFiles(of: vault)
            let file = try files.makeNamed("a")
            let place = URL(filePath: pathOf(file)).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent()
            let descriptor = open(place.path, O_RDONLY | O_DIRECTORY)
            try #require(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
            defer { close(descriptor) }
            let told = Mutex<[String]>([])
            MainKeyEvent.observeAll { event in
                if case .hardwareLeftover(let what) = event { told.withLock { $0.append(what) } }
            }
            _ = try folder.open()
            #expect(told.withLock { $0.contains { $0.contains("cleartext") && $0.contains(place.path) } })
        }

        @Test("a place on a disk is refused, and taken where it is allowed")
        func disk() throws {
            let folder = StorageFolder()
            try #require(FileSystemKind(of: folder.open()) == .other)
            let refused = CleartextFiles(of: vault, in: Place.places(in: folder.path))
            #expect(code { _ = try refused.makeUnnamed() } == "noSecureTemp")
            #expect(code { _ = try refused.makeNamed("a") } == "noSecureTemp")
            let allowed = CleartextFiles(of: vault, in: Place.places(in: folder.path, allowsDisk: true))
            let file = try allowed.makeNamed("a")
            put("cleartext", file)
            let observer = open(pathOf(file), O_RDONLY)
            defer { close(observer) }
            try allowed.removeAll()
            var byte: UInt8 = 0
            #expect(pread(observer, &byte, 1, 0) == 0)
        }

        @Test("without a place, or with one of another user, there is no secure place, and nothing is made")
        func noPlace() {
            let none = CleartextFiles(of: vault, in: Place.places(in: place.parent + "/missing"))
            #expect(code { _ = try none.makeUnnamed() } == "noSecureTemp")
            #expect(!FileManager.default.fileExists(atPath: place.parent + "/missing"))
            if isRoot {
                chown(place.parent, 65_534, 65_534)
                #expect(code { _ = try files().makeUnnamed() } == "noSecureTemp")
                #expect(!FileManager.default.fileExists(atPath: place.parent + "/mainkey"))
            }
        }

        @Test("the runtime folder comes first, then the shared memory")
        func order() throws {
            let places = CleartextPlaces(environment: ["XDG_RUNTIME_DIR": place.parent])
            #expect(try places.make(for: vault).path == place.parent + "/mainkey/0102030405060708090a0b0c0d0e0f10")
            let fallback = try CleartextPlaces(environment: [:]).make(for: vault).path
            #expect(fallback == "/dev/shm/mainkey-\(geteuid())/0102030405060708090a0b0c0d0e0f10")
            rmdir(fallback)
            rmdir("/dev/shm/mainkey-\(geteuid())")
        }

        @Test("names that are paths are refused")
        func names() {
            for name in ["", ".", "..", "a/b", "/a", "a\0b", String(repeating: "a", count: 256)] {
                #expect(code { _ = try files().makeNamed(name) } == "configError")
            }
        }
    }
#endif
