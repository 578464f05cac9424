#if os(Linux)
    import CLinux
    import Glibc
    import Testing

    @Suite("What the kernel tells about memory")
    struct MeasureTests {
        @Test("the images of this program are told with their segments, until the report has enough")
        func images() {
            struct Found {
                var names: [String] = []
                var code = 0
            }
            var found = Found()
            let report:
                @convention(c) (
                    UnsafeMutableRawPointer?, UnsafePointer<CChar>?, UInt64, UnsafePointer<clinux_image_segment>?, Int
                ) -> Int32 = { context, name, _, segments, count in
                    guard let found = context?.assumingMemoryBound(to: Found.self), let name, let segments else {
                        return 1
                    }
                    found.pointee.names.append(String(cString: name))
                    found.pointee.code += UnsafeBufferPointer(start: segments, count: count).count { $0.flags & 1 != 0 }
                    return found.pointee.names.count == 3 ? 7 : 0
                }
            let answer = withUnsafeMutablePointer(to: &found) { clinux_iterate_images(report, $0) }
            #expect(answer == 7)
            #expect(found.names.count == 3)
            #expect(found.names.first?.isEmpty == true)
            #expect(found.code > 0)
        }

        @Test("a page that was written to is a private copy, one of a file is not")
        func privateCopies() throws {
            let page = sysconf(Int32(_SC_PAGESIZE))
            let file = open("/proc/self/exe", O_RDONLY)
            let pagemap = open("/proc/self/pagemap", O_RDONLY)
            defer {
                close(file)
                close(pagemap)
            }
            let memory = try #require(mmap(nil, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0))
            defer { munmap(memory, 3 * page) }
            let bytes = memory.assumingMemoryBound(to: UInt8.self)
            for index in 0..<3 { _ = bytes[index * page] }
            bytes[page] ^= 1
            var regions = [clinux_page_region](repeating: clinux_page_region(), count: 4)
            var reached: UInt64 = 0
            let start = UInt64(UInt(bitPattern: memory))
            let count = clinux_pagemap_private(pagemap, start, start + UInt64(3 * page), &regions, 4, &reached)
            // Kernels before 6.7 cannot search.
            guard count >= 0 else {
                #expect(errno == ENOTTY || errno == EINVAL)
                return
            }
            #expect(count == 1)
            #expect(regions[0].start == start + UInt64(page))
            #expect(regions[0].end == start + UInt64(2 * page))
        }

        @Test("bytes of a process are copied, and an address that is not mapped is an error")
        func memory() {
            var value: UInt64 = 0x0102_0304_0506_0708
            var copy: UInt64 = 0
            let address = withUnsafePointer(to: &value) { UInt64(UInt(bitPattern: $0)) }
            #expect(clinux_read_memory(getpid(), address, &copy, 8) == 8)
            #expect(copy == value)
            #expect(clinux_read_memory(getpid(), 0, &copy, 8) == -1)
        }

        @Test("a process that runs is told from one that has ended, and no descriptor from both")
        func running() {
            let own = clinux_process_open(getpid())
            defer { close(own) }
            #expect(clinux_process_runs(own) == 1)
            #expect(clinux_process_runs(-1) == -1)
        }
    }
#endif
