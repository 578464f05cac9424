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
        let profile = ColdProfile(file: file)
        for item in content.array {
            let name = file.name(item["name"].string ?? "?")
            let code = item["code"].string ?? ""
            if let reason = skipReason(item, code) {
                report.skip(name, reason)
                continue
            }
            do {
                let outcome = PayloadOutcome(
                    of: item["hex"].string ?? "", in: try profile.vault(item["db"].string ?? ""))
                report.expect(name, outcome.code, equals: code)
                report.expect(
                    "\(name) action", outcome.action,
                    equals: item["expect"].string == "read_with_error" ? "read" : "error")
            } catch {
                report.fail(name, "\(error)")
            }
        }
    }

    private static func skipReason(_ item: JSON, _ code: String) -> String? {
        guard let hex = item["hex"].string else { return PayloadOutcome.laterReason }
        return code == "PayloadNotSupported" ? nil : PayloadOutcome.skipReason(hex)
    }
}

/// `[{name, steps: [{op, …}]}]`: stories. Told as far as they consist of a starting state and inputs.
enum ScenarioCheck: WireCheck {
    static func recognises(_ content: JSON) -> Bool {
        content.has("name", "steps")
    }

    static func run(_ content: JSON, file: WireFile, report: inout Report) {
        for story in content.array {
            do {
                try tell(story, file, &report)
            } catch {
                report.fail(file.name(story["name"].string ?? "?"), "\(error)")
            }
        }
    }

    private static func tell(_ story: JSON, _ file: WireFile, _ report: inout Report) throws {
        let name = file.name(story["name"].string ?? "?")
        var vault: Vault?
        for step in story["steps"].array {
            switch step["op"].string {
            case "db": vault = try ColdProfile(file: file).vault(step["profile"].string ?? "")
            case "check_db": report.skip(name, "the state of a database is not compared by this build")
            case "input":
                if let reason = skipReason(step) {
                    report.skip(name, reason)
                } else if let vault {
                    compare(PayloadOutcome(of: step["hex"].string ?? "", in: vault), step["expect"], name, &report)
                } else {
                    report.skip(name, "the input rests on changes of the database that are not part of this version")
                }
            default: vault = nil
            }
        }
    }

    private static func skipReason(_ step: JSON) -> String? {
        step["hex"].string.map(PayloadOutcome.skipReason) ?? PayloadOutcome.laterReason
    }

    private static func compare(_ outcome: PayloadOutcome, _ expected: JSON, _ name: String, _ report: inout Report) {
        report.expect("\(name) action", outcome.action, equals: expected["action"].string ?? "")
        if let code = expected["error"]["code"].string { report.expect("\(name) code", outcome.code, equals: code) }
        report.expect("\(name) cards", outcome.sections, equals: expected["cards"].object)
        if let author = outcome.author { report.expect("\(name) author", author.json, equals: expected["author_info"]) }
    }
}

/// What a vault says to a payload.
private struct PayloadOutcome {
    var action = "error"
    /// Of the refusal or of the error card.
    var code = "none"
    /// Cards by section.
    var sections: [String: JSON] = [:]
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

    init(of hex: String, in vault: Vault) {
        do {
            let answer = try vault.process(try Self.bytes(of: hex))
            sections = Self.sections(answer.cards)
            if case .error(let error) = answer.cards.error.first?.kind { code = error.code }
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
        } catch {
            code = "\(error)"
        }
    }

    /// The checks of the text form come before those of the bytes.
    private static func bytes(of hex: String) throws -> [UInt8] {
        do throws(PayloadError) { _ = try Payload(hex: hex) } catch {
            if Hex.decode(hex) == nil || error.code == "TooShort" || error.code == "NotSubstrate" { throw error }
        }
        return Hex.decode(hex) ?? []
    }

    /// Cards with their index over the whole answer.
    private static func sections(_ cards: CardSections) -> [String: JSON] {
        var index = -1
        return Dictionary(
            cards.ordered.map { section in
                let members = section.cards.map { card in
                    index += 1
                    return JSON.object(card.json.object.merging(["index": .integer(Int64(index))]) { $1 })
                }
                return (section.name, .array(members))
            }, uniquingKeysWith: { first, _ in first })
    }
}
