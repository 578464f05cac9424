import SecretMemory
import Signer
import TextForms

/// What a flow refers to and what it begins with, as files and people give it.
package struct FlowSurroundings: Sendable {
    /// Metadata that the networks begin with; those of the release where none are given.
    package var metadata: [[UInt8]] = []
    /// The texts of payloads by their names.
    package var payloads: [String: String] = [:]
    /// Shares by the name of their set.
    package var shares: [String: FlowRunner.ShareRecord] = [:]

    /// Nothing but the release.
    package init() {}

    /// The networks of a vault that a flow begins with.
    func bundle() throws -> NetworkBundle {
        let types = payloads.sorted { $0.key < $1.key }.first { $0.key.hasPrefix("load_types") }
        guard !metadata.isEmpty, let types, let payload = Hex.decode(types.value) else { return try .shipped() }
        return try FlowStart.original(metadata: metadata, types: payload)
    }
}

extension FlowRunner {
    /// A runner over a vault as the flow's conditions ask for it: before one is set up, or with one that is never
    /// locked; dangers are confirmed where the flow does so.
    ///
    /// - Parameters:
    ///   - steps: of the flow.
    ///   - surroundings: what they refer to.
    ///   - random: of new secrets.
    package init(
        _ steps: [FlowStep], in surroundings: FlowSurroundings, random: any RandomSource = MixedRandom.standard
    ) throws {
        let isNew = steps.contains { $0.says("not onboarded") == true }
        // A vault that the flow sets up itself has the networks of the release.
        let host = try MemoryHost(
            isNew ? .shipped() : surroundings.bundle(), isOnboarded: !isNew,
            confirmsDangers: steps.contains { $0.says("risk open") == true }, random: random)
        self.init(
            host: host,
            files: { name in
                guard let text = surroundings.payloads[name] else { throw Fault.unknownPlaceholder("$file:\(name)") }
                return text
            }, shares: surroundings.shares)
    }
}
