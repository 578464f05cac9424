#if os(Linux)
    import TestSupport
    import CForceField
    import Glibc
    import Testing

    @Suite("The policy of a worker")
    struct PolicyTests {
        private func made() -> cforcefield_policy {
            var policy = cforcefield_policy()
            cforcefield_policy_make(&policy)
            return policy
        }

        private func read(_ policy: cforcefield_policy) -> cforcefield_policy_refusal {
            var read = cforcefield_policy()
            return withUnsafeBytes(of: policy) { cforcefield_policy_read($0.baseAddress, $0.count, &read) }
        }

        @Test("the default policy is accepted, and comes back through a sealed memory file as it was")
        func roundTrip() throws {
            var policy = made()
            #expect(cforcefield_policy_add_file(&policy, "/dev/null", "/dev/null") == 0)
            policy.flags = cforcefield_policy_wait_go.rawValue
            policy.user = 0x7000_0001
            #expect(read(policy) == cforcefield_policy_accepted)
            let sealed = cforcefield_policy_seal(&policy)
            try #require(sealed >= 0)
            defer { close(sealed) }
            #expect(write(sealed, "x", 1) == -1)
            #expect(ftruncate(sealed, 0) == -1)
            var opened = cforcefield_policy()
            #expect(cforcefield_policy_open(sealed, &opened) == 0)
            #expect(withUnsafeBytes(of: opened, Array.init) == withUnsafeBytes(of: policy, Array.init))
        }

        /// A change to the default policy, and why it is refused.
        struct Change: Sendable {
            let refusal: cforcefield_policy_refusal
            let make: @Sendable (inout cforcefield_policy) -> Void

            init(_ refusal: cforcefield_policy_refusal, _ make: @escaping @Sendable (inout cforcefield_policy) -> Void)
            {
                self.refusal = refusal
                self.make = make
            }
        }

        static let changes: [Change] = [
            Change(cforcefield_policy_bad_magic) { $0.magic ^= 1 },
            Change(cforcefield_policy_bad_version) { $0.version = 2 },
            Change(cforcefield_policy_bad_size) { $0.size -= 1 },
            Change(cforcefield_policy_bad_flags) { $0.flags = 1 << 8 },
            Change(cforcefield_policy_bad_flags) { $0.flags = cforcefield_policy_no_channel.rawValue },
            Change(cforcefield_policy_bad_flags) { $0.flags = cforcefield_policy_network.rawValue },
            Change(cforcefield_policy_bad_flags) {
                $0.flags = cforcefield_policy_exec.rawValue | cforcefield_policy_lock_ready.rawValue
            },
            // A report needs the notification, and by default that may be missing.
            Change(cforcefield_policy_bad_flags) { $0.flags = cforcefield_policy_report.rawValue },
            Change(cforcefield_policy_bad_layers) { $0.layers_off = 1 << 16 },
            Change(cforcefield_policy_bad_layers) { $0.layers_may_miss = 1 << 31 },
            Change(cforcefield_policy_bad_layers) { $0.layers_off = cforcefield_layer_rlimits.rawValue },
            Change(cforcefield_policy_bad_user) { $0.user = 1000 },
            Change(cforcefield_policy_bad_user) { $0.user = 0x7fff_ffff },
            Change(cforcefield_policy_bad_profile) { $0.profile = 1 },
            Change(cforcefield_policy_bad_limit) { $0.memory_bytes = 0 },
            Change(cforcefield_policy_bad_limit) { $0.memory_bytes = .max },
            Change(cforcefield_policy_bad_limit) { $0.stack_bytes = 1 },
            Change(cforcefield_policy_bad_limit) { $0.cpu_seconds = 0 },
            Change(cforcefield_policy_bad_limit) { $0.cpu_seconds = .max },
            // The one-shot descriptors would be within reach.
            Change(cforcefield_policy_bad_limit) { $0.open_files = 200 },
            Change(cforcefield_policy_bad_limit) { $0.open_files = 4 },
            Change(cforcefield_policy_bad_limit) { $0.processes = 0 },
            Change(cforcefield_policy_bad_limit) { $0.lifetime_milliseconds = .max },
            Change(cforcefield_policy_not_zero) { $0.zero = 1 },
            Change(cforcefield_policy_bad_file) { $0.file_count = 9 },
            Change(cforcefield_policy_bad_file) { $0.file_count = 1 },
            Change(cforcefield_policy_not_zero) { $0.files.7.inode = 1 },
        ]

        @Test("what is not known or not sensible is refused", arguments: changes)
        func refused(_ change: Change) {
            var policy = made()
            change.make(&policy)
            #expect(read(policy) == change.refusal)
            #expect(cforcefield_policy_seal(&policy) == -1 && errno == EINVAL)
        }

        @Test("a policy of another length is refused")
        func length() {
            let policy = made()
            var read = cforcefield_policy()
            withUnsafeBytes(of: policy) { bytes in
                for count in [0, 1, 80, bytes.count - 1] {
                    #expect(cforcefield_policy_read(bytes.baseAddress, count, &read) == cforcefield_policy_bad_size)
                }
                let longer = Array(bytes) + [0]
                #expect(cforcefield_policy_read(longer, longer.count, &read) == cforcefield_policy_bad_size)
            }
        }

        @Test(
            "a path inside that could lead elsewhere is refused",
            arguments: [
                "", "/", "dev/null", "//null", "/dev//null", "/dev/", "/.", "/../etc", "/dev/..", "/dev/./null",
                "/" + String(repeating: "x", count: 63),
            ])
        func inside(_ path: String) {
            var policy = made()
            #expect(cforcefield_policy_add_file(&policy, "/dev/null", path) == -1 && errno == EINVAL)
            #expect(policy.file_count == 0)
        }

        @Test("a folder, a missing file, a relative path and a ninth file are refused")
        func files() {
            var policy = made()
            #expect(cforcefield_policy_add_file(&policy, "/dev", "/dev") == -1 && errno == EISDIR)
            #expect(cforcefield_policy_add_file(&policy, "/no/such/file", "/file") == -1 && errno == ENOENT)
            #expect(cforcefield_policy_add_file(&policy, "null", "/file") == -1 && errno == EINVAL)
            for index in 0..<8 { #expect(cforcefield_policy_add_file(&policy, "/dev/null", "/file\(index)") == 0) }
            #expect(cforcefield_policy_add_file(&policy, "/dev/null", "/file8") == -1 && errno == E2BIG)
        }

        @Test("a memory file that is not sealed in every way is refused")
        func seals() throws {
            // Not among what Swift imports of libc.
            typealias Create = @convention(c) (UnsafePointer<CChar>, UInt32) -> Int32
            let create = unsafeBitCast(try #require(dlsym(nil, "memfd_create")), to: Create.self)
            let policy = made()
            for seals in [0, 1, 2, 4, 8, 3, 7, 14, 13, 11] as [Int32] {
                let file = create("test", 3)
                defer { close(file) }
                #expect(
                    withUnsafeBytes(of: policy) { write(file, $0.baseAddress, $0.count) }
                        == MemoryLayout.size(ofValue: policy))
                #expect(fcntl(file, 1033, seals) == 0)
                var opened = cforcefield_policy()
                #expect(cforcefield_policy_open(file, &opened) == -1 && errno == EPERM, "\(seals)")
            }
            var opened = cforcefield_policy()
            #expect(cforcefield_policy_open(-1, &opened) == -1 && errno == EBADF)
        }

        @Test("no change of bytes makes the reader accept what is out of bounds")
        func noise() {
            var generator = SplitMix64(state: 1)
            var accepted = 0
            for _ in 0..<20_000 {
                var bytes = withUnsafeBytes(of: made(), Array.init)
                for _ in 0..<Int.random(in: 1...3, using: &generator) {
                    bytes[Int.random(in: 0..<(Bool.random(using: &generator) ? 84 : bytes.count), using: &generator)] =
                        .random(
                            in: 0...255)
                }
                var policy = cforcefield_policy()
                guard cforcefield_policy_read(bytes, bytes.count, &policy) == cforcefield_policy_accepted else {
                    continue
                }
                accepted += 1
                #expect(policy.open_files < 200 && policy.cpu_seconds > 0 && policy.file_count <= 8)
                #expect((policy.layers_off | policy.layers_may_miss) & cforcefield_layer_rlimits.rawValue == 0)
                #expect(policy.stack_bytes <= policy.memory_bytes)
                #expect(policy.user == 0 || (0x7000_0000...0x7ffe_ffff).contains(policy.user))
            }
            #expect(accepted > 0)
        }
    }
#endif
