import Airgap
import KnownAnswers
import Signer
import Substrate

/// `[{name, db, hex | file, expect, code}]`: inputs that are refused, or shown with an error.
enum RejectsCheck: WireCheck {
    static func recognises(_ content: JSON) -> Bool {
        content.has("db", "expect", "code")
    }

    static func run(_ content: JSON, file: WireFile, report: inout Report) {
        for item in content.array {
            let name = file.name(item["name"].string ?? "?")
            let code = item["code"].string ?? ""
            if let reason = skipReason(item, code) {
                report.skip(name, reason)
                continue
            }
            do {
                let hasMetadata = item["db"].string != "populate_cold_no_metadata"
                let outcome = try PayloadOutcome(of: item["hex"].string ?? "", hasMetadata: hasMetadata)
                report.expect(name, outcome.code, equals: code)
            } catch {
                report.fail(name, "\(error)")
            }
        }
    }

    private static func skipReason(_ item: JSON, _ code: String) -> String? {
        guard let hex = item["hex"].string else { return PayloadOutcome.laterReason }
        if item["expect"].string != "error" || code == "AllExtensionsParsingFailed" {
            return "the transaction is of a chain with metadata 12, which is not read by this build"
        }
        return code == "PayloadNotSupported" ? nil : PayloadOutcome.skipReason(hex)
    }
}

/// `[{name, steps: [{op: input, hex, expect: {action, cards, error}}]}]`: stories, of which the steps with messages and
/// refusals are told so far.
enum ScenarioCheck: WireCheck {
    static func recognises(_ content: JSON) -> Bool {
        content.has("name", "steps")
    }

    static func run(_ content: JSON, file: WireFile, report: inout Report) {
        for story in content.array {
            let name = file.name(story["name"].string ?? "?")
            for step in story["steps"].array where step["op"].string == "input" {
                if let reason = skipReason(step) {
                    report.skip(name, reason)
                    continue
                }
                do {
                    let outcome = try PayloadOutcome(of: step["hex"].string ?? "", hasMetadata: true)
                    compare(outcome, step["expect"], name, &report)
                } catch {
                    report.fail(name, "\(error)")
                }
            }
        }
    }

    private static func skipReason(_ step: JSON) -> String? {
        guard let hex = step["hex"].string else { return PayloadOutcome.laterReason }
        if let reason = PayloadOutcome.skipReason(hex) { return reason }
        let shows = step["expect"]["cards"]["method"] != .null || step["expect"]["cards"]["extensions"] != .null
        return shows
            ? "the transaction is of a chain with metadata that this build does not read or that came by an update"
            : nil
    }

    private static func compare(_ outcome: PayloadOutcome, _ expected: JSON, _ name: String, _ report: inout Report) {
        report.expect("\(name) action", outcome.action, equals: expected["action"].string ?? "")
        if let code = expected["error"]["code"].string { report.expect("\(name) code", outcome.code, equals: code) }
        let messages = expected["cards"]["message"].array.map { $0["value"].string ?? "" }
        report.expect("\(name) message", outcome.messages, equals: messages)
        guard let author = outcome.author else { return }
        let info = expected["author_info"]
        report.expect("\(name) address", author.base58, equals: info["base58"].string ?? "")
        report.expect("\(name) key", author.addressKey, equals: info["address_key"].hex ?? [])
        report.expect("\(name) path", author.path, equals: info["address"]["path"].string ?? "")
    }
}

/// What the vault of the known answers says to a payload.
private struct PayloadOutcome {
    var action = "error"
    var code = "none"
    var messages: [String] = []
    var author: AuthorInfo?

    static let laterReason = "updates, proofs and long inputs are not part of this version"

    /// Why a payload of this kind is not checked yet.
    static func skipReason(_ hex: String) -> String? {
        guard let byte = UInt8(hex.dropFirst(4).prefix(2), radix: 16), let kind = PayloadKind(rawValue: byte) else {
            return nil
        }
        do throws(PayloadError) {
            _ = try Payload([0x53, 0x01, byte] + [UInt8](repeating: 0, count: 100))
            return nil
        } catch {
            return error == .kindNotSupported(kind) ? "\(kind.title) is not part of this version" : nil
        }
    }

    /// - Parameter hasMetadata: whether the networks come with metadata.
    init(of hex: String, hasMetadata: Bool) throws {
        do {
            let bytes = try Self.bytes(of: hex)
            let answer = try Self.vault(hasMetadata: hasMetadata).process(bytes)
            messages = answer.cards.message.map { card in
                if case .text(let text) = card.kind { text } else { "" }
            }
            switch answer.action {
            case .read: action = "read"
            case .sign(let request):
                action = "sign"
                author = request.author
            case .signBulk: action = "sign_bulk"
            case .importDerivations: action = "derivations"
            case .shareDerivations: action = "dynamic_derivations"
            }
        } catch let error as RefusedPayload {
            code = error.code
        } catch let error as PayloadError {
            code = error.code
        }
    }

    /// The checks of the text form come before those of the bytes.
    private static func bytes(of hex: String) throws -> [UInt8] {
        do throws(PayloadError) { _ = try Payload(hex: hex) } catch {
            if Hex.decode(hex) == nil || error.code == "TooShort" || error.code == "NotSubstrate" { throw error }
        }
        return Hex.decode(hex) ?? []
    }

    /// The networks of this release, and Alice with her keys.
    private static func vault(hasMetadata: Bool) throws -> Vault {
        var bundle = try NetworkBundle.shipped()
        if !hasMetadata { for index in bundle.networks.indices { bundle.networks[index].metadata = [] } }
        guard let westend = bundle.networks.first(where: { $0.specs.name == "westend" })?.specs,
            let root = Hex.decode("46ebddef8cd9bb167dc30878d7113b7e168e6f0646beffd77d69d39bad76b47a"),
            let alice = Hex.decode("d43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d")
        else { throw RowError.missing("westend") }
        func key(_ publicKey: [UInt8], _ path: String, _ networks: [NetworkKey]) -> StoredKey {
            StoredKey(
                signer: .sr25519(publicKey),
                details: AddressDetails(
                    seedName: "Alice", path: path, hasPassword: false, networks: networks, scheme: .sr25519,
                    secretExposed: false))
        }
        return try Vault.lookOnly(bundle, keys: [key(root, "", []), key(alice, "//Alice", [westend.key])])
    }
}
