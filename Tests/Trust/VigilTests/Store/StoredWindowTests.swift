#if os(Linux)
    import Foundation
    import HardwareKeys
    import SecretMemory
    import TestSupport
    import Testing

    @testable import Vigil

    @Suite("The window of a state directory")
    struct StoredWindowTests {
        private let folder: TemporaryFolder
        private let directory: StateDirectory
        private let window: StoredWindow
        private static let token = [UInt8](repeating: 7, count: 32)

        init() throws {
            folder = try TemporaryFolder()
            directory = try StateDirectory(path: folder.path("state"))
            window = StoredWindow(directory)
        }

        private var secret: SecretBytes { get throws { try SecretBytes(copying: Self.token) } }

        private var token: [UInt8]? { get throws { try window.token()?.withUnsafeBytes { Array($0) } } }

        private func write(_ text: String) throws {
            try directory.write(
                "provisioning.window", SecretBytes(copying: Array(text.utf8)))
        }

        private var bootID: String {
            get throws {
                try String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
                    .trimmingCharacters(in: .whitespacesAndNewlines)
            }
        }

        @Test("is closed until it is opened, and once somebody was pinned")
        func opened() throws {
            #expect(!window.isOpen)
            try window.open(for: .seconds(600), token: try secret)
            #expect(window.isOpen && StoredWindow(directory).isOpen)
            try window.close()
            #expect(!window.isOpen)
        }

        @Test("keeps its token after somebody was pinned, until it would have ended")
        func tokenStays() throws {
            try window.open(for: .seconds(600), token: try secret)
            try window.close()
            #expect(try token == Self.token)
            try window.removeIfOver()
            #expect(try token == Self.token)
            try window.open(for: .zero, token: try secret)
            #expect(try token == nil)
            try window.removeIfOver()
            #expect(try directory.read("provisioning.token") == nil)
        }

        @Test("does not take the token of an earlier one for its own")
        func otherToken() throws {
            try window.open(for: .seconds(600), token: try secret)
            try window.open(for: .seconds(600))
            #expect(try token == nil)
        }

        @Test("is gone with its token when it is removed")
        func removed() throws {
            try window.open(for: .seconds(600), token: try secret)
            try window.remove()
            #expect(try !window.isOpen && token == nil)
        }

        @Test("says where it cannot be closed")
        func refused() throws {
            try window.open(for: .seconds(600))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: directory.path)
            #expect(throws: HardwareKeyError.self) { try window.remove() }
        }

        @Test("is closed where its file says anything else", arguments: ["", "x", "x 1", "x y", "\(Int64.max)"])
        func malformed(text: String) throws {
            try write(text)
            #expect(!window.isOpen)
        }

        @Test("is closed after a start of the machine, and for times that no clock has")
        func times() throws {
            try write("other \(Int64.max)")
            #expect(!window.isOpen)
            for end in [Int64.min, -1, 0] {
                try write("\(bootID) \(end)")
                #expect(!window.isOpen)
            }
            try write("\(bootID) \(Int64.max)")
            #expect(window.isOpen)
        }
    }
#endif
