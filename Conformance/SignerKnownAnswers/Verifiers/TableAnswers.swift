import KnownAnswers
import Signer
import Substrate

/// `[{id, before, message, expect}]`: single updates over abstract states, and what becomes of them.
package enum TableAnswers: AnswerList {
    package static func recognises(_ content: JSON) -> Bool { content.has("before", "message", "expect") }

    package static func check(_ content: JSON, file: AnswerFile, report: inout Report) throws {
        let states = try AbstractStates(content)
        report.check(content, besides: ["id"]) { row in
            let (message, expected) = (row["message"], row["expect"])
            let before = try states.state(row["before"])
            let update = try AbstractStates.update(message)
            do throws(UpdateRefusal) {
                let outcome = try UpdateRules.judge(update, by: before)
                row.expect("\(row.id) outcome", "stub", equals: expected["outcome"].string)
                try row.expect(outcome, of: update, equals: expected, in: states)
            } catch {
                row.expect("\(row.id) outcome", "error", equals: expected["outcome"].string)
                row.expect("\(row.id) code", error.code, equals: expected["error"].string)
                // Nothing is written.
                row.expect("\(row.id) state", expected["after"], equals: .null)
            }
        }
    }
}

extension Row {
    fileprivate mutating func expect(
        _ outcome: UpdateOutcome, of update: Update, equals expected: JSON, in states: AbstractStates
    ) throws(UpdateRefusal) {
        expect("\(id) warnings", outcome.warnings.map(\.rawValue), equals: expected["warnings"].strings)
        expect("\(id) events", outcome.changes.map(\.text), equals: expected["events"].strings)
        expect("\(id) card of the verifier", update.signer != nil, equals: expected["verifierCard"].bool)
        var after = try? states.state(expected["after"])
        // The table leaves out the fields of the record that the message brings.
        if case .specs(let specs) = update.content {
            let shown = after?.network(specs.key)?.specs
            expect("\(id) title", shown?.title, equals: specs.title)
            expect("\(id) color", shown?.color, equals: specs.color)
            after?.networks.removeAll { $0.specs.key == specs.key }
            after?.networks.append(OrderedNetworkSpecs(specs: specs, order: 0))
        }
        expect("\(id) state", outcome.state.unordered, equals: after?.unordered)
        let orders = outcome.state.networks.map(\.order).sorted()
        expect("\(id) order", orders, equals: orders.indices.map { UInt8($0) })
    }
}

extension TrustState {
    /// What two states have to agree in: the table says nothing of the order of networks.
    fileprivate var unordered: TrustState {
        var state = self
        state.networks = networks.map { OrderedNetworkSpecs(specs: $0.specs, order: 0) }
            .sorted { "\($0.specs.title) \($0.specs.scheme)" < "\($1.specs.title) \($1.specs.scheme)" }
        return state
    }
}

extension UpdateOutcome.Change {
    /// As the answers write it.
    fileprivate var text: String {
        switch self {
        case .warning(let warning): "Warning(\(warning.rawValue))"
        case .metadataRemoved(let key, _): "MetadataRemoved(\(key.name)\(key.version))"
        case .networkRemoved(let network): "NetworkSpecsRemoved(\(network.specs.title))"
        case .typesRemoved: "TypesRemoved"
        case .networkVerifierSet(_, .general): "NetworkVerifierSet(general)"
        case .networkVerifierSet(_, .custom): "NetworkVerifierSet(custom)"
        case .generalVerifierSet: "GeneralVerifierSet"
        case .networkAdded(let network): "NetworkSpecsAdded(\(network.specs.title))"
        case .metadataAdded(let key, _): "MetadataAdded(\(key.name)\(key.version))"
        case .typesAdded: "TypesAdded"
        }
    }
}
