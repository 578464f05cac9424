import Navigator
import Signer
import SignerCore
import TextForms

/// Pages of the log: its entries, and the details of one.
extension Pages {
    func log(_ data: LogData) -> Content {
        var content = Content(title: "Log", menu: menu("Checksum of the log, a note, clearing it"))
        let rows = data.entries.map { entry in
            Row(
                id: "entry-\(entry.order)", picture: .icon(entry.isDangerous ? .danger : .log),
                title: "\(own: entry.timestamp) UTC",
                value: lines(entry.events),
                marks: entry.isDangerous ? [.dangerous] : [],
                press: .send(.showLogDetails, .text("\(entry.order)")))
        }
        var head = Text(data.count, "entry", plural: "entries") + ", the newest first."
        if let first = data.entries.first, let last = data.entries.last, data.newer + data.older > 0 {
            head += " Here are those with the numbers \(first.order) to \(last.order)."
            // Another title, so that each of them begins at its top.
            if data.newer > 0 { content.title = "Log, page \((data.newer - 1) / LogData.pageSize + 2)" }
        }
        content.body = [.text(head), .group(title: nil, rows)]
        if data.newer + data.older > 0 { content.body.append(entryByNumber(data)) }
        if data.newer > 0 {
            content.bar.append(Control("newer", label: "Newer ones", icon: .previous, does: .send(.previousUnit)))
        }
        if data.older > 0 {
            content.bar.append(Control("older", label: "Older ones", icon: .forward, does: .send(.nextUnit)))
        }
        return content
    }

    private func entryByNumber(_ data: LogData) -> Block {
        let show = Message.send(.showLogDetails, .field("entry"))
        return .fold(
            title: "An entry by its number",
            [
                .field(
                    Field(
                        "entry", label: "Number of the entry", kind: .number(0, in: 0...max(0, data.count - 1)),
                        hint: "The oldest one has the number 0.", enter: show)),
                .buttons([Control("show-entry", label: "Show it", icon: .forward, does: show)]),
            ])
    }

    private func lines(_ events: [String]) -> Text {
        guard let first = events.first else { return "" }
        return events.dropFirst().reduce(event(first)) { $0 + "; " + event($1) }
    }

    /// The name of an event with the one field that a list shows, which may come from outside.
    private func event(_ text: String) -> Text {
        let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        let name = Text(own: String(parts[0]), .strong)
        guard parts.count > 1, !parts[1].isEmpty else { return name }
        return name + " " + essence(String(parts[1]))
    }

    /// Characters of a field in a list.
    private static let essenceLimit = 160

    func essence(_ text: String) -> Text {
        guard text.count > Self.essenceLimit else { return Text(title: text) }
        return Text(quoting: String(text.prefix(Self.essenceLimit))) + "… (\(text.utf8.count) bytes)"
    }

    func logDetails(_ data: LogDetailsData) -> Content {
        let head = Block.group(
            title: "Entry \(data.order)",
            [
                .fact("time", "Time", is: "\(own: data.timestamp) UTC"),
                .fact("digest", "Digest of the log up to it", is: Text(hex: data.digest)),
            ])
        return Content(body: [head] + data.events.enumerated().flatMap { blocks(of: $1, number: $0 + 1) })
    }

    private func blocks(of event: LogDetailsData.Event, number: Int) -> [Block] {
        let row = Row(
            id: "event-\(number)", picture: .icon(event.isDangerous ? .danger : .log),
            title: Text(own: event.name, .strong),
            value: event.text.isEmpty ? nil : Text(title: event.text), marks: event.isDangerous ? [.dangerous] : [])
        let head: [Block] =
            ForeignText(event.text).isInline
            ? [.group(title: nil, [row])]
            : [.group(title: nil, [row.withoutValue]), .foreign(ForeignBlock(event.text))]
        switch event.content {
        case .none: return head
        case .decoded(let answer): return head + AnswerBlocks(answer: answer, place: "event-\(number)-").all
        case .undecodable(let problem):
            return head + [
                .card(
                    .warning, title: "It cannot be shown any more", text: Text(own: "\(problem) [\(problem.code)]"))
            ]
        }
    }

    // MARK: Over it

    func logRight(_ data: LogRightData) -> Page.Sheet {
        Page.Sheet(
            title: "The log as a whole",
            body: [
                .card(
                    .good, title: "The log is whole",
                    text: "Each entry is the one that was written, and none is missing between them."),
                .group(
                    title: nil,
                    [
                        .fact("checksum", "Checksum", is: Text(own: data.checksum, .monospaced)),
                        .fact("digest", "Digest", is: Text(hex: data.digest)),
                        .fact("count", "Entries", is: "\(data.count)"),
                    ]),
                .text("Note the digest: it proves later that the log has only grown since."),
            ] + comparison(data),
            bar: [
                Control(
                    "note", label: "Write a note", icon: .document, style: .suggested, does: .send(.createLogComment)),
                destroying("clear", "Clear the log", icon: .wipe, typed: "CLEAR", does: .send(.clearLog)),
            ], close: closing)
    }

    private func comparison(_ data: LogRightData) -> [Block] {
        let compare = Message.send(.compareLog, .field("earlier"))
        let found: [Block] =
            data.compared.map { compared in
                [
                    .card(
                        .good, title: "It has only grown",
                        text: "It had the digest " + Text(hex: compared.earlier)
                            + (compared.wasCleared
                                ? " when it was cleared, with \(compared.containsAt) entries."
                                : " at entry \(compared.containsAt)."))
                ]
            } ?? []
        return found + [
            .fold(
                title: "Compare with an earlier digest",
                [
                    .field(
                        Field(
                            "earlier", label: "The digest that you noted", kind: .text(""), hint: "64 hex digits.",
                            enter: compare)),
                    .buttons([Control("compare", label: "Compare", icon: .check, does: compare)]),
                ])
        ]
    }

    var logComment: Page.Sheet {
        let write = Message.send(.goForward, .field("note"))
        return Page.Sheet(
            title: "A note for the log",
            body: [
                .field(
                    Field(
                        "note", label: "Note", kind: .text(""), hint: "At most 1,024 characters.", enter: write))
            ],
            bar: [Control("write", label: "Write it down", icon: .check, style: .suggested, does: write)],
            close: closing)
    }
}

extension Row {
    fileprivate var withoutValue: Row {
        var row = self
        row.value = nil
        return row
    }
}

extension Row.Mark {
    static let dangerous = Row.Mark(severity: .danger, icon: .danger, text: Severity.danger.word)
}
