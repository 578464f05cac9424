#if os(Linux)
    import CForceField
    import ForceFieldKnownAnswers
    import Foundation
    import TestSupport
    import Testing

    /// `Fixtures/audit_probes.tsv`: what stops each attempt.
    enum Audit {
        static func table() throws -> [(name: String, expected: Int32)] {
            try Fixture.lines("audit_probes.tsv").filter { !$0.hasPrefix("#") }.map { line in
                let fields = line.split(separator: "\t").map(String.init)
                guard fields.count >= 3 else { throw Fixture.Malformed(line) }
                if fields[2] == "K" { return (fields[0], 0) }
                guard let error = CallTable.errors[String(fields[2].dropFirst(2))] else {
                    throw Fixture.Malformed(line)
                }
                return (fields[0], error)
            }
        }

        static func index(of name: String) throws -> UInt32 {
            UInt32(try #require(table().firstIndex { $0.name == name }))
        }

        static func number(_ name: String) -> UInt32 {
            UInt32(bitPattern: cforcefield_system_call_number(cforcefield_native_architecture(), name))
        }
    }

    @Suite("The attempts of the audit")
    struct AuditListTests {
        @Test("they are those of the table, in its order")
        func list() throws {
            let table = try Audit.table()
            #expect(cforcefield_audit_count() == table.count && table.count == 73)
            for (index, row) in table.enumerated() {
                let probe = try #require(cforcefield_audit_at(index)).pointee
                #expect(String(cString: probe.name) == row.name)
                #if arch(x86_64)
                    #expect(probe.expected == row.expected && probe.exists == 1)
                #endif
            }
            #expect(cforcefield_audit_at(73) == nil)
        }

        @Test("none is made outside of a PID namespace", .enabled(if: getpid() > 64))
        func outside() {
            for index in 0...73 { #expect(cforcefield_audit_attempt(index) == Int64(CFORCEFIELD_AUDIT_REFUSED)) }
        }
    }

    extension LiveTests {
        @Suite("The audit")
        struct AuditTests {
            /// What the test program prints for each attempt, in a worker of its own.
            private func expected() throws -> String {
                try Audit.table().map { row in
                    "\(row.name) " + (row.expected == 0 ? "killed" : "errno \(row.expected)") + "\n"
                }.joined()
            }

            /// Without the name of the call that follows `killed`.
            private func shortened(_ output: String) -> String {
                output.split(separator: "\n").map { line in
                    let words = line.split(separator: " ")
                    return (words.dropFirst().first == "killed" ? words.prefix(2) : words[...]).joined(separator: " ")
                        + "\n"
                }.joined()
            }

            #if arch(x86_64)
                @Test("every attempt ends as the table says")
                func own() throws {
                    let output = try Programs.output(of: [Programs.probe, "audit"])
                    #expect(try shortened(output) == expected())
                    // The kernel tells which call it was.
                    #expect(output.contains("proc_execve killed execve\n"))
                    #expect(output.contains("mem_rwx_mmap killed mmap\n"))
                }

                @Test(
                    "also for a host without any privilege", .enabled(if: geteuid() == 0, "only root can become nobody")
                )
                func nobody() throws {
                    let output = try Programs.output(of: Nobody.command([try Nobody.probe(), "audit"]))
                    #expect(try shortened(output) == expected())
                }
            #endif

            @Test("an unprivileged host that hides its memory can start workers", .enabled(if: geteuid() == 0))
            func hidden() throws {
                let output = try Programs.output(of: Nobody.command([try Nobody.probe(), "hidden-hello"]))
                #expect(output == "layers f77f answer 42\n")
            }
        }
    }

    enum Nobody {
        static func command(_ arguments: [String]) -> [String] {
            ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"] + arguments
        }

        /// A copy of the test program where everyone can reach it.
        static func probe() throws -> String {
            let copy = "/tmp/forcefield-probe-\(getpid())"
            if !FileManager.default.fileExists(atPath: copy) {
                try ExecutableCopy.make(of: Programs.probe, at: copy)
                chmod(copy, 0o755)
                atexit { unlink("/tmp/forcefield-probe-\(getpid())") }
            }
            return copy
        }
    }
#endif
