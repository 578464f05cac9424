#if os(Linux)
    import CForceField
    import CLinux
    import Files
    import Glibc

    /// All that a worker is started from.
    struct Launch: Sendable {
        let executable: WorkerExecutable
        let policy: Policy
        var mode = StagePolicy.Mode()
        /// Standard input of a plain program; nil for /dev/null.
        var input: OpenFile?
        /// Makes a control group for the worker; gives nil where the system grants none.
        var makeGroup: @Sendable (ResourceLimits) -> ControlGroup? = { _ in nil }
        /// Groups that have lost their worker, of all that are started from this.
        let pendingGroups = PendingGroups()

        /// Starts stage 0. Blocks for about a millisecond: only for the spawner's thread.
        ///
        /// - Throws: ``LaunchFailure``
        func start() throws(LaunchFailure) -> LaunchedProcess {
            if let group = makeGroup(policy.limits) {
                do throws(LaunchFailure) { return try start(in: group) } catch {
                    GroupRemoval.shared.remove(group, of: pendingGroups)
                    guard case .notPlaced = error else { throw error }
                    // A group that takes no process is as good as none, which the worker's layers tell.
                }
            }
            return try start(in: nil)
        }

        private func start(in group: ControlGroup?) throws(LaunchFailure) -> LaunchedProcess {
            var mode = mode
            mode.waitsForGo = group != nil
            mode.hasInput = input != nil
            let stage: StagePolicy
            do throws(ForceFieldError) { stage = try StagePolicy(policy, mode) } catch { throw .refused(error) }
            return try spawn(stage, group)
        }

        private func spawn(_ stage: StagePolicy, _ group: ControlGroup?) throws(LaunchFailure) -> LaunchedProcess {
            var spawned = cforcefield_spawned()
            var error: Int32 = 0
            let isPlaced = group?.place {
                error = spawn(stage, &spawned)
                return error == 0 ? spawned.process : nil
            }
            if group == nil { error = spawn(stage, &spawned) }
            guard error == 0 else { throw .spawn(errno: error) }
            let errors = OpenFile(taking: spawned.errors, "a worker's standard error")
            guard let channel = OpenFile(taking: spawned.channel, "a worker's channel"),
                let control = OpenFile(taking: spawned.control, "a warden's channel"),
                let output = OpenFile(taking: spawned.output, "a worker's output")
            else { throw .spawn(errno: EBADF) }
            if let isPlaced {
                guard isPlaced, WardenOrder.go.send(to: control) else {
                    // Without GO stage 0 does nothing, and at the end of the control socket it ends.
                    kill(spawned.process, SIGKILL)
                    var status: Int32 = 0
                    cforcefield_reap(spawned.process, &status)
                    throw .notPlaced
                }
            }
            return LaunchedProcess(
                launcher: spawned.process, user: stage.record.user, channel: channel, control: control, output: output,
                errors: errors, group: group)
        }

        /// - Returns: an errno, 0 for none.
        private func spawn(_ stage: StagePolicy, _ spawned: inout cforcefield_spawned) -> Int32 {
            var record = stage.record
            return withArguments { arguments in
                withUnsafePointer(to: &record) { record in
                    var request = cforcefield_spawn_request(
                        policy: record, program: executable.program.number, target: executable.target?.number ?? -1,
                        input: input?.number ?? -1, arguments: arguments)
                    return cforcefield_spawn(&request, &spawned)
                }
            }
        }

        /// The arguments as C has them, valid during the call.
        private func withArguments<Result>(_ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result) -> Result {
            let copies = executable.arguments.map { strdup($0) }
            defer { for copy in copies { free(copy) } }
            return (copies.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { pointers in
                // Ends with nil, so there is at least one.
                body(pointers.baseAddress.unsafelyUnwrapped)
            }
        }
    }

    /// Stage 0, just started.
    struct LaunchedProcess: Sendable {
        /// The process ID of stage 0, which has to be reaped.
        let launcher: Int32
        /// The worker's kernel user; 0 for the host's.
        let user: UInt32
        let channel, control, output: OpenFile
        /// Standard error, where it is not the same as `output`.
        let errors: OpenFile?
        let group: ControlGroup?
    }

    enum LaunchFailure: Error {
        case spawn(errno: Int32)
        /// The process could not be put into its control group.
        case notPlaced
        case refused(ForceFieldError)
    }

    extension WardenOrder {
        /// - Returns: whether it is on its way.
        func send(to control: OpenFile) -> Bool {
            bytes.withUnsafeBytes { clinux_send(control.number, $0.baseAddress, $0.count, nil, 0, nil, 0) }
                == ControlRecord.count
        }
    }
#endif
