import Navigator
import NetworkDetector
import SecretMemory
import Signer
import Substrate
import Testing

@testable import Screens
@testable import SignerCore

/// A window without pictures: presses what is on the page, and sends to a core what it says.
final class Window {
    static let phrase = "bottom drive obey lake curtain smoke basket hold race lonely fit walk"
    static let westend = "01e143f23803ac50e8f6f8e62695d1ce9e4e1d68aa36c1cd2cfd15340213f3423e"
    static let credential = "correct horse battery"

    let host: MemoryHost
    let core: Core
    var pages: Pages
    private(set) var result: ActionResult
    private(set) var page: Page
    /// Every page so far.
    private(set) var seen: [Page] = []
    /// What was said instead of doing something.
    private(set) var refusal: Text?

    /// - Parameter change: of the networks that the vault begins with.
    init(
        isOnboarded: Bool = true, hasMetadata: Bool = true, change: (inout NetworkBundle) -> Void = { _ in }
    ) throws {
        var bundle = try NetworkBundle.shipped()
        change(&bundle)
        bundle.types = TypesTable(entries: [.init(name: "Weight", description: .alias("u64"))])
        if !hasMetadata { for index in bundle.networks.indices { bundle.networks[index].metadata = [] } }
        host = try MemoryHost(bundle, isOnboarded: isOnboarded, confirmsDangers: true)
        core = Core(host: host)
        pages = Pages(vault: "demo vault", isSeenByOthers: true)
        result = try core.action(.start)
        page = pages.page(of: result)
        take(result)
    }

    private func take(_ result: ActionResult) {
        self.result = result
        pages.remember(result)
        page = pages.page(of: result)
        seen.append(page)
    }

    static func secret(_ text: String) throws -> SecretBytes {
        var bytes = Array(text.utf8)
        return try SecretBytes(movingFrom: &bytes)
    }

    // MARK: What a person does

    struct NotThere: Error, CustomStringConvertible {
        var id: String
        var page: Position
        var description: String { "\(id) is not on \(page)" }
    }

    /// Presses a control, a row or a main part, by its id.
    ///
    /// - Parameters:
    ///   - values: of fields; those that are not named stay as they are.
    ///   - secrets: typed into fields.
    @discardableResult
    func press(_ id: String, _ values: [String: String] = [:], secrets: [String: String] = [:]) throws -> Page {
        let controls = page.activeControls.filter { $0.id == id }
        if let control = controls.first {
            guard controls.count == 1, control.obstacle == nil else { throw NotThere(id: id, page: page.position) }
            return try send(control.message, values, secrets: secrets)
        }
        if let press = page.activeRows.first(where: { $0.id == id })?.press {
            return try send(press, values, secrets: secrets)
        }
        if page.alert == nil {
            if id == "shield" { return try send(page.shield.press) }
            if let part = page.parts.first(where: { $0.root.rawValue == id }) { return try send(part.press) }
        }
        throw NotThere(id: id, page: page.position)
    }

    /// The id of the first row or control that begins so.
    func id(_ start: String) throws -> String {
        let ids = page.activeRows.map(\.id) + page.activeControls.map(\.id)
        guard let id = ids.first(where: { $0.hasPrefix(start) }) else { throw NotThere(id: start, page: page.position) }
        return id
    }

    @discardableResult
    func send(
        _ message: Message, _ values: [String: String] = [:], secrets: [String: String] = [:]
    ) throws -> Page {
        refusal = nil
        guard case .core(let calls) = message else { return page }
        for call in calls {
            for need in call.needs where try !holds(need.condition, values, secrets) {
                refusal = need.otherwise
                return page
            }
            let secret = try call.secret.map { try Self.secret(secrets[$0.name] ?? "") }
            let credential = try call.credential.map { try Self.secret(secrets[$0.name] ?? "") }
            let data = try data(of: call, values)
            take(try core.action(call.action, data: data, secret: secret, credential: credential))
            let breaches = try core.breaches()
            #expect(breaches == [], "\(call.action.rawValue) at \(page.position)")
        }
        return page
    }

    /// Chooses one of the words that are offered.
    @discardableResult
    func choose(_ index: Int) throws -> Page {
        for case .guesses(let choices) in page.activeBlocks {
            take(try core.action(choices.chosen.action, secret: choices.words[index].bytes))
            return page
        }
        throw NotThere(id: "guesses", page: page.position)
    }

    /// Holds a code before the camera.
    @discardableResult
    func scan(_ text: String) throws -> Page {
        for case .scanner(let scanner) in page.activeBlocks {
            take(try core.action(scanner.purpose == .payload ? .transactionFetched : .shareFetched, data: text))
            return page
        }
        throw NotThere(id: "scanner", page: page.position)
    }

    /// The network detector says something else.
    func setDetector(_ state: NetworkDetector.State) throws {
        host.setDetector(state)
        take(try core.hostChanged())
    }

    // MARK: What a window does with it

    private func holds(
        _ condition: CoreCall.Condition, _ values: [String: String], _ secrets: [String: String]
    ) throws -> Bool {
        switch condition {
        case .isOn(let field): return try value(of: field, values) == "true"
        case .same(let one, let other): return secrets[one.name] == secrets[other.name]
        case .word(let field, let number, let words):
            guard case .phrase(let phrase) = words.source else { return false }
            let all = phrase.text.split(separator: " ").map(String.init)
            return secrets[field.name] == all[number - 1]
        }
    }

    private func value(of id: Field.ID, _ values: [String: String]) throws -> String {
        if let value = values[id.name] { return value }
        guard let field = page.activeFields.first(where: { $0.id == id }) else {
            throw NotThere(id: id.name, page: page.position)
        }
        return switch field.kind {
        case .text(let text), .path(let text): text
        case .number(let number, _): "\(number)"
        case .toggle(let isOn): "\(isOn)"
        case .secret: throw NotThere(id: id.name, page: page.position)
        }
    }

    private func data(of call: CoreCall, _ values: [String: String]) throws -> String {
        switch call.data {
        case .none: return ""
        case .text(let text): return text
        case .field(let field), .taken(let field), .toggle(let field): return try value(of: field, values)
        case .list(let fields): return try fields.map { try value(of: $0, values) }.joined(separator: ",")
        case .passwordedPath(let field): return try value(of: field, values) + "///"
        case .object(let members, let known, let chosen):
            let own = try members.map { "\"\($0)\":\"\(try value(of: $1, values))\"" }
            let on = try chosen.mapValues { try $0.filter { try value(of: $0.field, values) == "true" }.map(\.value) }
            let lists = known.merging(on) { $0 + $1 }.map { "\"\($0)\":[\($1.map { "\"\($0)\"" }.joined(separator: ","))]" }
            return "{\((own + lists).joined(separator: ","))}"
        }
    }
}

extension ShownSecret {
    /// The secret, which only tests may look at.
    var text: String { bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
}

extension Window {
    /// Recovers the development phrase as the key set `Alice`, by choosing its words.
    func recoverAlice() throws {
        if page.sheet == nil { try press("new") }
        try press("recover-seed")
        try press("go", ["name": "Alice"])
        for word in Self.phrase.split(separator: " ") { try type(" \(word) ") }
        try press("store", ["roots": "true"])
    }

    /// What stands in the field of a word after a key.
    func type(_ text: String) throws {
        for field in page.activeFields {
            guard case .secret(.word(_, let changed)) = field.kind else { continue }
            try send(changed, secrets: [field.id.name: text])
            return
        }
        throw NotThere(id: "word", page: page.position)
    }

    /// Shows the keys of Alice on Westend, from any page with the main parts.
    func showWestend() throws {
        try press("Keys")
        try press("set-Alice")
        try press("network")
        try press("network-\(Self.westend)")
    }
}
