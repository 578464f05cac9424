import AirgapLink
import Foundation
import Screens
import SecretMemory

@testable import SignerSession

/// A window without a screen: it writes down what it is asked for, and hands it out in order.
@MainActor
final class FakeWindow: SessionView {
    enum Event {
        case page(Page)
        case scan(ScanUpdate?)
        case work(Text?)
        case told(Text)
        case secretsHidden
        case closed
    }

    private let (stream, source) = AsyncStream<Event>.makeStream()
    private lazy var events = stream.makeAsyncIterator()
    /// What was said of scans and files, which stays; told as the rest is.
    private(set) var failures: [Text] = []
    private(set) var chooses: (@MainActor (String) -> Void)?
    /// What the file that was asked for last is for.
    private(set) var use: FileUse?

    func show(_ page: Page) { source.yield(.page(page)) }
    func show(_ scan: ScanUpdate?) { source.yield(.scan(scan)) }
    func show(work: Text?) { source.yield(.work(work)) }
    func tell(_ notice: Text) { source.yield(.told(notice)) }
    func tell(failure: Text) {
        failures.append(failure)
        source.yield(.told(failure))
    }
    func hideSecrets() { source.yield(.secretsHidden) }
    func close() { source.yield(.closed) }
    func chooseSource(_ chosen: @escaping @MainActor (String) -> Void) { chooses = chosen }
    func chooseFile(_ title: Text, to use: FileUse, _ chosen: @escaping @MainActor (String) -> Void) {
        (self.use, chooses) = (use, chosen)
    }

    func next() async -> Event {
        var iterator = events
        defer { events = iterator }
        guard let event = await iterator.next(isolation: #isolation) else { fatalError("the stream never ends") }
        return event
    }

    func nextPage() async -> Page {
        while true { if case .page(let page) = await next() { return page } }
    }

    func nextNotice() async -> Text {
        while true { if case .told(let text) = await next() { return text } }
    }
}

/// Fields of a page, by their names.
@MainActor
final class FakeFields: FieldValues {
    var texts: [Field.ID: String] = [:]
    var toggles: [Field.ID: Bool] = [:]
    var secrets: [Field.ID: SecretBytes] = [:]

    func text(of field: Field.ID) -> String? { texts[field] }
    func takeText(of field: Field.ID) -> String? {
        defer { if texts[field] != nil { texts[field] = "" } }
        return texts[field]
    }
    func isOn(_ field: Field.ID) -> Bool? { toggles[field] }
    func isEmpty(_ field: Field.ID) -> Bool? { secrets[field].map { $0.count == 0 } ?? texts[field]?.isEmpty }
    func copy(of field: Field.ID) throws -> SecretBytes? { try secrets[field].map { try $0.part(0..<$0.count) } }
    func take(_ field: Field.ID) throws -> SecretBytes? {
        guard let secret = secrets[field] else { return nil }
        secrets[field] = try SecretBytes(count: 0) { _ in }
        return secret
    }

    func put(_ secret: String, into field: Field.ID) throws {
        var bytes = Array(secret.utf8)
        secrets[field] = try SecretBytes(movingFrom: &bytes)
    }
}
