import Airgap
import BasicFoundation
import Screens
import SecretMemory
import SignerCore
import TextForms

/// What goes along with an action of the core, taken out of the fields of a page.
struct CallValues: Sendable {
    var data: String
    var secret: SecretBytes?
    var credential: SecretBytes?
}

/// Why a call could not be made of what stands in the fields.
enum CallError: Error, Equatable {
    /// The page has no such field, or no such word: it is another page than the one that was pressed.
    case otherPage
    case needs(Text)
}

extension CoreCall {
    /// Looks whether all that has to hold does. Secrets are compared where they are.
    @MainActor
    func check(_ values: any FieldValues) throws {
        for need in needs {
            guard try need.condition.holds(values) else { throw CallError.needs(need.otherwise) }
        }
    }

    /// Takes what goes along. Secrets are gone from their fields afterwards, also from those they were compared with.
    ///
    /// - Parameter choices: the secrets to choose from on the page.
    @MainActor
    func values(_ values: any FieldValues, choices: SecretChoices?) throws -> CallValues {
        var taken = CallValues(data: try data.text(values))
        taken.secret = try secret.map { try values.take($0).orOtherPage() }
        taken.credential = try credential.map { try values.take($0).orOtherPage() }
        for field in Set(needs.flatMap(\.condition.secrets)).subtracting([secret, credential].compactMap(\.self)) {
            _ = try values.take(field)
        }
        if let choice {
            guard let choices, choices.words.indices.contains(choice) else { throw CallError.otherPage }
            taken.secret = choices.words[choice].bytes
        }
        return taken
    }
}

extension CoreCall.Data {
    @MainActor
    fileprivate func text(_ values: any FieldValues) throws -> String {
        switch self {
        case .none: ""
        case .text(let text): text
        case .field(let field): try values.text(of: field).orOtherPage()
        case .taken(let field): try values.takeText(of: field).orOtherPage()
        case .toggle(let field): try values.isOn(field).orOtherPage() ? "true" : "false"
        case .list(let fields): try fields.map { try values.text(of: $0).orOtherPage() }.joined(separator: ",")
        case .payload(let field):
            Hex.encode(try PayloadText.bytes(ofHex: values.text(of: field).orOtherPage()).orOtherPage())
        case .passwordedPath(let field): try values.text(of: field).orOtherPage() + "///"
        case .object(let fields, let known, let chosen):
            try Self.object(
                fields.mapValues { try values.text(of: $0).orOtherPage() },
                known.merging(
                    chosen.mapValues { choices in
                        try choices.filter { try values.isOn($0.field).orOtherPage() }.map(\.value)
                    }
                ) { $0 + $1 })
        }
    }

    private enum Member: Encodable {
        case text(String)
        case list([String])

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .text(let text): try container.encode(text)
            case .list(let list): try container.encode(list)
            }
        }
    }

    private static func object(_ texts: [String: String], _ lists: [String: [String]]) throws -> String {
        let members = texts.mapValues(Member.text).merging(lists.mapValues(Member.list)) { text, _ in text }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(members), as: UTF8.self)
    }
}

extension CoreCall.Condition {
    /// The fields with secrets that it compares.
    fileprivate var secrets: [Field.ID] {
        switch self {
        case .isOn, .isPayload, .isEmpty, .isUntouched, .isPlainPath: []
        case .same(let one, let other): [one, other]
        case .word(let field, _, _): [field]
        }
    }

    @MainActor
    fileprivate func holds(_ values: any FieldValues) throws -> Bool {
        switch self {
        case .isOn(let field): return try values.isOn(field).orOtherPage()
        case .isPayload(let field):
            // A field cuts what is pasted into it beyond what it holds: what fills it may be a part.
            let text = try values.text(of: field).orOtherPage()
            return text.utf8.count <= PayloadText.typedLimit && PayloadText.bytes(ofHex: text)?.isEmpty == false
        case .isEmpty(let field): return try values.isEmpty(field).orOtherPage()
        case .isUntouched(let field, .text(let text)), .isUntouched(let field, .path(let text)):
            return try values.text(of: field).orOtherPage() == text
        case .isUntouched(let field, .number(let number, _)):
            return try values.text(of: field).orOtherPage() == "\(number)"
        case .isUntouched(let field, .toggle(let isOn)): return try values.isOn(field).orOtherPage() == isOn
        case .isUntouched(let field, .secret): return try values.isEmpty(field).orOtherPage()
        case .isPlainPath(let field): return TypedPath.isPlain(try values.text(of: field).orOtherPage())
        case .same(let one, let other):
            return try values.copy(of: one).orOtherPage() == values.copy(of: other).orOtherPage()
        case .word(let field, let number, let words):
            let typed = try values.copy(of: field).orOtherPage()
            guard let shown = try words.word(number) else { throw CallError.otherPage }
            return typed == shown
        }
    }
}

extension Optional {
    fileprivate func orOtherPage() throws -> Wrapped {
        guard let self else { throw CallError.otherPage }
        return self
    }
}
