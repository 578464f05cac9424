import ForceFieldWire
import Testing

@testable import ForceField

#if os(Linux)
    import CForceField
#endif

@Suite("Policy and layers")
struct PolicyTests {
    @Test("the default policy is valid, strict and grants nothing")
    func standard() throws {
        let policy = Policy()
        try policy.validate()
        #expect(policy.strictness == .strict)
        #expect(policy.channelTerms(interfaceHash: 1).capabilities.isEmpty)
    }

    @Test("values that cannot be are refused")
    func refusals() {
        let cases: [(PolicyError, (inout Policy) -> Void)] = [
            (.memory(1), { $0.limits.memoryBytes = 1 }), (.cpu(0), { $0.limits.cpuSeconds = 0 }),
            (.stack(1), { $0.limits.stackBytes = 1 }), (.openFiles(200), { $0.limits.openFiles = 200 }),
            (.processes(0), { $0.limits.processes = 0 }), (.processes(.max), { $0.limits.processes = .max }),
            (.pendingSignals(65_536), { $0.limits.pendingSignals = 65_536 }),
            (.workers(0, .max), { $0.maxWorkers = .max }),
            (.frame(65 << 20), { $0.maxFrameBytes = 65 << 20 }), (.reply(0), { $0.maxReplyBytes = 0 }),
            (.workers(2, 1), { $0.minWorkers = 2 }), (.workers(0, 1), { $0.prewarm = 2 }),
            (.inFlight(0), { $0.maxInFlight = 0 }),
            (.queue(-1), { $0.maxQueued = -1 }), (.credit(65_536), { $0.streamCredit = 65_536 }),
            (.lifetime, { $0.lifetime = .requests(0) }), (.lifetime, { $0.lifetime = .idle(.zero) }),
            (.duration("deadline"), { $0.deadline = .seconds(-1) }),
            (.indispensable([.seccomp]), { $0.strictness = .allowing([.seccomp, .landlock]) }),
            (.capability("readOnlyFile(/a/../b)"), { $0.capabilities = [.readOnlyFile(host: "/x", at: "/a/../b")] }),
            (
                .capability("readOnlyFile(/a\u{600}/../b)"),
                { $0.capabilities = [.readOnlyFile(host: "/x", at: "/a\u{600}/../b")] }
            ),
            (.capability("descriptors(0)"), { $0.capabilities = [.descriptors(max: 0)] }),
        ]
        for (error, change) in cases {
            #expect(throws: error) { try Policy(change).validate() }
            #expect(!error.description.isEmpty)
        }
    }

    #if os(Linux)
        @Test("what a policy may be, stage 0 takes")
        func extremes() throws {
            let changes: [(inout Policy) -> Void] = [
                { $0.lifetime = .duration(.seconds(Int64.max)) },
                { $0.limits.processes = 65_535 }, { $0.limits.pendingSignals = 65_535 },
                { $0.limits.pendingSignals = 0 }, { $0.limits.processes = 1 },
                { ($0.limits.cpuSeconds, $0.limits.memoryBytes, $0.limits.openFiles) = (86_400, 1 << 40, 199) },
                { ($0.limits.cpuSeconds, $0.limits.memoryBytes, $0.limits.openFiles) = (1, 16 << 20, 5) },
            ]
            for change in changes {
                let policy = Policy(change)
                try policy.validate()
                let stage = try StagePolicy(policy, StagePolicy.Mode()).record
                var read = cforcefield_policy()
                let refusal = withUnsafeBytes(of: stage) { bytes in
                    bytes.baseAddress.map { cforcefield_policy_read($0, bytes.count, &read) }
                }
                #expect(refusal == cforcefield_policy_accepted)
            }
        }
    #endif

    @Test("capabilities grant their host calls and no others")
    func capabilities() {
        let policy = Policy {
            $0.capabilities = [.networkClient([.init(host: "a", port: 1)]), .hostCalls(["clock"]), .entropyDevice]
        }
        #expect(
            policy.channelTerms(interfaceHash: nil).capabilities == [
                MethodID(name: "net.connect"), MethodID(name: "clock"),
            ])
    }

    @Test("layers have the bits of STARTED")
    func bits() {
        #expect(
            LayerSet([.userNamespace, .networkNamespace, .seccomp, .notDumpable]).rawValue == 1 | 8 | 1 << 13 | 1 << 15)
        #expect(LayerSet(rawValue: 1 << 16) == nil)
        #expect(Layer.allCases.compactMap(\.bit) == Array(0...15))
    }

    @Test("strict refuses what is missing, unless it may be")
    func strictness() {
        let present = LayerSet(Layer.allCases.filter { $0 != .landlock && $0 != .networkNamespace && $0 != .cgroup })
        #expect(Strictness.strict.refused(present) == [.landlock, .networkNamespace])
        #expect(Strictness.allowing([.landlock]).refused(present) == [.networkNamespace])
        #expect(Strictness.bestEffort.refused(present).isEmpty)
        #expect(Strictness.bestEffort.refused(LayerSet([])) == [.seccomp, .resourceLimits])
        let report = LayerReport(present, landlockABI: 0)
        #expect(Set(report.refused(by: .strict).map(\.layer)) == [.landlock, .networkNamespace])
        #expect(report.present == present)
    }

    @Test("a step that failed has a reason and a remedy")
    func obstacles() {
        var ubuntu = Obstacle.Surroundings()
        ubuntu.appArmorRestricts = true
        var chroot = ubuntu
        chroot.inChroot = true
        #expect(Obstacle(.userNamespace, errno: 1) == .container)
        #expect(Obstacle(.idMaps, errno: 13, in: ubuntu) == .appArmorRestriction)
        #expect(Obstacle(.userNamespace, errno: 1, in: chroot) == .chroot)
        #expect(Obstacle(.userNamespace, errno: 28) == .namespaceLimit)
        #expect(Obstacle(.policy, errno: 24) == .descriptorLimit)
        #expect(Obstacle.descriptorLimit.remedy.contains("ulimit -Hn"))
        #expect(Obstacle(.userNamespace, errno: 22) == .threads)
        #expect(Obstacle(.root, errno: 1) == .mountsRefused)
        #expect(Obstacle(.landlock, errno: 38) == .kernel)
        #expect(Obstacle(.seccomp, errno: 14) == .other(stage: .seccomp, errno: 14))
        for obstacle in [Obstacle.container, .chroot, .threads, .kernel, .appArmorRestriction] {
            #expect(!obstacle.reason.isEmpty && !obstacle.remedy.isEmpty)
        }
    }

    @Test("stages have the numbers and names of the steps")
    func stages() {
        #expect(Stage.allCases.count == 25)
        #expect(
            Stage(rawValue: 6)?.name == "userns" && Stage(rawValue: 22)?.name == "seccomp"
                && Stage(rawValue: 25)?.name == "exec")
    }
}
