#if os(Linux)
    import CForceField
    import Glibc
    import Testing

    @Suite("What this machine gives")
    struct MachineTests {
        @Test("looking changes nothing of this process")
        func unchanged() throws {
            let before = try (getuid(), namespaces())
            var facts = cforcefield_machine()
            #expect(cforcefield_probe(&facts) == 0)
            #expect(before.0 == getuid())
            #expect(try before.1 == namespaces())
        }

        private func namespaces() throws -> [String] {
            try ["user", "mnt", "pid", "net", "ipc", "uts", "cgroup"].map { name in
                var buffer = [CChar](repeating: 0, count: 64)
                try #require(readlink("/proc/self/ns/\(name)", &buffer, buffer.count - 1) > 0)
                return String(decoding: buffer.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            }
        }

        @Test("a uid of its own is for root to give, a cgroup is looked for elsewhere")
        func layers() {
            #expect(Machine.error(cforcefield_layer_distinct_uid) == (geteuid() == 0 ? 0 : EPERM))
            #expect(Machine.error(cforcefield_layer_cgroup) == ENOSYS)
            #expect(Machine.error(cforcefield_layer_rlimits) == 0)
        }

        @Test("Landlock has a version where it can be had, and none where not")
        func landlock() throws {
            let facts = try #require(Machine.facts)
            #expect((facts.landlock_abi > 0) == (Machine.error(cforcefield_layer_landlock) == 0))
        }
    }
#endif
