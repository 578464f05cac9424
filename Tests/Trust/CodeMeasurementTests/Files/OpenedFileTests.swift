import CodeMeasurement
import ExecutableImage
import Foundation
import TestSupport
import Testing

@Suite("Opened files")
struct OpenedFileTests {
    private let scratch: TemporaryFolder

    init() throws { scratch = try TemporaryFolder() }

    private func digest(_ path: String) throws(ImageFailure) -> ImageDigest {
        try OpenedFile(path: path).measure { opened throws(ImageFailure) in try ImageDigest(ofAll: opened) }
    }

    @Test("have the digest of their bytes, in however many pieces they are read", arguments: [0, 1, 262_144, 700_001])
    func digest(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let path = try scratch.write(bytes, to: "file")
        #expect(try digest(path) == ImageDigest(ofAll: BytesInMemory(bytes)))
    }

    @Test("are regular files: a folder is refused")
    func folder() {
        #expect(throws: ImageFailure.refused(.notARegularFile, offset: nil)) { try digest(scratch.url.path) }
    }

    @Test("are no symbolic links, even to regular files")
    func link() throws {
        let path = try scratch.write([1], to: "file")
        try FileManager.default.createSymbolicLink(atPath: scratch.path("link"), withDestinationPath: path)
        #expect(throws: ImageFailure.refused(.notARegularFile, offset: nil)) { try digest(scratch.path("link")) }
    }

    @Test("are no pipes, and nobody waits for the other end")
    func pipe() throws {
        try #require(mkfifo(scratch.path("pipe"), 0o600) == 0)
        #expect(throws: ImageFailure.refused(.notARegularFile, offset: nil)) { try digest(scratch.path("pipe")) }
    }

    @Test("that are missing are an error of the system, which says so")
    func missing() {
        let failure = #expect(throws: ImageFailure.self) { try digest(scratch.path("missing")) }
        #expect(failure?.error == nil)
        #expect(failure.map { "\($0)" } == "It cannot be read: No such file or directory.")
    }

    @Test("have 1 GiB at the most")
    func large() throws {
        let path = try scratch.write([], to: "large")
        try #require(truncate(path, off_t(ExecutableFile.sizeLimit)) == 0)
        #expect(throws: Never.self) { try OpenedFile(path: path) }
        try #require(truncate(path, off_t(ExecutableFile.sizeLimit) + 1) == 0)
        #expect(throws: ImageFailure.refused(.fileTooLarge, offset: nil)) { try OpenedFile(path: path) }
    }

    @Test("that grow while they are measured are refused")
    func grown() throws {
        let path = try scratch.write([UInt8](repeating: 1, count: 100), to: "file")
        let opened = try OpenedFile(path: path)
        #expect(throws: ImageFailure.sizeChanged(from: 100, to: 101)) {
            try opened.measure { opened throws(ImageFailure) in
                _ = truncate(path, 101)
                return try ImageDigest(ofAll: opened)
            }
        }
    }

    @Test("that shrink while they are read are an error and no signal")
    func shrunk() throws {
        let path = try scratch.write([UInt8](repeating: 1, count: 100), to: "file")
        let opened = try OpenedFile(path: path)
        try #require(truncate(path, 40) == 0)
        #expect(throws: ImageFailure.sizeChanged(from: 100, to: 40)) { try ImageDigest(ofAll: opened) }
    }

    @Test("stay the same file when another takes their name")
    func replaced() throws {
        let path = try scratch.write([1, 2, 3], to: "file")
        let opened = try OpenedFile(path: path)
        try FileManager.default.removeItem(atPath: path)
        try scratch.write([4, 5, 6], to: "file")
        #expect(try ImageDigest(ofAll: opened) == ImageDigest(ofAll: BytesInMemory([1, 2, 3])))
    }

    @Test("may come as descriptors, which are closed with them, also when they are refused")
    func descriptors() throws {
        let path = try scratch.write([7], to: "file")
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        do {
            let opened = try OpenedFile(taking: descriptor)
            #expect(opened.count == 1)
        }
        #expect(!isOpen(descriptor, path))
        let folder = open(scratch.url.path, O_RDONLY | O_CLOEXEC)
        #expect(throws: ImageFailure.self) { try OpenedFile(taking: folder) }
        #expect(!isOpen(folder, scratch.url.path))
    }

    /// Whether the number still stands for what is at the path; other tests may have taken it.
    private func isOpen(_ descriptor: CInt, _ path: String) -> Bool {
        var open = stat()
        var named = stat()
        return fstat(descriptor, &open) == 0 && stat(path, &named) == 0 && open.st_ino == named.st_ino
            && open.st_dev == named.st_dev
    }

    @Test("have no digest of the kernel's where fs-verity does not protect them")
    func verity() throws {
        let path = try scratch.write([7], to: "file")
        #expect(try OpenedFile(path: path).verityDigest() == nil)
    }
}
