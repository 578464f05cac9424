#if os(Linux)
    import CForceField
    import Foundation
    import Testing

    extension LiveTests {
        @Suite("What surrounds a worker")
        struct LayersTests {
            /// All but the cgroup, and the uid that only root can give.
            static let all =
                CFORCEFIELD_ALL_LAYERS & ~cforcefield_layer_cgroup.rawValue
                & ~(geteuid() == 0 ? 0 : cforcefield_layer_distinct_uid.rawValue)

            @Test("every layer is there, told after the warden")
            func everything() throws {
                let worker = try Worker()
                let started = try worker.await(cforcefield_started).started
                #expect(worker.kinds == [cforcefield_warden.rawValue, cforcefield_started.rawValue])
                #expect(started.layers == Self.all)
                #expect(started.landlock_abi >= 1)
                #expect(started.worker == 3)
                #expect(started.nanoseconds > 0)
                #expect(worker.ask(.echo, 42) == 42)
                #expect(worker.ask(.pid) == 3)
                #expect(worker.ask(.uid) == 0)
            }

            @Test("libc and the kernel agree on its thread, with and without a process namespace")
            func thread() throws {
                let worker = try Worker()
                #expect(worker.ask(.thread) == 3)
                // Without the namespace no process gives its memory to another, and libc's notes are as they ever were.
                let other = try Worker { $0.layers_off = cforcefield_layer_pid.rawValue }
                #expect(other.ask(.thread) == other.ask(.pid))
                let noted = try [worker, other].map { try #require($0.ask(.notedProcessor)) }
                #expect((noted[0] >= 0) == (noted[1] >= 0))
                #expect(noted.allSatisfy { $0 < Int64(sysconf(Int32(_SC_NPROCESSORS_CONF))) })
            }

            @Test(
                "warden and worker have a memory each",
                .enabled(if: geteuid() == 0, "only root may compare"),
                arguments: [0, cforcefield_layer_pid.rawValue])
            func memory(off: UInt32) throws {
                let output = try Programs.output(of: [Programs.probe, "memory", Programs.probe, "\(off)"])
                #expect(output == "itself 0 other 1\n")
            }

            private static let processGroups = "/sys/fs/cgroup/pids"

            /// The host is one of the processes; stage 0, the warden, the process between and the worker follow.
            @Test(
                "where a process is not to be had, the host is told at which step, and nothing is left",
                .enabled(if: access(processGroups, W_OK) == 0, "no control groups of version 1 that may be written"),
                arguments: [(1, "spawn"), (2, "stage 8"), (3, "stage 14"), (4, "stage 14")])
            func fewProcesses(most: Int, step: String) throws {
                let group = "\(Self.processGroups)/forcefield-test-\(getpid())"
                #expect(mkdir(group, 0o755) == 0)
                defer { #expect(eventually { rmdir(group) == 0 }) }
                try Data("\(most)".utf8).write(to: URL(filePath: group + "/pids.max"))
                let script = "echo $$ > \(group)/cgroup.procs && exec '\(Programs.probe)' hello"
                let answer = try Programs.output(of: ["/bin/sh", "-c", script])
                #expect(answer == "\(step): Resource temporarily unavailable\n")
            }

            @Test("it has the channel and its output, six variables, and nothing else")
            func nothingElse() throws {
                let worker = try Worker()
                #expect(worker.ask(.descriptors) == 4)
                #expect(worker.ask(.environment) == 6)
                #expect(worker.ask(.lock) == Int64(-EALREADY))
            }

            @Test("the fewest descriptors that a policy may allow cost no layer")
            func fewestDescriptors() throws {
                let worker = try Worker { $0.open_files = CFORCEFIELD_FEWEST_OPEN_FILES }
                #expect(try worker.await(cforcefield_started).started.layers == Self.all)
            }

            @Test("it sends nothing out of band")
            func outOfBand() throws {
                let worker = try Worker()
                worker.send(.sendUrgent)
                #expect(try worker.await(cforcefield_violation).violation.number == Audit.number("sendto"))
            }

            @Test("a path cannot be looked at, with or without the empty root")
            func lookAtPath() throws {
                #expect(try Worker().ask(.lookAtPath) == Int64(-ENOENT))
                let worker = try Worker { $0.layers_off = cforcefield_layer_empty_root.rawValue }
                #expect(worker.ask(.lookAtPath) == Int64(-ENOENT))
                let late = try Worker {
                    $0.layers_off = cforcefield_layer_empty_root.rawValue
                    $0.flags = cforcefield_policy_lock_ready.rawValue
                }
                #expect(late.ask(.lock) == 0)
                #expect(late.ask(.lookAtPath) == Int64(-ENOENT))
            }

            /// Runs a program with what a host may have been favoured with, and without core files.
            private static func favoured(_ command: String...) throws -> String {
                let words = ["nice", "-n", "-5", "chrt", "-f", "1", "choom", "-n", "-500", "--"]
                return try Programs.output(
                    of: ["/bin/sh", "-c", "ulimit -c 0 && exec \"$@\"", "favoured"] + words + command)
            }

            /// Not even root may take it everywhere.
            private static let mayBeFavoured = (try? favoured("echo", "yes")) == "yes\n"

            @Test(
                "a host's real time, its niceness, its protection from lack of memory and its core files are not the worker's",
                .enabled(if: mayBeFavoured, "the host cannot be favoured"))
            func inheritance() throws {
                #expect(
                    try Self.favoured(Programs.probe, "inherit")
                        == "class 0 nice 0 score 0 core \(geteuid() == 0 ? 1 : 0)\n")
            }

            @Test("a crash of it is no work for the host's handler of core dumps")
            func coreLimit() throws {
                var limit = rlimit()
                #expect(getrlimit(__rlimit_resource_t(4), &limit) == 0)
                // 1 says so; what is 0 already only root can raise.
                #expect(try Worker().ask(.coreLimit) == Int64(geteuid() == 0 ? 1 : min(limit.rlim_max, 1)))
            }

            @Test("what it prints comes to the host, with an end")
            func output() throws {
                let worker = try Worker()
                #expect(worker.ask(.print) == 19)
                worker.send(.exit)
                #expect(Worker.drain(worker.spawned.output) == "printed\ncomplained\n")
            }

            @Test(
                "a worker in Swift with its library inside starts and answers",
                .enabled(
                    if: FileManager.default.fileExists(atPath: Programs.swift), "SwiftForceFieldProbe is not built"))
            func swift() throws {
                let worker = try Worker(Programs.swift)
                _ = try worker.await(cforcefield_started)
                #expect(worker.ask(.echo, 40) == 40)
            }

            @Test(
                "a layer that is off is not there, and the rest is",
                arguments: [
                    cforcefield_layer_net, cforcefield_layer_ipc, cforcefield_layer_landlock, cforcefield_layer_notify,
                    cforcefield_layer_capabilities, cforcefield_layer_empty_root,
                ])
            func off(_ layer: cforcefield_layer) throws {
                let worker = try Worker { $0.layers_off = layer.rawValue }
                #expect(try worker.await(cforcefield_started).started.layers == Self.all & ~layer.rawValue)
                #expect(worker.ask(.echo, 1) == 1)
            }

            @Test("without a PID namespace the worker has a warden, and dies with it")
            func noProcessNamespace() throws {
                let worker = try Worker { $0.layers_off = cforcefield_layer_pid.rawValue }
                let started = try worker.await(cforcefield_started).started
                #expect(started.layers == Self.all & ~cforcefield_layer_pid.rawValue)
                #expect(started.worker > 2)
                #expect(worker.warden == worker.spawned.process)
                #expect(worker.ask(.pid) == Int64(started.worker))
                // The filter names the right process: abort() is let through.
                worker.send(.abort)
                #expect(try worker.await(cforcefield_exited).exited.status & 0x7f == SIGABRT)

                let other = try Worker { $0.layers_off = cforcefield_layer_pid.rawValue }
                let process = try other.await(cforcefield_started).started.worker
                kill(try #require(other.warden), SIGKILL)
                #expect(other.wardenEnds())
                #expect(eventually { !isRunning(process) })
            }

            @Test("it does not start before it is told to")
            func waitGo() throws {
                let worker = try Worker { $0.flags = cforcefield_policy_wait_go.rawValue }
                #expect(!Worker.wait(worker.spawned.control, milliseconds: 100))
                #expect(worker.tell(cforcefield_go))
                #expect(
                    try worker.await(cforcefield_started).started.layers == Self.all | cforcefield_layer_cgroup.rawValue
                )

                let other = try Worker { $0.flags = cforcefield_policy_wait_go.rawValue }
                #expect(other.tell(cforcefield_kill))
                #expect(try other.await(cforcefield_stage_failed).stage_failed.stage == cforcefield_stage_go.rawValue)
            }

            @Test("files of the policy can be read, not written, and no others")
            func files() throws {
                let text = FileManager.default.temporaryDirectory.appending(path: "forcefield-\(UUID())")
                try Data("12345".utf8).write(to: text)
                defer { try? FileManager.default.removeItem(at: text) }
                chmod(text.path, 0o644)
                let worker = try Worker { policy in
                    cforcefield_policy_add_file(&policy, "/dev/urandom", "/dev/urandom")
                    cforcefield_policy_add_file(&policy, text.path, "/etc/shared/text")
                }
                #expect(try worker.await(cforcefield_started).started.layers == Self.all)
                #expect(worker.ask(.open, 0) == 8)
                #expect(worker.ask(.open, 1) == 5)
                #expect(worker.ask(.open, 2) == Int64(-EACCES))
                #expect(worker.ask(.openForWriting, 0) == Int64(-EACCES))
                #expect(worker.ask(.openForWriting, 1) == Int64(-EACCES))
            }

            @Test("another file in the place of one of the policy is refused")
            func replaced() throws {
                let worker = try Worker { policy in
                    cforcefield_policy_add_file(&policy, "/dev/urandom", "/dev/urandom")
                    policy.files.0.inode += 1
                }
                let failed = try worker.await(cforcefield_stage_failed).stage_failed
                #expect(failed.stage == cforcefield_stage_root.rawValue && failed.error == ESTALE)
            }

            @Test("a worker that locks itself when ready reads its files before, and nothing after")
            func lockReady() throws {
                let worker = try Worker { policy in
                    policy.flags = cforcefield_policy_lock_ready.rawValue
                    cforcefield_policy_add_file(&policy, "/dev/urandom", "/dev/urandom")
                }
                #expect(worker.ask(.open, 0) == 8)
                #expect(worker.ask(.mapExecutable) == 1)
                #expect(worker.kinds.allSatisfy { $0 != cforcefield_started.rawValue })
                #expect(worker.ask(.lock) == 0)
                #expect(try worker.await(cforcefield_started).started.layers == Self.all)
                #expect(worker.ask(.lock) == Int64(-EALREADY))
                #expect(worker.ask(.open, 0) == Int64(-ENOENT))
                #expect(worker.ask(.descriptors) == 4)
                worker.send(.mapExecutable)
                #expect(try worker.await(cforcefield_exited).exited.status & 0x7f == SIGSYS)
            }

            @Test("before it is locked, it is killed for what has nothing to do with files")
            func beforeReady() throws {
                let worker = try Worker { $0.flags = cforcefield_policy_lock_ready.rawValue }
                worker.send(.attempt, try Audit.index(of: "proc_ptrace_me"))
                #expect(try worker.await(cforcefield_violation).violation.number == Audit.number("ptrace"))
            }

            @Test("where no user namespace can be had, the step and the reason are told")
            func noUserNamespace() throws {
                let script = "echo 0 > /proc/sys/user/max_user_namespaces && exec '\(Programs.probe)' hello"
                let output = try Programs.output(of: ["/usr/bin/unshare", "-Ur", "/bin/sh", "-c", script])
                #expect(output == "stage 6: No space left on device\n")
            }
        }
    }

    /// Whether a process exists and is no zombie.
    func isRunning(_ process: Int32) -> Bool {
        guard let line = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return false }
        return line.split(separator: ")").last?.split(separator: " ").first != "Z"
    }

    /// Waits for something that another process does, for up to five minutes.
    func eventually(_ condition: () -> Bool) -> Bool {
        for _ in 0..<30_000 {
            if condition() { return true }
            usleep(10_000)
        }
        return false
    }
#endif
