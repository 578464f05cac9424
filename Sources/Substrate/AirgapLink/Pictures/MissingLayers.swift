import ForceField

/// Parts of the sandbox around the picture reader that this machine does not give, why, and what helps.
public struct MissingLayers: Hashable, Sendable {
    /// Names of layers, as `userNamespace`, or the step of building the sandbox that failed.
    public var names: [String]
    /// Why the first of them is missing, where that is known.
    public var obstacle: Obstacle?

    init(_ layers: some Collection<Layer>) {
        names = layers.map(\.rawValue).sorted()
        obstacle = LayerReport.machine.states.first { layers.contains($0.layer) && $0.obstacle != nil }?.obstacle
    }

    init(_ stage: Stage, errno: Int32) {
        names = [stage.name]
        obstacle = Obstacle(stage, errno: errno, in: .current)
    }
}

extension MissingLayers: CustomStringConvertible {
    /// What is missing, why, and what helps.
    public var description: String {
        "\(names.joined(separator: ", ")) missing. "
            + (obstacle.map { "\($0.reason) \($0.remedy)" } ?? "Run `forcefield doctor`.")
    }
}
