#if os(Linux)
    import Files
    import Foundation
    import TestSupport
    import Testing

    @testable import CodeMeasurement

    /// A file system that is there as long as this object.
    private final class Mount {
        let folder: TemporaryFolder
        var path: String { folder.path("mounted") }

        /// - Parameter commands: of a shell in the folder, the last of which mounts something on `mounted`.
        init(_ commands: String) throws {
            folder = try TemporaryFolder()
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            try Self.shell("cd '\(folder.url.path)' && \(commands)")
        }

        deinit { try? Self.shell("umount -l '\(path)'") }

        static func shell(_ commands: String) throws { try Tool.run("/bin/sh", ["-c", commands]) }
    }

    private func hasProgram(_ path: String) -> Bool { FileManager.default.isExecutableFile(atPath: path) }

    @Suite("File systems whose files look alike", .enabled(if: geteuid() == 0 && hasCompiler), .serialized)
    struct FileSystemTests {
        /// Looks at one program as if it were another one.
        private func look(at path: String, as measured: String) throws -> MeasurementOutcome {
            let child = try Child(path)
            var measurement = try ProcessMeasurement(of: ObservedProcess(child.process))
            let outcome = measurement.look(at: MeasuredProgram(main: try MeasuredImage(at: measured, as: "bin/peer")))
            withExtendedLifetime(child) {}
            return outcome
        }

        private func mappedKey(of file: OpenFile) throws(Errno) -> FileKey {
            try FileKey(mapping: file.number)
        }

        @Test("a file is known by what its own mapping shows, on every file system")
        func mappedKey() throws {
            let folder = try TemporaryFolder()
            let path = folder.path("file")
            try Data("x".utf8).write(to: URL(filePath: path))
            let file = try OpenFile(opening: path)
            #expect(try mappedKey(of: file).inode == file.status().st_ino)
            let made = try OpenFile(opening: "/proc/self/stat")
            #expect(throws: Errno.self) { try mappedKey(of: made) }
        }

        @Test("a file whose content a program makes is not measured")
        func made() throws {
            let folder = try TemporaryFolder()
            try Data("x".utf8).write(to: URL(filePath: folder.path("file")))
            let made = try OpenFile(opening: "/proc/self/status")
            #expect(FileSystemKind.objection(toMeasuring: made, isRoots: true)?.contains("0x9fa0") == true)
            #expect(withExtendedLifetime(made) { !FileSystemKind.hasVerity(descriptor: made.number) })
            let local = try OpenFile(opening: folder.path("file"))
            #expect(FileSystemKind.objection(toMeasuring: local, isRoots: false) == nil)
        }

        @Test("on overlay a file of the same number below is another one")
        func overlay() throws {
            let mount = try Mount(
                "mkdir lower upper work && mount -t overlay overlay -o lowerdir=lower,upperdir=upper,workdir=work mounted"
            )
            let lower = mount.folder.path("lower/peer")
            try compile("peer.c", to: lower, "-pthread")
            let upper = mount.path + "/peer"
            let outcome = try look(at: upper, as: upper)
            #expect(outcome.reason == .ok, "\(String(describing: outcome.finding))")
            let inodes = try [lower, upper].map { try OpenFile(opening: $0).status().st_ino }
            try #require(inodes[0] == inodes[1])
            #expect(try look(at: lower, as: upper).reason == .foreignCode)
            // What somebody else put there, or mounted, may come from anywhere.
            let file = try OpenFile(opening: upper)
            #expect(FileSystemKind.objection(toMeasuring: file, isRoots: true) == nil)
            #expect(FileSystemKind.objection(toMeasuring: file, isRoots: false)?.contains("overlay") == true)
        }

        @Test(
            "on btrfs a file of the same number in another subvolume is another one",
            .enabled(if: hasProgram("/sbin/mkfs.btrfs") && hasProgram("/usr/bin/btrfs")))
        func btrfs() throws {
            let mount = try Mount(
                "truncate -s 128M image && /sbin/mkfs.btrfs -q image && mount -o loop image mounted && btrfs subvolume create mounted/one"
            )
            let (one, other) = (mount.path + "/one/peer", mount.path + "/other/peer")
            try compile("peer.c", to: one, "-pthread")
            try Mount.shell("btrfs subvolume snapshot '\(mount.path)/one' '\(mount.path)/other'")
            let outcome = try look(at: one, as: one)
            #expect(outcome.reason == .ok, "\(String(describing: outcome.finding))")
            #expect(outcome.levels.contains(.firsthand) && !outcome.flags.contains(.deviceMismatch))
            // The memory map alone does not tell them apart.
            let (first, second) = (try OpenFile(opening: one), try OpenFile(opening: other))
            #expect(try mappedKey(of: first) == mappedKey(of: second))
            #expect(try look(at: other, as: one).reason == .foreignCode)
        }
    }
#endif
