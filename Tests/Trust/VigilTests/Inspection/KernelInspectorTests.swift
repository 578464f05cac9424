#if os(Linux)
    import CodeMeasurement
    import ExecutableImage
    import Files
    import Foundation
    import TestSupport
    import Testing

    @testable import Vigil

    @Suite("A program at the other end of a socket", .enabled(if: hasCompiler), .serialized)
    struct KernelInspectorTests {
        /// Changes a byte in the middle of a file.
        private func change(_ path: String) throws {
            let file = try #require(FileHandle(forUpdatingAtPath: path))
            let end = try file.seekToEnd()
            try file.seek(toOffset: end / 2)
            let byte = try #require(try file.read(upToCount: 1)?.first)
            try file.seek(toOffset: end / 2)
            try file.write(contentsOf: [byte ^ 1])
            try file.close()
        }

        @Test("an untouched one passes, its files measured once")
        func untouched() throws {
            let peer = try InstalledPeer()
            let first = try peer.look([.files, .mapShape, .codePages], isNewSession: true)
            #expect(first.measured == [.files, .firsthand, .mapShape, .codePages, .behaviour])
            #expect(first.hash == peer.manifest.bundleDigest(of: .app, architecture: RunningArchitecture.name))
            let later = try peer.look()
            #expect(!later.measured.contains(.files) && later.hash == nil)
        }

        @Test("files that were measured when the program connected count for its first look, unless one was changed")
        func prepared() throws {
            let expected = Levels([.files, .firsthand, .mapShape, .codePages, .behaviour])
            let peer = try InstalledPeer()
            peer.peer.prepare()
            #expect(try peer.look([.files, .mapShape, .codePages], isNewSession: true).measured == expected)
            #expect(try peer.look([.files, .mapShape, .codePages]).hash != nil)
            let changed = try InstalledPeer()
            changed.peer.prepare()
            try change(changed.path("lib/libanswer.so"))
            let refusal = #expect(throws: Refusal.self) { try changed.look([.files], isNewSession: true) }
            #expect(refusal?.reason == .hashMismatch)
            #expect(refusal?.finding.path == "lib/libanswer.so")
            // What was found beforehand is found again, and told.
            changed.peer.prepare()
            #expect(throws: Refusal.self) { try changed.look([.files], isNewSession: true) }
        }

        @Test("a look that measures no files does so when one of them was changed")
        func changedFile() throws {
            let peer = try InstalledPeer()
            _ = try peer.look([.files])
            // A time alone.
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: peer.path("lib/libanswer.so"))
            let again = try peer.look()
            #expect(again.measured.contains(.files) && again.hash != nil)
            #expect(try !peer.look().measured.contains(.files))
            try change(peer.path("lib/libanswer.so"))
            let refusal = #expect(throws: Refusal.self) { try peer.look() }
            #expect(refusal?.reason == .hashMismatch)
            #expect(refusal?.finding.path == "lib/libanswer.so")
        }

        @Test("a file that its user can change is measured each time", .enabled(if: geteuid() == 0))
        func changedUnseen() throws {
            let peer = try InstalledPeer()
            let path = peer.path("lib/libanswer.so")
            try #require(chown(path, 12399, 12399) == 0)
            // The page is there and dirty already, so that writing to it changes no time.
            let file = OpenFile(owning: open(path, O_RDWR | O_CLOEXEC))
            let memory = try #require(mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file.number, 0x1000))
            defer { munmap(memory, 4096) }
            let byte = memory.assumingMemoryBound(to: UInt8.self)
            byte[0] = byte[0]
            #expect(try peer.look([.files]).hash != nil)
            byte[0] ^= 1
            let refusal = #expect(throws: Refusal.self) { try peer.look([.files]) }
            #expect(refusal?.reason == .hashMismatch)
        }

        @Test(
            "a program whose file was removed keeps its session and gets no new one, also if the file has another name")
        func removed() throws {
            let peer = try InstalledPeer()
            _ = try peer.look([.files], isNewSession: true)
            try #require(link(peer.path("bin/app"), peer.path("bin/other")) == 0)
            #expect(unlink(peer.path("bin/app")) == 0)
            #expect(try peer.look().flags.contains(.executableDeleted))
            let refusal = #expect(throws: Refusal.self) { try peer.look(isNewSession: true) }
            #expect(refusal?.reason == .hashMismatch)
        }

        @Test("a pipe in the place of a library is refused, and nobody waits for its other end")
        func pipe() throws {
            let peer = try InstalledPeer()
            let path = peer.path("lib/libanswer.so")
            try FileManager.default.removeItem(atPath: path)
            try #require(mkfifo(path, 0o644) == 0)
            let refusal = #expect(throws: Refusal.self) { try peer.look([.files]) }
            #expect(refusal?.reason == .hashMismatch)
        }

        @Test("contents are compared by pages of the manifest's size", arguments: [PageSize.kib4, .kib16])
        func contents(size: PageSize) throws {
            let peer = try InstalledPeer(pageSize: size)
            #expect(try peer.look([.files, .mapShape, .contents]).measured.contains(.contents))
            // Only what is executable was changed, and levels that would see it otherwise are left out.
            let memory = OpenFile(owning: open("/proc/\(peer.process)/mem", O_RDWR | O_CLOEXEC))
            let line = try #require(
                try KernelFile.text("/proc/\(peer.process)/maps").split(separator: "\n")
                    .first { $0.contains(" r-xp ") && $0.hasSuffix("bin/app") })
            let address = try #require(UInt64(line.prefix { $0 != "-" }, radix: 16))
            var bytes = [UInt8](repeating: 0xcc, count: 16)
            try #require(pwrite(memory.number, &bytes, bytes.count, off_t(address)) == bytes.count)
            // The pages are drawn by lot.
            var refusal: Refusal?
            for _ in 0..<500 where refusal == nil {
                do throws(Refusal) { _ = try peer.look([.contents]) } catch { refusal = error }
            }
            #expect(refusal?.reason == .hashMismatch)
        }

        @Test("a pinned library is compared under the name of its file, also when it was loaded later")
        func pinned() throws {
            let libc = ExternalLibrary(side: .app, soname: "libc.so")
            let loader = ExternalLibrary(side: .app, soname: "ld-linux-x86-64.so")
            let late = ExternalLibrary(side: .app, soname: "libm.so", policy: .pinned(.zero))
            let peer = try InstalledPeer(externals: [libc, loader, late])
            _ = try peer.look([.files])
            try peer.load("libm.so.6")
            let refusal = #expect(throws: Refusal.self) { try peer.look() }
            #expect(refusal?.reason == .foreignCode)
            #expect(refusal?.finding.text == "not the pinned library")
            let pinned = try InstalledPeer(externals: [
                ExternalLibrary(side: .app, soname: "libc.so", policy: .pinned(.zero)), loader,
            ])
            let first = #expect(throws: Refusal.self) { try pinned.look([.files]) }
            #expect(first?.reason == .foreignCode)
        }
    }
#endif
