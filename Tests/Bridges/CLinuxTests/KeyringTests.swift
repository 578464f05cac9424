#if os(Linux)
    import CLinux
    import Foundation
    import Testing

    @Suite("The kernel's keyring", .enabled(if: clinux_keyring_available() == 0))
    struct KeyringTests {
        private let name = "casemate-test:\(UInt64.random(in: 0 ... .max))"

        private func write(_ payload: [UInt8]) -> Int32 { clinux_keyring_write(name, payload, payload.count, 3_600) }

        private func read(_ capacity: Int = 64) -> [UInt8]? {
            var buffer = [UInt8](repeating: 0, count: capacity)
            let count = Int(clinux_keyring_read(name, &buffer, capacity))
            return count < 0 ? nil : Array(buffer.prefix(count))
        }

        private func names() -> [String] {
            var found: [String] = []
            withUnsafeMutablePointer(to: &found) { found in
                _ = clinux_keyring_list(
                    { context, name in
                        guard let context, let name else { return }
                        context.assumingMemoryBound(to: [String].self).pointee.append(String(cString: name))
                    }, found)
            }
            return found
        }

        @Test("a key is written, replaced, listed and removed")
        func life() {
            #expect(write([1, 2, 3]) == 0)
            #expect(read() == [1, 2, 3])
            #expect(write([4, 5]) == 0)
            #expect(read() == [4, 5])
            #expect(names().filter { $0 == name }.count == 1)
            #expect(clinux_keyring_remove(name) == 0)
            #expect(read() == nil)
            #expect(!names().contains(name))
        }

        @Test("a key that is not there is ENOKEY")
        func absent() {
            #expect(read() == nil)
            #expect(errno == ENOKEY)
            #expect(clinux_keyring_remove(name) == -1)
        }

        @Test("only the possessor of the keyring has rights to a key")
        func permissions() throws {
            #expect(write([1]) == 0)
            defer { clinux_keyring_remove(name) }
            let table = try #require(FileHandle(forReadingAtPath: "/proc/keys")).readToEnd() ?? Data()
            let keys = String(decoding: table, as: UTF8.self).split(separator: "\n")
            let line = try #require(keys.first { $0.contains(name) })
            #expect(line.contains(" 3f000000 "))
        }

        @Test("all threads see one keyring")
        func threads() {
            #expect(write([9]) == 0)
            defer { clinux_keyring_remove(name) }
            let box = Box()
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                box.value = read()
                done.signal()
            }
            done.wait()
            #expect(box.value == [9])
        }

        // @unchecked: written by one thread before the semaphore is signalled, read by the other after.
        private final class Box: @unchecked Sendable {
            var value: [UInt8]?
        }
    }
#endif
