import Airgap
import Foundation
import Navigator
import NetworkDetector
import SecretMemory
import Signer
import Substrate
import TextForms

@testable import Screens
@testable import SignerCore

/// A window without pictures: presses what is on the page, and sends to a core what it says.
package final class Window {
    package static let phrase = "bottom drive obey lake curtain smoke basket hold race lonely fit walk"
    package static let westend = "01e143f23803ac50e8f6f8e62695d1ce9e4e1d68aa36c1cd2cfd15340213f3423e"
    package static let credential = "correct horse battery"

    let names: Tour.Names
    package let host: MemoryHost
    package let core: Core
    package var pages: Pages
    package private(set) var result: ActionResult
    package private(set) var page: Page
    /// Every page so far.
    package private(set) var seen: [Page] = []
    /// What was said instead of doing something.
    package private(set) var refusal: Text?

    /// - Parameters:
    ///   - names: what is called how in the vault.
    ///   - change: of the networks that the vault begins with.
    package init(
        _ names: Tour.Names = .usual, isOnboarded: Bool = true, hasMetadata: Bool = true,
        change: (inout NetworkBundle) -> Void = { _ in }
    ) throws {
        self.names = names
        var bundle = try NetworkBundle.shipped()
        for index in bundle.networks.indices where bundle.networks[index].specs.title == Tour.Names.usual.network {
            bundle.networks[index].specs.title = names.network
        }
        change(&bundle)
        bundle.types = TypesTable(entries: [.init(name: "Weight", description: .alias("u64"))])
        if !hasMetadata { for index in bundle.networks.indices { bundle.networks[index].metadata = [] } }
        host = try MemoryHost(bundle, isOnboarded: isOnboarded, confirmsDangers: true)
        core = Core(host: host)
        pages = Pages(vault: names.vault, isSeenByOthers: true)
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

    package static func secret(_ text: String) throws -> SecretBytes { try SecretBytes(copying: Array(text.utf8)) }

    // MARK: What a person does

    package struct NotThere: Error, CustomStringConvertible {
        package var id: String
        package var page: Position
        package var description: String { "\(id) is not on \(page)" }
    }

    /// Presses a control, a row or a main part, by its id.
    ///
    /// - Parameters:
    ///   - values: of fields; those that are not named stay as they are.
    ///   - secrets: typed into fields.
    @discardableResult
    package func press(_ id: String, _ values: [String: String] = [:], secrets: [String: String] = [:]) throws -> Page {
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
    package func id(_ start: String) throws -> String {
        let ids = page.activeRows.map(\.id) + page.activeControls.map(\.id)
        guard let id = ids.first(where: { $0.hasPrefix(start) }) else { throw NotThere(id: start, page: page.position) }
        return id
    }

    @discardableResult
    package func send(
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
            try Tour.check(breaches.isEmpty, "\(breaches) after \(call.action.rawValue) at \(page.position)")
        }
        return page
    }

    /// Chooses one of the words that are offered.
    @discardableResult
    package func choose(_ index: Int) throws -> Page {
        for case .guesses(let choices) in page.activeBlocks {
            take(try core.action(choices.chosen.action, secret: choices.words[index].bytes))
            return page
        }
        throw NotThere(id: "guesses", page: page.position)
    }

    /// Holds a code before the camera.
    @discardableResult
    package func scan(_ text: String) throws -> Page {
        for case .scanner(let scanner) in page.activeBlocks {
            take(try core.action(scanner.purpose == .payload ? .transactionFetched : .shareFetched, data: text))
            return page
        }
        throw NotThere(id: "scanner", page: page.position)
    }

    /// Opens a file by a control of the page.
    ///
    /// - Parameter hex: what is in it.
    @discardableResult
    package func open(_ id: String, _ hex: String) throws -> Page {
        guard case .window(let call)? = page.activeControls.first(where: { $0.id == id })?.message else {
            throw NotThere(id: id, page: page.position)
        }
        let action: UserAction =
            switch call {
            case .openPayload: .transactionFetched
            case .openMetadata: .metadataFetched
            case .openProof: .proofFetched
            default: throw NotThere(id: id, page: page.position)
            }
        take(try core.action(action, data: hex))
        return page
    }

    /// The network detector says something else.
    package func setDetector(_ state: NetworkDetector.State) throws {
        host.setDetector(state)
        take(try core.hostChanged())
    }

    // MARK: What a window does with it

    private func holds(
        _ condition: CoreCall.Condition, _ values: [String: String], _ secrets: [String: String]
    ) throws -> Bool {
        switch condition {
        case .isOn(let field): return try value(of: field, values) == "true"
        case .isPayload(let field): return PayloadText.bytes(ofHex: try value(of: field, values))?.isEmpty == false
        case .isEmpty(let field): return (secrets[field.name] ?? values[field.name] ?? "").isEmpty
        case .isUntouched(let field, let kind):
            if case .secret = kind { return (secrets[field.name] ?? "").isEmpty }
            guard let touched = values[field.name] else { return true }
            return try touched == value(of: field, [:])
        case .isPlainPath(let field): return TypedPath.isPlain(try value(of: field, values))
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
        case .payload(let field):
            return Hex.encode(PayloadText.bytes(ofHex: try value(of: field, values)) ?? [])
        case .list(let fields): return try fields.map { try value(of: $0, values) }.joined(separator: ",")
        case .passwordedPath(let field): return try value(of: field, values) + "///"
        case .object(let members, let known, let chosen):
            let own = try members.map { "\"\($0)\":\(try Self.json(value(of: $1, values)))" }
            let on = try chosen.mapValues { try $0.filter { try value(of: $0.field, values) == "true" }.map(\.value) }
            let lists = known.merging(on) { $0 + $1 }.map {
                "\"\($0)\":[\($1.map { "\"\($0)\"" }.joined(separator: ","))]"
            }
            return "{\((own + lists).joined(separator: ","))}"
        }
    }
}

extension Window {
    private static func json(_ text: String) throws -> String {
        String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
    }
}

extension ShownSecret {
    /// The secret, which only tests may look at.
    package var text: String { bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
}

extension Window {
    /// Recovers the development phrase as the key set of the names, by choosing its words.
    package func recoverAlice() throws {
        if page.sheet == nil { try press("new") }
        try press("recover-seed")
        try press("go", ["name": names.keySet])
        for word in Self.phrase.split(separator: " ") { try type(" \(word) ") }
        try press("store", ["roots": "true"])
    }

    /// What stands in the field of a word after a key.
    package func type(_ text: String) throws {
        for field in page.activeFields {
            guard case .secret(.word(_, let changed)) = field.kind else { continue }
            try send(changed, secrets: [field.id.name: text])
            return
        }
        throw NotThere(id: "word", page: page.position)
    }

    /// Shows the keys of Alice on Westend, from any page with the main parts.
    package func showWestend() throws {
        try press("Keys")
        try press("set-\(names.keySet)")
        try press("network")
        try press("network-\(Self.westend)")
    }
}
