#if os(Linux)
    import CForceField
    import ForceFieldWire

    /// The worker's side of ForceField: a program that turns bytes from strangers into replies, on one thread, where
    /// nothing but its host can be reached.
    ///
    ///     var service = Service()
    ///     service.handle(Codes.decode) { request, context in try decode(request) }
    ///     ForceFieldWorker.run(service)
    ///
    /// It promises that handlers are Swift as usual: actors, task groups and `Task.sleep` work. It does not promise
    /// threads: parallel work is for several workers. `main` must not be `async`, and starts no task before it runs the
    /// service.
    ///
    /// Source: `forcefield` section 10.
    public enum ForceFieldWorker {
        /// Serves the host that has started this process, until it has enough.
        ///
        /// Ends the process: 0 when the host has enough or is gone; 64 if no host has started it in a force field; 69
        /// if the service cannot prepare;
        /// 75 if the host does not answer, 76 if it breaks the protocol; 78 if methods are not unique, if host and
        /// worker were built with different interfaces, or if Foundation is linked and has no randomness for UUIDs.
        public static func run(_ service: Service) -> Never {
            guard cforcefield_is_worker() == 1 || cforcefield_is_confined() == 1 else {
                WorkerExit.noHost.end(
                    saying:
                        "this program runs in a force field only, where its host starts it: without one it serves nobody"
                )
            }
            serve(service)
        }

        /// Serves the process at the other end of descriptor 3, without asking what is around this process: for tests
        /// of this side alone.
        package static func serve(_ service: Service) -> Never {
            RunLoop.install()
            guard let socket = HostSocket(takesDescriptors: service.takesDescriptors) else {
                WorkerExit.noHost.end(saying: "this program is started by its host only: it has no one to work for")
            }
            let hello = Self.hello(of: service)
            if !service.acceptsConstantUUID, ConstantUUID.isPossible {
                WorkerExit.misfit.end(
                    saying:
                        "Foundation's UUID() would always give the same: grant entropyDevice, or accept it in the service"
                )
            }
            do { try service.prepare() } catch { WorkerExit.unprepared.end(saying: "cannot prepare: \(error)") }
            // Fails where the lock is complete already, which is the rule.
            _ = cforcefield_lock_now()
            let channel = HostChannel(service, hello, socket: socket, loop: .shared)
            channel.warmUp(hello)
            channel.serve(hello)
        }

        /// Serves if this process was started as a worker, in a program that is host and worker in one. The first thing
        /// that `main` calls; returns in the host only.
        ///
        /// - Parameter roles: what the host's `currentExecutable(role:)` names.
        public static func runIfRequested(_ roles: [String: @Sendable () -> Service]) {
            guard let name = cforcefield_worker_name() else { return }
            guard let role = roles[String(cString: name)] else {
                WorkerExit.misfit.end(saying: "no such role; install host and worker of one release")
            }
            run(role())
        }

        private static func hello(of service: Service) -> Hello {
            do throws(InterfaceError) {
                return Hello(
                    role: cforcefield_is_worker() == 1 ? .linked : .exec, interfaceHash: try service.interface().hash,
                    maxFrame: UInt32(clamping: service.maxFrameBytes),
                    maxInFlight: UInt32(clamping: service.maxInFlight))
            } catch {
                WorkerExit.misfit.end(saying: "\(error)")
            }
        }
    }
#endif
