import Airgap
import KnownAnswers
import Signer
import Substrate
import TextForms

/// `[{name, db, hex | file, expect, code}]`: inputs that are refused, or shown with an error.
enum RejectsCheck: AnswerList {
    static func recognises(_ content: JSON) -> Bool {
        content.has("db", "expect", "code")
    }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        for item in content.array {
            let name = file.name(item["name"].string ?? "?")
            let code = item["code"].string ?? ""
            do {
                let payload = try PayloadInput(item, file)
                let state = ColdProfile(file: file, profile: item["db"].string ?? "")
                let outcome = PayloadOutcome(of: payload, in: try state.vault(general: item["general_verifier"]))
                report.expect(name, outcome.code, equals: code)
                let actions = ["read": "read_with_error", "error": "error"]
                report.expect("\(name) action", actions[outcome.action], equals: item["expect"].string)
            } catch {
                report.fail(name, because: "\(error)")
            }
        }
    }
}

/// `{payloads: [{hex, version}]}`: exports of derived keys, as they were captured.
enum DerivationsCheck: AnswerList {
    static func recognises(_ content: JSON) -> Bool {
        content["payloads"].has("hex", "version")
    }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        for (index, item) in content["payloads"].rows.enumerated() {
            let name = file.name("payloads[\(index)]")
            guard let bytes = item["hex"].hex, case .derivations(let export)? = try? Payload(bytes) else {
                report.fail(name, because: "no export of derivations")
                continue
            }
            report.expect("\(name) version", export.features == nil ? 1 : 2, equals: item["version"].int ?? -1)
            report.expect("\(name) keys", export.seeds.allSatisfy { !$0.keys.isEmpty }, equals: true)
        }
    }
}

/// A payload as hex or in a file.
struct PayloadInput {
    let hex: String

    init(hex: String) { self.hex = hex }

    init(_ item: JSON, _ file: AnswerFile) throws {
        if let hex = item["hex"].string {
            self.hex = hex
        } else if let path = item["file"].string {
            hex = Hex.encode(try file.bytes(of: "uos/" + path))
        } else {
            throw RowError.missing("hex or file")
        }
    }

    /// The checks of the text form come before those of the bytes.
    func bytes() throws(PayloadError) -> [UInt8] {
        guard let bytes = Hex.decode(hex), bytes.first == 0x53 else {
            _ = try Payload(hex: hex)
            return []
        }
        return bytes
    }
}

/// What a vault says to a payload.
struct PayloadOutcome {
    var action = "error"
    /// The code of the refusal or of the error card.
    var code = "none"
    /// The cards by section.
    var sections: [String: JSON] = [:]
    var author: AuthorInfo?
    var network: NetworkSpecs?
    var items: [PayloadOutcome] = []
    /// What was shown, where it can be accepted.
    var proposal: Proposal?

    init(of payload: PayloadInput, in vault: Vault) {
        let refusal: String
        do {
            let proposal = try vault.propose(try payload.bytes())
            self.init(proposal.answer)
            self.proposal = proposal
            return
        } catch let error as RefusedPayload {
            // The answers say apart what the code here has behind it: of what.
            refusal = String(error.code.prefix { $0 != "(" })
        } catch let error as PayloadError {
            refusal = error.code
        } catch {
            refusal = "\(error)"
        }
        self.init(refusal: refusal)
    }

    private init(refusal: String) {
        code = refusal
    }

    private init(_ answer: Answer) {
        sections = Self.sections(answer.cards)
        network = answer.network
        if case .error(let error) = answer.cards.error.first?.kind { code = error.code }
        items = answer.items.map { PayloadOutcome($0) }
        switch answer.action {
        case .read: action = "read"
        case .sign(let request):
            action = "sign"
            author = request.author
        case .signBulk: action = "sign_bulk"
        case .importDerivations, .importPaths: action = "derivations"
        case .shareDerivations: action = "dynamic_derivations"
        case .update: action = "stub"
        }
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
