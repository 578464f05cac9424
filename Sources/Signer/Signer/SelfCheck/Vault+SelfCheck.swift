import Foundation
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
    public func selfCheck() throws -> [CheckLine] {
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
                        + old.joined(separator: ", ") + ". Load newer ones: casemate update"),
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
