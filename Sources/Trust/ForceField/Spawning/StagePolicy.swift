#if os(Linux)
    import CForceField
    import ForceFieldWire
    import Glibc

    /// What stage 0 is told, made of a policy.
    ///
    /// Source: `forcefield` sections 5, 7 and 15.
    struct StagePolicy: Sendable {
        private(set) var record = cforcefield_policy()

        /// What a worker needs to be told and its policy does not say.
        struct Mode: Sendable {
            var isForeign = false
            /// Whether stage 0 waits until it has been placed in its control group.
            var waitsForGo = false
            /// Whether there is a channel; else the worker is a plain program.
            var hasChannel = true
            /// Whether standard input is a file.
            var hasInput = false
            /// Whether what is forbidden is answered with an error and reported.
            var reportsOnly = false
        }

        /// Layers that may always be missing: they depend on the host or on the system, or only report.
        private static let neverRequired = LayerSet([.distinctUser, .cgroup, .violationReports, .notDumpable])

        /// - Throws: ``ForceFieldError``: `policy` for a file that cannot be granted.
        init(_ policy: Policy, _ mode: Mode) throws(ForceFieldError) {
            cforcefield_policy_make(&record)
            record.flags = Self.flags(policy, mode)
            record.layers_may_miss |= Self.neverRequired.rawValue | LayerSet(policy.strictness.optional).rawValue
            record.user = policy.distinctUser && geteuid() == 0 ? WorkerUsers.next() : 0
            record.memory_bytes = policy.limits.memoryBytes
            record.stack_bytes = policy.limits.stackBytes
            record.cpu_seconds = UInt32(policy.limits.cpuSeconds)
            record.open_files = UInt32(policy.limits.openFiles)
            record.processes = UInt32(clamping: policy.limits.processes)
            record.pending_signals = UInt32(clamping: policy.limits.pendingSignals)
            // The host retires the worker before; the warden holds even if the host cannot.
            record.lifetime_milliseconds = min(
                policy.lifetime.duration.map { ($0 + policy.shutdownGrace).wholeMilliseconds } ?? 0,
                CFORCEFIELD_LONGEST_LIFETIME)
            for capability in policy.capabilities {
                switch capability {
                case .entropyDevice: try add("/dev/urandom", at: "/dev/urandom", capability)
                case .readOnlyFile(let host, let inside): try add(host, at: inside, capability)
                default: continue
                }
            }
        }

        private static func flags(_ policy: Policy, _ mode: Mode) -> UInt32 {
            var flags: UInt32 = 0
            func set(_ flag: cforcefield_policy_flags, if condition: Bool) { if condition { flags |= flag.rawValue } }
            set(cforcefield_policy_exec, if: mode.isForeign)
            set(cforcefield_policy_wait_go, if: mode.waitsForGo)
            set(cforcefield_policy_no_channel, if: !mode.hasChannel)
            set(cforcefield_policy_input, if: mode.hasInput)
            set(cforcefield_policy_report, if: mode.reportsOnly)
            set(cforcefield_policy_lock_ready, if: policy.locksAtReady)
            set(cforcefield_policy_descriptors, if: policy.passesDescriptors)
            set(cforcefield_policy_network, if: policy.passesSockets)
            return flags
        }

        private mutating func add(_ host: String, at inside: String, _ capability: Capability) throws(ForceFieldError) {
            guard cforcefield_policy_add_file(&record, host, inside) == 0 else {
                throw .unusableCapability(capability.name, errno: errno)
            }
        }
    }

    extension Policy {
        /// Whether descriptors come to the worker.
        var passesDescriptors: Bool {
            capabilities.contains {
                switch $0 {
                case .descriptors, .networkClient, .surface: true
                case .entropyDevice, .readOnlyFile, .hostCalls: false
                }
            }
        }

        /// Whether connected sockets come to the worker.
        var passesSockets: Bool {
            capabilities.contains { if case .networkClient = $0 { true } else { false } }
        }

        /// Descriptors that may ride on one request, or on the answer to a host call that passes none of its own.
        var descriptorLimit: Int {
            capabilities.map { if case .descriptors(let most) = $0 { most } else { 0 } }.max() ?? 0
        }

        /// Descriptors that may ride on the answer to one host call: a connection and a surface are granted with their
        /// own calls, and to no other.
        func descriptorLimit(answering hostCall: MethodID) -> Int {
            let isGranted = capabilities.contains {
                switch $0 {
                case .networkClient: hostCall == NetworkCalls.connect.signature.id
                case .surface: hostCall == SurfaceCalls.open.signature.id
                case .descriptors, .entropyDevice, .readOnlyFile, .hostCalls: false
                }
            }
            return max(descriptorLimit, isGranted ? 1 : 0)
        }
    }
#endif
