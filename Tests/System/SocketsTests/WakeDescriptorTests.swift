#if os(Linux)
    import Glibc
    import Testing
    import Threads

    @Suite("Descriptors that wake")
    struct WakeDescriptorTests {
        private let wake: WakeDescriptor

        init() throws { wake = try #require(WakeDescriptor()) }

        private var isReadable: Bool {
            var wanted = pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0)
            return poll(&wanted, 1, 0) == 1
        }

        @Test("one is readable from when it is raised until it is cleared", arguments: [1, 2, 8, 9, 1_000_000])
        func raise(_ times: Int) {
            #expect(!isReadable)
            for _ in 0..<times { wake.raise() }
            #expect(isReadable && isReadable)
            wake.clear()
            #expect(!isReadable)
            wake.clear()
            wake.raise()
            #expect(isReadable)
        }

        @Test("no program that is started has it")
        func closing() { #expect(fcntl(wake.descriptor, F_GETFD) == FD_CLOEXEC) }
    }
#endif
