#if os(Linux)
    import Foundation
    import Glibc
    import TestSupport
    import Testing

    @testable import Vigil

    @Suite("Files that decide whom a program trusts")
    struct TrustedFileTests {
        private let folder: TemporaryFolder
        private let path: String

        init() throws {
            folder = try TemporaryFolder()
            chmod(folder.path(""), 0o755)
            path = folder.path("file")
            try Data("secret".utf8).write(to: URL(filePath: path))
            chmod(path, 0o600)
        }

        private func error(_ body: () throws(ConfigurationError) -> Void) -> String? {
            do throws(ConfigurationError) { try body() } catch { return error.description }
            return nil
        }

        @Test("are read whole, up to their limit")
        func read() throws {
            #expect(try TrustedFile.read(path, limit: 6) == [UInt8]("secret"))
            #expect(try TrustedFile.readSecret(path, limit: 6).withUnsafeBytes { Array($0) } == [UInt8]("secret"))
            #expect(error { () throws(ConfigurationError) in _ = try TrustedFile.read(path, limit: 5) } != nil)
            #expect(error { () throws(ConfigurationError) in _ = try TrustedFile.readSecret(path, limit: 5) } != nil)
        }

        @Test("are not taken for empty or whole where reading fails, or gives what the file does not have")
        func unreadable() {
            // The first byte of the memory of this process cannot be read.
            let failed = error { () throws(ConfigurationError) in _ = try TrustedFile.read("/proc/self/mem", limit: 9) }
            #expect(failed?.contains("cannot be read") == true, "\(failed ?? "it was read")")
            let other = error { () throws(ConfigurationError) in _ = try TrustedFile.read("/proc/self/stat", limit: 9) }
            #expect(other?.contains("has changed") == true, "\(other ?? "it was read")")
            let secret = error { () throws(ConfigurationError) in
                _ = try TrustedFile.readSecret("/proc/self/mem", limit: 9)
            }
            #expect(secret?.contains("cannot be read") == true, "\(secret ?? "it was read")")
        }

        @Test("that are secret are nobody else's to read")
        func secret() {
            chmod(path, 0o640)
            #expect(error { () throws(ConfigurationError) in _ = try TrustedFile.read(path, limit: 6) } == nil)
            #expect(error { () throws(ConfigurationError) in _ = try TrustedFile.readSecret(path, limit: 6) } != nil)
        }
    }
#endif
