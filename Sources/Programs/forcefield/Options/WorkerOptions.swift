import ArgumentParser
import ForceField
import ForceFieldWatch

/// What stands around a worker, and what it may use.
struct WorkerOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Address space, as 268435456 or 256M.", valueName: "bytes"))
    var memory = ByteCount(bytes: 512 << 20)

    @Option(help: ArgumentHelp("Processor time.", valueName: "seconds"))
    var cpu: UInt64 = 30

    @Option(help: ArgumentHelp("Time on the clock, from the start; 0 for no end.", valueName: "ms"))
    var wall: UInt64 = 600_000

    @Option(
        name: .customLong("allow-missing"),
        help: ArgumentHelp("A layer that this machine need not give: \(layerNames).", valueName: "layer"))
    var allowMissing: [String] = []

    @Option(help: ArgumentHelp("A user of its own, if you are root.", valueName: "on|off"))
    var distinctUid = Switch.on

    @Option(
        help: ArgumentHelp(
            "A capability: entropyDevice, or readOnlyFile=HOST:INSIDE with absolute paths.", valueName: "name"))
    var cap: [String] = []

    enum Switch: String, ExpressibleByArgument, CaseIterable {
        case on, off
    }

    private static let optionalLayers = Strictness.bestEffort.optional
    private static var layerNames: String {
        optionalLayers.map(\.rawValue).sorted().joined(separator: ", ") + "; all of them: all"
    }

    /// A plan without program.
    ///
    /// - Throws: ``Failure/usage(_:)``
    func plan() throws -> WorkerPlan {
        var plan = WorkerPlan()
        plan.limits.memoryBytes = UInt64(memory.bytes)
        plan.limits.cpuSeconds = cpu
        plan.limits.stackBytes = min(plan.limits.stackBytes, plan.limits.memoryBytes)
        plan.distinctUser = distinctUid == .on
        plan.strictness = try strictness()
        plan.capabilities = try cap.map(capability)
        do {
            try Policy {
                $0.limits = plan.limits
                $0.strictness = plan.strictness
                $0.capabilities = plan.capabilities
            }.validate()
        } catch { throw Failure.usage("\(error)") }
        return plan
    }

    var wallTime: Duration? { wall == 0 ? nil : .milliseconds(Int64(clamping: wall)) }

    private func strictness() throws -> Strictness {
        if allowMissing.isEmpty { return .strict }
        if allowMissing == ["all"] { return .bestEffort }
        return .allowing(
            Set(
                try allowMissing.map { name in
                    guard let layer = Layer(rawValue: name), Self.optionalLayers.contains(layer) else {
                        throw Failure.usage(
                            "--allow-missing \(name): no such layer, or nothing runs without it. Layers: \(Self.layerNames)."
                        )
                    }
                    return layer
                }))
    }

    private func capability(_ text: String) throws -> Capability {
        if text == "entropyDevice" { return .entropyDevice }
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        let paths = parts.last?.split(separator: ":", maxSplits: 1).map(String.init) ?? []
        if parts.count == 2, parts[0] == "readOnlyFile", paths.count == 2 {
            return .readOnlyFile(host: paths[0], at: paths[1])
        }
        throw Failure.usage(
            """
            --cap \(text): give entropyDevice, or readOnlyFile=/path/on/host:/path/inside. The other capabilities need a host that \
            serves them; use the library.
            """)
    }
}
