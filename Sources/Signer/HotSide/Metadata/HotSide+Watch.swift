import Substrate

/// What a node says of its network's runtime, beside what is stored.
public struct WatchedNetwork: Sendable {
    /// What came of asking.
    public enum Outcome: Sendable {
        /// The newest stored metadata are those of the chain.
        case current
        /// The chain has a newer version than is stored; nil where nothing is stored.
        case newVersion(stored: UInt32?)
        /// The node gave no answer that can be used, or one that cannot be true.
        case failed(any Error)
    }

    /// The name of the network's runtime.
    public let name: String
    /// The node that was asked.
    public let url: String
    /// The version that the chain has; nil where nobody said.
    public let version: UInt32?
    /// What came of asking.
    public let outcome: Outcome
}

extension HotSide {
    /// Nodes that are asked at once.
    private static let askedAtOnce = 8

    /// Asks the nodes of the address book for their runtimes' versions, several at once.
    ///
    /// - Parameter report: is told how many have answered.
    /// - Returns: one line for each network, by name. A node that fails is a line of its own and stops nothing.
    public func watch(report: (_ done: Int, _ total: Int) -> Void = { _, _ in }) async throws -> [WatchedNetwork] {
        let networks = try networks(.all)
        var stored: [String: UInt32] = [:]
        for metadata in try metadata() { stored[metadata.key.name] = metadata.key.version }
        return await withTaskGroup(of: WatchedNetwork.self) { group in
            var (waiting, lines) = (networks[...], [WatchedNetwork]())
            func askNext() {
                guard let network = waiting.popFirst() else { return }
                let known = stored[network.specs.name]
                group.addTask { await self.look(at: network, stored: known) }
            }
            for _ in 0..<Self.askedAtOnce { askNext() }
            for await line in group {
                lines.append(line)
                report(lines.count, networks.count)
                askNext()
            }
            return lines.sorted { $0.name < $1.name }
        }
    }

    private func look(at network: KnownNetwork, stored: UInt32?) async -> WatchedNetwork {
        let (name, genesis) = (network.specs.name, network.specs.genesisHash)
        func line(_ version: UInt32?, _ outcome: WatchedNetwork.Outcome) -> WatchedNetwork {
            WatchedNetwork(name: name, url: network.address, version: version, outcome: outcome)
        }
        do {
            let found = try await nodes.withNode(at: network.url.get()) { node in
                try await node.check(genesis: genesis)
                return try await node.runtimeVersion()
            }
            guard found.name == name else {
                return line(nil, .failed(HotSideError.otherNetwork(expected: name, found: found.name)))
            }
            if let stored, found.version < stored {
                let error = HotSideError.earlierVersion(name: name, stored: stored, fetched: found.version)
                return line(found.version, .failed(error))
            }
            return line(found.version, found.version == stored ? .current : .newVersion(stored: stored))
        } catch {
            return line(nil, .failed(error))
        }
    }
}
