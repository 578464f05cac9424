#if os(Linux)
    import CForceField
    import ForceFieldKnownAnswers
    import Glibc
    import Testing

    @Suite("The system-call filter")
    struct FilterTests {
        static let architectures = [CFORCEFIELD_X86_64, CFORCEFIELD_AARCH64]

        struct Variant: CustomTestStringConvertible {
            let architecture: UInt32
            let isExec: Bool
            let notifies: Bool

            static let all = architectures.flatMap { architecture in
                [(false, false), (false, true), (true, false), (true, true)].map {
                    Variant(architecture: architecture, isExec: $0.0, notifies: $0.1)
                }
            }

            var testDescription: String {
                (architecture == CFORCEFIELD_X86_64 ? "x86-64" : "AArch64") + (isExec ? ", exec" : "")
                    + (notifies ? ", notify" : "")
            }

            var program: FilterInterpreter {
                FilterInterpreter(
                    architecture,
                    (isExec ? [cforcefield_filter_exec] : []) + (notifies ? [cforcefield_filter_notify] : []))
            }

            var forbidden: FilterAnswer { notifies ? .notify : .killProcess }

            func answer(_ action: CallTable.Action) -> FilterAnswer {
                switch action {
                case .allow: .allow
                case .kill: forbidden
                case .fail(let error): .error(error)
                }
            }
        }

        @Test("every number is answered as the table says, each condition held and not", arguments: Variant.all)
        func table(_ variant: Variant) throws {
            let table = try Fixture.table().rows.filter { !$0.isForExec || variant.isExec }
            let conditions = CallCondition.all(process: 2)
            let program = variant.program
            #expect(program.program.count > 100)
            for number in UInt32(0)...511 {
                let row = table.first { $0.number(variant.architecture) == number }
                var call = SystemCall(number: number, architecture: variant.architecture)
                let answer = try FilterAnswer(program.run(call))
                guard let row else {
                    // The hand-off of the listener: the one call of notify that the table does not list.
                    if variant.notifies,
                        cforcefield_system_call_number(variant.architecture, "sendmsg") == Int32(number)
                    {
                        call.arguments[0] = UInt64(CFORCEFIELD_HANDOFF)
                        #expect(try FilterAnswer(program.run(call)) == .allow)
                    }
                    #expect(answer == variant.forbidden, "\(number)")
                    continue
                }
                if row.isConditional {
                    let condition = try #require(conditions[row.name], "\(row.name)")
                    for arguments in condition.allowed {
                        call.arguments = arguments
                        #expect(try FilterAnswer(program.run(call)) == .allow, "\(row.name) \(arguments)")
                    }
                    for arguments in condition.refused {
                        call.arguments = arguments
                        #expect(
                            try FilterAnswer(program.run(call)) == variant.answer(row.action),
                            "\(row.name) \(arguments)")
                    }
                } else {
                    #expect(answer == variant.answer(row.action), "\(row.name)")
                    call.arguments = Array(repeating: .max, count: 6)
                    #expect(try FilterAnswer(program.run(call)) == variant.answer(row.action), "\(row.name)")
                }
            }
        }

        @Test("numbers beyond the table, of x32 and of other architectures are forbidden", arguments: Variant.all)
        func borders(_ variant: Variant) throws {
            let program = variant.program
            let other = variant.architecture == CFORCEFIELD_X86_64 ? CFORCEFIELD_AARCH64 : CFORCEFIELD_X86_64
            let beyond: FilterAnswer = variant.architecture == CFORCEFIELD_X86_64 ? .killProcess : variant.forbidden
            for number in [512, 513, 1000, 0x3fff_ffff] as [UInt32] {
                #expect(
                    try FilterAnswer(program.run(SystemCall(number: number, architecture: variant.architecture)))
                        == variant.forbidden)
            }
            for number in (0...511).map({ 0x4000_0000 + $0 }) + [.max, 0x8000_0000, .max - 1] as [UInt32] {
                #expect(
                    try FilterAnswer(program.run(SystemCall(number: number, architecture: variant.architecture)))
                        == beyond)
            }
            // i386, as by `int 0x80`; ARM; and none.
            for architecture in [other, 0x4000_0003, 0x4000_0028, 0] {
                for number in UInt32(0)...511 {
                    #expect(
                        try FilterAnswer(program.run(SystemCall(number: number, architecture: architecture)))
                            == .killProcess)
                }
            }
        }

        @Test("every condition of the table is tried")
        func complete() throws {
            let conditional = try Fixture.table().rows.filter(\.isConditional).map(\.name)
            #expect(Set(conditional) == Set(CallCondition.all(process: 2).keys))
            #expect(try Fixture.table().rows.count > 80)
        }

        @Test("the names and numbers of the table are those of the room")
        func names() throws {
            for row in try Fixture.table().rows {
                for architecture in Self.architectures {
                    let number = cforcefield_system_call_number(architecture, row.name)
                    #expect(number == row.number(architecture).map { Int32($0) } ?? -1, "\(row.name)")
                    guard let known = row.number(architecture) else { continue }
                    #expect(
                        String(cString: try #require(cforcefield_system_call_name(architecture, known))) == row.name)
                }
            }
            #expect(cforcefield_system_call_name(CFORCEFIELD_X86_64, .max) == nil)
            #expect(cforcefield_system_call_name(CFORCEFIELD_AARCH64, 2000) == nil)
            #expect(cforcefield_system_call_number(CFORCEFIELD_X86_64, "no_such_call") == -1)
            #expect(cforcefield_system_call_number(1, "read") == -1)
        }

        @Test("a signal goes to the process that the filter was built for, and to no other")
        func ownProcess() throws {
            let program = FilterInterpreter(CFORCEFIELD_X86_64, [], process: 4711)
            func answer(_ process: UInt64) throws -> FilterAnswer? {
                try FilterAnswer(
                    program.run(
                        SystemCall(number: 234, architecture: CFORCEFIELD_X86_64, arguments: [process, 1, 6, 0, 0, 0])))
            }
            #expect(try answer(4711) == .allow)
            #expect(try answer(2) == .killProcess)
        }

        @Test(
            "files may be opened for reading, descriptors received and sockets shut down, each only with its capability"
        )
        func capabilities() throws {
            func answers(_ options: [cforcefield_filter_options], _ name: String, flags: UInt64 = 0) throws
                -> [FilterAnswer?]
            {
                try Self.architectures.map { architecture in
                    let number = UInt32(cforcefield_system_call_number(architecture, name))
                    let call = SystemCall(
                        number: number, architecture: architecture, arguments: [3, 1, flags, 0, 0, 0])
                    return try FilterAnswer(FilterInterpreter(architecture, options).run(call))
                }
            }
            for flags in [0, 0x80000] as [UInt64] {
                #expect(try answers([cforcefield_filter_files], "openat", flags: flags) == [.allow, .allow])
            }
            // Writing, creating, truncating, appending, unnamed files, paths only.
            for flags in [1, 2, 3, 0o100, 0o1000, 0o2000, 0o20200000, 0o10000000] as [UInt64] {
                #expect(
                    try answers([cforcefield_filter_files], "openat", flags: flags) == [.error(EACCES), .error(EACCES)])
            }
            for (name, option) in [
                ("recvmsg", cforcefield_filter_descriptors), ("pread64", cforcefield_filter_descriptors),
                ("shutdown", cforcefield_filter_network),
            ] {
                #expect(try answers([option], name) == [.allow, .allow])
                #expect(try answers([], name) == [.killProcess, .killProcess])
            }
        }

        @Test(
            "where the root is not empty, newfstatat is for nobody: its path may name a file", arguments: architectures)
        func hostRoot(_ architecture: UInt32) throws {
            let number = UInt32(cforcefield_system_call_number(architecture, "newfstatat"))
            let call = SystemCall(number: number, architecture: architecture, arguments: [3, 1, 1, 0x1000, 0, 0])
            #expect(try FilterAnswer(FilterInterpreter(architecture, []).run(call)) == .allow)
            let interpreter = FilterInterpreter(architecture, [cforcefield_filter_host_root])
            #expect(try FilterAnswer(interpreter.run(call)) == .error(ENOENT))
        }

        @Test("what is sent is sent plainly: nothing out of band", arguments: architectures)
        func sendFlags(_ architecture: UInt32) throws {
            let number = UInt32(cforcefield_system_call_number(architecture, "sendto"))
            func answer(_ flags: UInt64) throws -> FilterAnswer? {
                let call = SystemCall(number: number, architecture: architecture, arguments: [3, 1, 1, flags, 0, 0])
                return try FilterAnswer(FilterInterpreter(architecture, []).run(call))
            }
            // None, DONTWAIT, NOSIGNAL, MORE.
            for flags in [0, 0x40, 0x4000, 0x8000, 0xc040] as [UInt64] { #expect(try answer(flags) == .allow) }
            // OOB, OOB among others, DONTROUTE, FASTOPEN, ZEROCOPY.
            for flags in [1, 0x4041, 4, 0x2000_0000, 0x400_0000] as [UInt64] {
                #expect(try answer(flags) == .killProcess)
            }
        }

        @Test("what is received is received plainly: nothing out of band", arguments: architectures)
        func receiveFlags(_ architecture: UInt32) throws {
            for (name, place, options) in [
                ("recvfrom", 3, []), ("recvmsg", 2, [cforcefield_filter_descriptors]),
            ] as [(String, Int, [cforcefield_filter_options])] {
                let number = UInt32(cforcefield_system_call_number(architecture, name))
                func answer(_ flags: UInt64) throws -> FilterAnswer? {
                    var call = SystemCall(number: number, architecture: architecture, arguments: [3, 1, 1, 1, 1, 1])
                    call.arguments[place] = flags
                    return try FilterAnswer(FilterInterpreter(architecture, options).run(call))
                }
                // None, PEEK, DONTWAIT, WAITALL, NOSIGNAL, CMSG_CLOEXEC.
                for flags in [0, 2, 0x40, 0x100, 0x4000, 0x4000_0000] as [UInt64] {
                    #expect(try answer(flags) == .allow, "\(name) \(flags)")
                }
                // OOB, OOB among others, ERRQUEUE, TRUNC.
                for flags in [1, 0x4000_0041, 0x2000, 0x20] as [UInt64] {
                    #expect(try answer(flags) == .killProcess, "\(name) \(flags)")
                }
            }
        }

        @Test(
            "two filters, before and after ready, together forbid what one forbids", arguments: architectures,
            [[], [cforcefield_filter_host_root]])
        func ready(_ architecture: UInt32, root: [cforcefield_filter_options]) throws {
            let before = FilterInterpreter(architecture, [cforcefield_filter_before_ready, cforcefield_filter_notify])
            let after = FilterInterpreter(
                architecture, [cforcefield_filter_after_ready, cforcefield_filter_notify] + root)
            let whole = FilterInterpreter(architecture, [cforcefield_filter_notify] + root)
            let conditions = CallCondition.all(process: 2)
            // The stricter counts: KILL_PROCESS before ERRNO before USER_NOTIF before ALLOW; of equals, the newer
            // filter.
            func rank(_ answer: FilterAnswer?) -> Int {
                switch answer {
                case .killProcess: 0
                case .error: 1
                case .notify: 2
                default: 3
                }
            }
            for number in UInt32(0)...520 {
                let name = cforcefield_system_call_name(architecture, number).map { String(cString: $0) } ?? ""
                let known = conditions[name].map { $0.allowed + $0.refused } ?? []
                for arguments in known + [[0, 0, 0, 0, 0, 0], [250, 1, 1, 1, 1, 1], [1, 1, 7, 7, 7, 7]] {
                    let call = SystemCall(number: number, architecture: architecture, arguments: arguments)
                    let both =
                        try [FilterAnswer(after.run(call)), FilterAnswer(before.run(call))].min { rank($0) < rank($1) }
                        ?? nil
                    let one = try FilterAnswer(whole.run(call))
                    // A call forbidden by the second filter is killed without a report.
                    let isForbidden = both == .killProcess || both == .notify
                    #expect(both == one || (isForbidden && one == .notify), "\(name) \(arguments)")
                }
            }
            // What is coarser before: reading files, code, and the lock itself.
            for (name, arguments) in [
                ("openat", [0, 1, 0]), ("mmap", [0, 1, 5]), ("mprotect", [0, 1, 5]), ("seccomp", [1, 1, 1]),
                ("landlock_restrict_self", [1, 0, 0]), ("pread64", [3, 0, 0]),
            ] as [(String, [UInt64])] {
                let number = UInt32(cforcefield_system_call_number(architecture, name))
                let call = SystemCall(number: number, architecture: architecture, arguments: arguments + [0, 0, 0])
                #expect(try FilterAnswer(before.run(call)) == .allow, "\(name)")
                #expect(try FilterAnswer(after.run(call)) != .allow, "\(name)")
            }
        }

        @Test(
            "every option gives a program that runs to an answer and is far from the kernel's limit",
            arguments: architectures)
        func allOptions(_ architecture: UInt32) throws {
            for options in UInt32(0)..<256 {
                var program = [cforcefield_instruction](repeating: cforcefield_instruction(), count: 1024)
                let count = cforcefield_filter_build(architecture, options, 2, &program, program.count)
                #expect((20...400).contains(count))
                let interpreter = FilterInterpreter(program: Array(program.prefix(count)))
                for number in UInt32(0)...511 {
                    let call = SystemCall(number: number, architecture: architecture)
                    #expect(try FilterAnswer(interpreter.run(call)) != nil)
                }
            }
        }

        @Test("too little room or an unknown architecture gives no program")
        func refusals() {
            var program = [cforcefield_instruction](repeating: cforcefield_instruction(), count: 1024)
            #expect(cforcefield_filter_build(CFORCEFIELD_X86_64, 0, 2, &program, 100) == 0)
            #expect(cforcefield_filter_build(CFORCEFIELD_X86_64, 0, 2, nil, 0) == 0)
            #expect(cforcefield_filter_build(0x4000_0003, 0, 2, &program, 1024) == 0)
            #expect(cforcefield_filter_build_warden(0, -2, &program, 1024) == 0)
        }

        @Test("the warden may end its worker and nobody else", arguments: architectures)
        func warden(_ architecture: UInt32) throws {
            var program = [cforcefield_instruction](repeating: cforcefield_instruction(), count: 1024)
            let count = cforcefield_filter_build_warden(architecture, -2, &program, program.count)
            let interpreter = FilterInterpreter(program: Array(program.prefix(count)))
            func answer(_ name: String, _ arguments: [UInt64]) throws -> FilterAnswer? {
                let number = UInt32(cforcefield_system_call_number(architecture, name))
                let padded = arguments + Array(repeating: 0, count: 6 - arguments.count)
                return try FilterAnswer(
                    interpreter.run(SystemCall(number: number, architecture: architecture, arguments: padded)))
            }
            #expect(try answer("kill", [UInt64(bitPattern: -2), 9]) == .allow)
            #expect(try answer("kill", [UInt64(bitPattern: -1), 9]) == .killProcess)
            #expect(try answer("kill", [UInt64(bitPattern: -2), 15]) == .killProcess)
            #expect(try answer("kill", [1, 9]) == .killProcess)
            #expect(try answer("pidfd_send_signal", [5, 9]) == .allow)
            #expect(try answer("pidfd_send_signal", [5, 24]) == .allow)
            #expect(try answer("pidfd_send_signal", [5, 19]) == .killProcess)
            #expect(try answer("ioctl", [5, 0xc050_2100]) == .allow)
            // ADDFD would put a descriptor into the worker.
            #expect(try answer("ioctl", [5, 0x4018_2103]) == .killProcess)
            for name in ["openat", "socket", "clone", "execve", "mmap", "ptrace", "connect"] {
                #expect(try answer(name, []) == .killProcess, "\(name)")
            }
        }
    }
#endif
