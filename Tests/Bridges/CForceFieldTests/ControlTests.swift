#if os(Linux)
    import CForceField
    import Glibc
    import Testing

    @Suite("Records of the control channel")
    struct ControlTests {
        private func withPair(_ body: (Int32, Int32) throws -> Void) throws {
            var pair: [Int32] = [-1, -1]
            try #require(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &pair) == 0)
            defer { for descriptor in pair where descriptor >= 0 { close(descriptor) } }
            try body(pair[0], pair[1])
        }

        @Test("a record lies in its 64 bytes as the protocol says")
        func layout() {
            var record = cforcefield_record()
            cforcefield_record_make(&record, cforcefield_violation)
            record.violation.number = 101
            record.violation.architecture = CFORCEFIELD_X86_64
            record.violation.instruction = 0x1122_3344_5566_7788
            record.violation.arguments.3 = 0xff
            record.violation.thread = 2
            var expected: [UInt8] = Array("FFC1".utf8) + [3, 0, 0, 0, 101, 0, 0, 0, 0x3e, 0, 0, 0xc0]
            expected += [0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11] + Array(repeating: 0, count: 24)
            expected += [0xff, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0]
            #expect(withUnsafeBytes(of: record, Array.init) == expected)
        }

        @Test("the last record is received although one from here was not read")
        func crossing() throws {
            var pair: [Int32] = [-1, -1]
            try #require(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &pair) == 0)
            defer { close(pair[1]) }
            var record = cforcefield_record()
            var received = cforcefield_record()
            var pidfd: Int32 = 0
            cforcefield_record_make(&record, cforcefield_exited)
            record.exited.status = SIGSYS
            #expect(cforcefield_control_send(pair[0], &record) == 0)
            cforcefield_record_make(&record, cforcefield_kill)
            #expect(cforcefield_control_send(pair[1], &record) == 0)
            close(pair[0])
            #expect(cforcefield_control_receive(pair[1], &received, &pidfd) == 1)
            #expect(received.kind == UInt16(cforcefield_exited.rawValue) && received.exited.status == SIGSYS)
            #expect(cforcefield_control_receive(pair[1], &received, &pidfd) == 0)
        }

        @Test("what is sent is received, and the end is told")
        func roundTrip() throws {
            try withPair { one, other in
                var record = cforcefield_record()
                var received = cforcefield_record()
                var pidfd: Int32 = 0
                #expect(cforcefield_control_receive(other, &received, &pidfd) == -1 && errno == EAGAIN)
                for kind in [1, 2, 3, 4, 5, 6, 64, 65, 66, 67] as [UInt32] {
                    cforcefield_record_make(&record, cforcefield_record_kind(kind))
                    record.background.grace_milliseconds = kind * 1000
                    #expect(cforcefield_control_send(one, &record) == 0)
                    #expect(cforcefield_control_receive(other, &received, &pidfd) == 1)
                    #expect(withUnsafeBytes(of: received, Array.init) == withUnsafeBytes(of: record, Array.init))
                    #expect(pidfd == -1)
                }
                shutdown(one, Int32(SHUT_RDWR))
                #expect(cforcefield_control_receive(other, &received, &pidfd) == 0)
                #expect(cforcefield_control_send(one, &record) == -1 && errno == EPIPE)
            }
        }

        @Test(
            "a short, a long, an unknown and a strange record are refused",
            arguments: [
                (63, 4, 1), (65, 4, 1), (64, 4, 0), (64, 4, 7), (64, 4, 63), (64, 4, 68), (64, 6, 1), (64, 0, 1),
            ])
        func refused(size: Int, index: Int, value: UInt8) throws {
            try withPair { one, other in
                var record = cforcefield_record()
                cforcefield_record_make(&record, cforcefield_started)
                var bytes = withUnsafeBytes(of: record, Array.init) + [0]
                bytes[index] = value
                #expect(send(one, bytes, size, 0) == size)
                var received = cforcefield_record()
                var pidfd: Int32 = 0
                #expect(cforcefield_control_receive(other, &received, &pidfd) == -1 && errno == EBADMSG)
                #expect(pidfd == -1)
            }
        }
    }
#endif
