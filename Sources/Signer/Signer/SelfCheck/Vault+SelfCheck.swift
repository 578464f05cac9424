import BasicFoundation
import Substrate
import TextForms

/// What a vault says of itself.
///
/// Source: `signer-product` section 12.3.
extension Vault {
    /// Days after which metadata are called old.
    package static let metadataAge = 180

    /// A line for each thing that is to be noticed in a vault. Opening it has compared all rows already.
    ///
    /// - Throws: ``SignerError`` where the vault cannot be read at all; a damaged log is a line.
    package func selfCheck() throws -> [CheckLine] {
        var lines = [
            CheckLine(
                code: "Database", .ok, text: "digest \(Hex.encode(try database.read { try StateDigest.state($0) }))")
        ]
        do {
            let log = try verifyLog()
            lines.append(
                CheckLine(code: "Log", .ok, text: "\(log.count) entries, digest \(Hex.encode(log.digest))"))
            lines += try metadataLines()
        } catch SignerError.databaseDamaged(let damage) {
            lines.append(CheckLine(code: "Log", .fail, text: "\(damage)"))
        }
        lines += try [prefixLine(networks()), policyLine()]
        let hidden = try seedSummaries().filter { !$0.isStored }
        lines.append(
            hidden.isEmpty
                ? CheckLine(code: "HiddenRows", .ok, text: "every key belongs to a seed that is here")
                : CheckLine(
                    code: "HiddenRows", .warn,
                    text: "keys without a seed, which sign nothing: "
                        + hidden.map { "\($0.name) (\($0.keyCount))" }.joined(separator: ", ")))
        return lines
    }

    /// Prefixes of addresses that are not those of the chain, where this release knows the chain.
    private func prefixLine(_ networks: [NetworkSpecs]) -> CheckLine {
        let wrong = networks.compactMap { network -> String? in
            guard let known = network.genesisHash.knownPrefix, known != network.base58Prefix else { return nil }
            return "\(network.title) has \(network.base58Prefix) instead of \(known)"
        }
        guard wrong.isEmpty else {
            return CheckLine(
                code: "Prefixes", .fail,
                text:
                    "addresses look other than everywhere else: \(wrong.joined(separator: ", ")). Show them to nobody, "
                    + "remove these networks, and do not use their source again.")
        }
        let unread = networks.filter { !SS58.isPrefix($0.base58Prefix) && $0.scheme != .ethereum }
        guard unread.isEmpty else {
            let names = unread.map { "\($0.title) (\($0.base58Prefix))" }.joined(separator: ", ")
            return CheckLine(
                code: "Prefixes", .fail,
                text: "nobody reads addresses of \(names): the prefix is reserved. Remove these networks.")
        }
        let unknown = networks.filter { $0.genesisHash.knownPrefix == nil }
        return CheckLine(
            code: "Prefixes", .ok,
            text: "addresses have the prefixes of their chains"
                + (unknown.isEmpty
                    ? ""
                    : "; not known to this release: "
                        + unknown.map { "\($0.title) (\($0.base58Prefix))" }.joined(separator: ", ")))
    }

    private func policyLine() throws -> CheckLine {
        let passing = try networkAllowance().names
        return passing.isEmpty
            ? CheckLine(code: "NetworkPolicy", .ok, text: "secrets are used on a machine without a network alone")
            : CheckLine(
                code: "NetworkPolicy", .warn,
                text: "the vault lets pass: \(passing.joined(separator: ", ")). Be strict "
                    + "again.")
    }

    private func metadataLines() throws -> [CheckLine] {
        let networks = try networks()
        let bare = try networks.filter { try metadataVersions(of: $0).isEmpty }.map(\.title)
        let missing =
            bare.isEmpty
            ? CheckLine(code: "NoMetadata", .ok, text: "every network has metadata")
            : CheckLine(
                code: "NoMetadata", .warn,
                text: "networks whose transactions cannot be read, for want of metadata: "
                    + bare.joined(separator: ", "))
        let old = try oldMetadata(networks)
        return [
            missing,
            old.isEmpty
                ? CheckLine(code: "OldMetadata", .ok, text: "no metadata are older than \(Self.metadataAge) days")
                : CheckLine(
                    code: "OldMetadata", .warn,
                    text: "metadata that were loaded more than \(Self.metadataAge) days ago: "
                        + old.joined(separator: ", ") + ". Load newer ones."),
        ]
    }

    /// The newest metadata of each network, where they are old: by the entry of the log about their loading, or, where
    /// the log knows none, by its first entry.
    private func oldMetadata(_ networks: [NetworkSpecs]) throws -> [String] {
        let entries = try log()
        let limit = Timestamp.text(now().addingTimeInterval(-Double(Self.metadataAge) * 86_400))
        var loaded: [String: String] = [:]
        for entry in entries {
            for case .metadataAdded(let record) in entry.entry.events {
                loaded["\(record.name)\(record.version)"] = entry.timestamp
            }
        }
        var names: [String] = []
        for network in networks {
            guard let version = try metadataVersions(of: network).first else { continue }
            let name = "\(network.name)\(version)"
            guard let time = loaded[name] ?? entries.first?.timestamp, time < limit, !names.contains(name) else {
                continue
            }
            names.append(name)
        }
        return names
    }
}
