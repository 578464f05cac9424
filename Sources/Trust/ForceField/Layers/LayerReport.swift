/// What stands around workers on this machine, and what a policy says about it.
///
/// Source: `forcefield` section 18.
public struct LayerReport: Hashable, Sendable {
    /// What is known of each layer, in the order of ``Layer``.
    public var states: [LayerState]

    package init(_ states: [LayerState]) { self.states = states }

    /// - Parameter started: as STARTED reports it.
    package init(_ present: LayerSet, landlockABI: UInt32) {
        states = Layer.allCases.map { layer in
            let isPresent = present.contains(layer)
            let value = layer == .landlock && isPresent ? "ABI \(landlockABI)" : nil
            return LayerState(layer, isPresent: isPresent, value: value)
        }
    }

    package var present: LayerSet { LayerSet(states.filter(\.isPresent).map(\.layer)) }

    /// Layers that `.strict` asks for and that are missing.
    public var missing: [LayerState] {
        states.filter { !$0.isPresent && Strictness.required.contains($0.layer) }
    }

    /// - Returns: the layers that a policy asks for and that are missing.
    package func refused(by strictness: Strictness) -> [LayerState] {
        missing.filter { !strictness.optional.contains($0.layer) }
    }
}

/// One layer, whether it stands, and if not, why and what helps.
public struct LayerState: Hashable, Sendable {
    /// What kind of confinement this is about.
    public var layer: Layer
    /// Whether it is there.
    public var isPresent: Bool
    /// What the layer has, as `ABI 7`; nil for a layer that is or is not.
    package var value: String?
    /// Why it is not there, where that is known.
    public var obstacle: Obstacle?

    package init(_ layer: Layer, isPresent: Bool, value: String? = nil, obstacle: Obstacle? = nil) {
        self.layer = layer
        self.isPresent = isPresent
        self.value = value
        self.obstacle = obstacle
    }
}
