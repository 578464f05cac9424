#if os(Linux)
    import CForceField
    import Foundation
    import Testing

    extension LiveTests {
        @Suite("How workers end")
        struct EndingsTests {
            private func ended(_ worker: Worker) throws -> Int32 {
                let exited = try worker.await(cforcefield_exited).exited
                #expect(exited.wall_microseconds > 0 && exited.most_resident_kib > 0)
                #expect(worker.wardenEnds())
                return exited.status
            }

            @Test("an exit has its code", arguments: [0, 7, 255] as [UInt32])
            func exit(_ code: UInt32) throws {
                let worker = try Worker()
                worker.send(.exit, code)
                #expect(try ended(worker) == Int32(code) << 8)
            }

            @Test("a crash has its signal", arguments: [(Worker.Verb.abort, SIGABRT), (.fault, SIGSEGV)])
            func crash(_ verb: Worker.Verb, _ signal: Int32) throws {
                let worker = try Worker()
                worker.send(verb)
                #expect(try ended(worker) == signal)
            }

            @Test("the end of the channel ends a worker that waits")
            func channelEnd() throws {
                let worker = try Worker()
                _ = try worker.await(cforcefield_started)
                shutdown(worker.spawned.channel, Int32(SHUT_RDWR))
                #expect(try ended(worker) == 0)
            }

            @Test("a forbidden call is reported with its number and arguments")
            func violation() throws {
                let worker = try Worker()
                worker.send(.attempt, try Audit.index(of: "proc_kill_init"))
                let violation = try worker.await(cforcefield_violation).violation
                #expect(violation.number == Audit.number("kill"))
                #expect(violation.architecture == cforcefield_native_architecture())
                #expect(violation.arguments.0 == 1 && violation.arguments.1 == 0)
                #expect(violation.thread == 3 && violation.instruction != 0)
                #expect(try ended(worker) == SIGKILL)
            }

            @Test("without notification it is killed by the kernel")
            func violationWithoutNotify() throws {
                let worker = try Worker { $0.layers_off = cforcefield_layer_notify.rawValue }
                worker.send(.attempt, try Audit.index(of: "proc_kill_init"))
                #expect(try ended(worker) & 0x7f == SIGSYS)
                #expect(!worker.kinds.contains(cforcefield_violation.rawValue))
            }

            @Test("in report mode it is told EPERM, and lives on")
            func report() throws {
                let worker = try Worker {
                    $0.flags = cforcefield_policy_report.rawValue
                    $0.layers_may_miss = 0
                }
                for name in ["proc_kill_init", "proc_ptrace_me"] {
                    #expect(worker.ask(.attempt, try Audit.index(of: name)) == Int64(-EPERM))
                }
                #expect(worker.ask(.echo, 5) == 5)
                _ = try worker.await(cforcefield_violation)
                #expect(try worker.await(cforcefield_violation).violation.number == Audit.number("ptrace"))
            }

            @Test("a worker that has stopped itself is killed when the host says so")
            func killed() throws {
                let worker = try Worker()
                _ = try worker.await(cforcefield_started)
                worker.send(.stop)
                #expect(worker.tell(cforcefield_kill))
                #expect(try ended(worker) == SIGKILL)
            }

            @Test("too much computing ends by SIGXCPU")
            func cpu() throws {
                let worker = try Worker { $0.cpu_seconds = 1 }
                worker.send(.spin)
                let exited = try worker.await(cforcefield_exited).exited
                #expect(exited.status & 0x7f == SIGXCPU)
                #expect(exited.user_microseconds + exited.system_microseconds >= 900_000)
            }

            @Test("one that computes on after SIGXCPU is killed a second later, told why")
            func cpuWithoutSignal() throws {
                let worker = try Worker { $0.cpu_seconds = 1 }
                worker.send(.spinWithoutSignal)
                #expect(
                    try worker.await(cforcefield_limit).limit.which == cforcefield_limit_processor_time.rawValue)
                let exited = try worker.await(cforcefield_exited).exited
                #expect(exited.status == SIGKILL)
                #expect(exited.user_microseconds + exited.system_microseconds >= 1_900_000)
            }

            @Test("in the background it ends when the grace is over, told why")
            func background() throws {
                let worker = try Worker()
                _ = try worker.await(cforcefield_started)
                #expect(worker.tell(cforcefield_background, grace: 50))
                #expect(try worker.await(cforcefield_limit).limit.which == cforcefield_limit_background.rawValue)
                #expect(try ended(worker) == SIGKILL)
            }

            @Test("back in the foreground it lives on")
            func foreground() throws {
                let worker = try Worker()
                _ = try worker.await(cforcefield_started)
                // The warden hears both at once, so that no grace is over between them.
                let warden = try #require(worker.warden)
                kill(warden, SIGSTOP)
                #expect(worker.tell(cforcefield_background, grace: 200))
                #expect(worker.tell(cforcefield_foreground))
                kill(warden, SIGCONT)
                #expect(!Worker.wait(worker.spawned.control, milliseconds: 400))
                #expect(worker.ask(.echo, 3) == 3)
            }

            @Test("its lifetime is bounded, told why")
            func lifetime() throws {
                // On a busy machine a worker takes a while to start; what ends before that was no life, and is told in
                // another way.
                for milliseconds in [2_000, 20_000, 200_000] as [UInt64] {
                    let worker = try Worker { $0.lifetime_milliseconds = milliseconds }
                    guard (try? worker.await(cforcefield_started)) != nil else { continue }
                    #expect(try worker.await(cforcefield_limit).limit.which == cforcefield_limit_lifetime.rawValue)
                    #expect(try ended(worker) == SIGKILL)
                    return
                }
                Issue.record("no worker starts within minutes")
            }

            @Test("one that its lifetime ends before it is locked never started")
            func lifetimeBeforeStart() throws {
                let worker = try Worker {
                    $0.flags = cforcefield_policy_lock_ready.rawValue
                    $0.lifetime_milliseconds = 50
                }
                #expect(try ended(worker) == SIGKILL)
                #expect(worker.kinds == [cforcefield_warden.rawValue, cforcefield_exited.rawValue])
            }

            @Test("when the control channel ends, nobody is left")
            func controlEnd() throws {
                let worker = try Worker()
                _ = try worker.await(cforcefield_started)
                shutdown(worker.spawned.control, Int32(SHUT_RDWR))
                #expect(worker.wardenEnds())
                #expect(Worker.drain(worker.spawned.output) == "")
            }

            @Test("a record that makes no sense ends the worker")
            func nonsense() throws {
                let worker = try Worker()
                _ = try worker.await(cforcefield_started)
                #expect(write(worker.spawned.control, "nonsense", 8) == 8)
                #expect(worker.wardenEnds())
            }

            @Test("when the host is killed, warden and worker are gone")
            func hostDeath() throws {
                let host = Process()
                host.executableURL = URL(filePath: Programs.probe)
                host.arguments = ["linger"]
                let pipe = Pipe()
                host.standardOutput = pipe
                try host.run()
                let text = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
                let warden = try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)))
                #expect(isRunning(warden))
                kill(host.processIdentifier, SIGKILL)
                host.waitUntilExit()
                #expect(eventually { !isRunning(warden) })
            }

            @Test("after a thousand workers no descriptor and no process is left")
            func thousand() throws {
                #expect(try Programs.output(of: [Programs.probe, "repeat"]) == "descriptors 0 children 0\n")
            }

            @Test("a program that cannot be executed is an error of the start, and leaves nothing")
            func noProgram() throws {
                var policy = cforcefield_policy()
                cforcefield_policy_make(&policy)
                let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
                defer { close(file) }
                var spawned = cforcefield_spawned()
                let error = withUnsafePointer(to: &policy) { policy in
                    var name: UnsafePointer<CChar>?
                    return withUnsafePointer(to: &name) { arguments in
                        var request = cforcefield_spawn_request(
                            policy: policy, program: file, target: -1, input: -1, arguments: arguments)
                        return cforcefield_spawn(&request, &spawned)
                    }
                }
                #expect(error == EACCES)
                #expect([spawned.process, spawned.channel, spawned.control, spawned.output] == [-1, -1, -1, -1])
            }
        }
    }
#endif
