#if os(Linux)
    import CLinux
    import Files
    import Glibc
    import Testing

    @testable import CodeMeasurement

    @Suite("Peers")
    struct PeerTests {
        private let peer = PeerCredentials(process: 20, user: 1000, group: 1000)

        @Test("only users of the list may connect, and neither unseen processes nor this one")
        func policy() throws {
            let policy = PeerPolicy(allowedUsers: [1000])
            try policy.check(peer, ownProcess: 10)
            let refused = [
                PeerCredentials(process: 20, user: 1001, group: 1000),
                PeerCredentials(process: 0, user: 1000, group: 1000),
                PeerCredentials(process: 10, user: 1000, group: 1000),
            ]
            for peer in refused {
                let refusal = #expect(throws: MeasurementRefusal.self) { try policy.check(peer, ownProcess: 10) }
                #expect(refusal?.reason == .peerIdentity)
            }
            #expect(throws: MeasurementRefusal.self) { try PeerPolicy(allowedUsers: []).check(peer, ownProcess: 10) }
        }

        @Test("a message without a sender, or from another one, is refused")
        func constancy() throws {
            var sender = ConstantSender(expected: peer)
            try sender.check(peer)
            for other in [
                nil, PeerCredentials(process: 21, user: 1000, group: 1000),
                PeerCredentials(process: 20, user: 0, group: 1000), PeerCredentials(process: 20, user: 1000, group: 0),
            ] {
                let refusal = #expect(throws: MeasurementRefusal.self) { try sender.check(other) }
                #expect(refusal?.reason == .peerIdentity)
            }
            try sender.check(peer)
            var first = ConstantSender(expected: nil)
            try first.check(peer)
            #expect(first.credentials == peer)
            #expect(throws: MeasurementRefusal.self) {
                try first.check(PeerCredentials(process: 21, user: 1000, group: 1000))
            }
        }

        @Test("only one answer means an older kernel; every other one drops the peer")
        func olderKernel() {
            #expect(PeerDescriptor(result: 5, code: 0) == .strong(5))
            #expect(PeerDescriptor(result: -1, code: ENOPROTOOPT) == .olderKernel)
            for code in [EINVAL, ESRCH, ENODATA, EBADF, EMFILE, EPERM, ENOTSUP] {
                #expect(PeerDescriptor(result: -1, code: code) == .gone(code: code))
            }
        }

        @Test("handles travel in the order of their bits")
        func mask() {
            #expect(HandleMask.usual.rawValue == 7)
            #expect(HandleMask.all.count == 5)
            #expect(HandleMask(rawValue: 0x15).kinds == [.executable, .pagemap, .smaps])
            #expect(HandleMask(rawValue: 0x20).isSubset(of: .all) == false)
        }

        @Test("handles that this process sent of itself are taken, also without the right to open them")
        func ownHandles() throws {
            let own = try MeasurementHandles.ofThisProcess([.executable, .maps, .pagemap, .smaps])
            #expect(own.mask.rawValue == 0x17)
            let taken = try MeasurementHandles(receiving: own.descriptors, mask: own.mask, from: getpid())
            #expect(taken.mask == own.mask)
            for process in [1, getpid() + 1] {
                let refusal = #expect(throws: MeasurementRefusal.self) {
                    try MeasurementHandles(receiving: own.descriptors, mask: own.mask, from: process)
                }
                #expect(refusal?.reason == .unmeasurable)
            }
        }

        @Test("descriptors that do not fit the mask are malformed")
        func counts() throws {
            let own = try MeasurementHandles.ofThisProcess()
            for (descriptors, mask) in [
                (own.descriptors, HandleMask([.executable, .maps])), (Array(own.descriptors.prefix(2)), .usual),
                ([], .executable), (own.descriptors, HandleMask(rawValue: 0x26)),
            ] {
                let refusal = #expect(throws: MeasurementRefusal.self) {
                    try MeasurementHandles(receiving: descriptors, mask: mask, from: getpid())
                }
                #expect(refusal?.reason == .malformed)
            }
        }

        @Test(
            "descriptors that are not what they are to be are unmeasurable",
            arguments: [
                ("/etc/passwd", HandleMask.maps), ("/proc/self/maps", .pagemap), ("/proc/self/environ", .maps),
                ("/proc/version", .maps), ("/dev/null", .executable), ("/proc", .executable),
                ("/proc/thread-self/maps", .maps),
            ])
        func decoys(path: String, mask: HandleMask) throws {
            let descriptor = try OpenFile(opening: path)
            let refusal = #expect(throws: MeasurementRefusal.self) {
                try MeasurementHandles(receiving: [descriptor], mask: mask, from: getpid())
            }
            #expect(refusal?.reason == .unmeasurable)
        }

        @Test("a program that is open for writing, or only named, is unmeasurable", arguments: [O_RDWR, CLINUX_O_PATH])
        func openForWriting(flags: Int32) throws {
            var name = Array("/tmp/measurement-XXXXXX".utf8CString)
            let made = mkstemp(&name)
            try #require(made >= 0)
            defer { unlink(name) }
            close(made)
            let descriptor = OpenFile(owning: open(name, flags | O_CLOEXEC))
            #expect(throws: MeasurementRefusal.self) {
                try MeasurementHandles(receiving: [descriptor], mask: .executable, from: getpid())
            }
        }

        @Test("a process is known by its start; one that has ended is refused")
        func observed() throws {
            let own = try ObservedProcess(getpid())
            try own.check()
            #expect(!own.isStrong)
            #expect(own.bootID.count == 36)
            #expect(own.startTime > 0)
            let refusal = #expect(throws: MeasurementRefusal.self) { try ObservedProcess(0x3fff_ffff) }
            #expect(refusal?.reason == .peerIdentity)
        }

        @Test("a process that has ended is noticed before anybody has waited for it")
        func zombie() throws {
            var process: pid_t = 0
            var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("/bin/true"), nil]
            defer { free(arguments[0]) }
            try #require(posix_spawn(&process, "/bin/true", nil, nil, &arguments, environ) == 0)
            var information = siginfo_t()
            // Waits for the end without taking it.
            #expect(waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) == 0)
            let refusal = #expect(throws: MeasurementRefusal.self) { try ObservedProcess(process) }
            #expect(refusal?.reason == .peerIdentity)
            waitpid(process, nil, 0)
        }
    }
#endif
