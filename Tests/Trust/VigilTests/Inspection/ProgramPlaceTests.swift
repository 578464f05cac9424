#if os(Linux)
    import CodeMeasurement
    import Files
    import Foundation
    import TestSupport
    import Testing

    @testable import Vigil

    /// A file system over a folder, there as long as this object.
    private final class MountedFolder {
        static let areAllowed = geteuid() == 0
        static let condition: Comment = "only root mounts file systems"
        private let path: String
        private var isThere = true

        /// - Parameter arguments: of mount(8), before the folder.
        init(_ arguments: String, on path: String) throws {
            self.path = path
            try Tool.run("/bin/sh", ["-c", "mkdir -p '\(path)' && mount \(arguments) '\(path)'"])
        }

        /// To be called before the folder that it is in goes.
        func unmount() {
            if isThere { _ = try? Tool.run("/bin/sh", ["-c", "umount -l '\(path)'"]) }
            isThere = false
        }

        deinit { unmount() }
    }

    @Suite("The place of a program", .enabled(if: hasCompiler), .serialized)
    struct ProgramPlaceTests {
        private func refusal(of peer: InstalledPeer) -> Refusal? {
            #expect(throws: Refusal.self) { try peer.look([.files], isNewSession: true) }
        }

        @Test("a genuine copy in another place is not measured: others may decide what it holds")
        func copy() throws {
            let peer = try InstalledPeer(start: { folder in
                try FileManager.default.copyItem(atPath: folder.path("root"), toPath: folder.path("copy"))
                return folder.path("copy/bin/app")
            })
            let refusal = refusal(of: peer)
            #expect(refusal?.reason == .unmeasurable)
            #expect(refusal?.finding.text.contains("another file than") == true, "\(String(describing: refusal))")
        }

        @Test("a link to the installed program is the installed program")
        func link() throws {
            let peer = try InstalledPeer(start: { folder in
                try FileManager.default.createSymbolicLink(
                    atPath: folder.path("link"), withDestinationPath: folder.path("root/bin/app"))
                return folder.path("link")
            })
            #expect(try peer.look([.files], isNewSession: true).hash != nil)
        }

        @Test("a program that was replaced before anybody looked is told as that")
        func replaced() throws {
            let peer = try InstalledPeer()
            let path = peer.path("bin/app")
            try ExecutableCopy.make(of: path, at: path + ".new")
            try #require(rename(path + ".new", path) == 0)
            #expect(refusal(of: peer)?.reason == .hashMismatch)
            let allowed = try InstalledPeer(start: nil) { $0.map.deletedExecutable = .allow }
            try #require(unlink(allowed.path("bin/app")) == 0)
            #expect(try allowed.look([.files], isNewSession: true).flags.contains(.executableDeleted))
        }

        @Test("a program that was renamed while it runs keeps its session and gets no new one")
        func renamed() throws {
            let peer = try InstalledPeer()
            _ = try peer.look([.files], isNewSession: true)
            try #require(rename(peer.path("bin/app"), peer.path("bin/before")) == 0)
            try ExecutableCopy.make(of: peer.path("bin/before"), at: peer.path("bin/app"))
            #expect(try peer.look([.files]).flags.contains(.executableDeleted))
            #expect(refusal(of: peer)?.reason == .hashMismatch)
        }

        @Test(
            "root's file with the right bytes is not measured from an overlay that shows a copy, nor from another image",
            .enabled(if: MountedFolder.areAllowed, MountedFolder.condition),
            arguments: ["-t overlay overlay -o lowerdir=root:empty", "-t tmpfs tmpfs"])
        func mounts(arguments: String) throws {
            var mount: MountedFolder?
            let peer = try InstalledPeer(start: { folder in
                try FileManager.default.createDirectory(
                    atPath: folder.path("empty"), withIntermediateDirectories: false)
                let mounted = folder.path("mounted")
                mount = try MountedFolder(
                    arguments.replacing("root:empty", with: "\(folder.path("root")):\(folder.path("empty"))"),
                    on: mounted)
                if !arguments.contains("overlay") {
                    try Tool.run("/bin/cp", ["-a", folder.path("root") + "/.", mounted])
                }
                return "\(mounted)/bin/app"
            })
            defer {
                mount?.unmount()
                withExtendedLifetime(peer) {}
            }
            #expect(refusal(of: peer)?.reason == .unmeasurable)
        }

        @Test(
            "an installation on an overlay, as in a container, is measured where its path is root's alone",
            .enabled(if: MountedFolder.areAllowed, MountedFolder.condition))
        func container() throws {
            var mount: MountedFolder?
            let peer = try InstalledPeer(start: { folder in
                for name in ["work", "upper"] {
                    try FileManager.default.createDirectory(
                        atPath: folder.path(name), withIntermediateDirectories: false)
                }
                let options = ["lower": "root", "upper": "upper", "work": "work"].map { "\($0)dir=\(folder.path($1))" }
                // Over the installation itself, so that the manifest's path leads there.
                mount = try MountedFolder(
                    "-t overlay overlay -o \(options.joined(separator: ","))", on: folder.path("root"))
                return folder.path("root/bin/app")
            })
            defer {
                mount?.unmount()
                withExtendedLifetime(peer) {}
            }
            #expect(try peer.look([.files], isNewSession: true).hash != nil)
            // Replaced while it runs, it keeps its session there, too.
            let path = peer.path("bin/app")
            try ExecutableCopy.make(of: path, at: path + ".new")
            try #require(rename(path + ".new", path) == 0)
            #expect(try peer.look([.files]).flags.contains(.executableDeleted))
            // Whose folder it is could make the path lead into a file system of theirs.
            try #require(chown(peer.path("lib"), 12399, 12399) == 0)
            #expect(refusal(of: peer)?.reason == .unmeasurable)
        }

        @Test(
            "what was measured is kept only where root alone decides what the path leads to",
            .enabled(if: MountedFolder.areAllowed, "only root gives files away"))
        func path() throws {
            let folder = try TemporaryFolder()
            let file = folder.path("a/file")
            try FileManager.default.createDirectory(
                atPath: folder.path("a"), withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
            try Data("x".utf8).write(to: URL(filePath: file))
            try #require(chmod(file, 0o644) == 0)
            var status = stat()
            try #require(stat(file, &status) == 0)
            #expect(TrustedPath.isRoots(status, at: file))
            try #require(chown(folder.path("a"), 12399, 12399) == 0)
            #expect(!TrustedPath.isRoots(status, at: file))
        }
    }
#endif
