import Navigator
import Screens

extension Page {
    /// What can be pressed or filled in now: an alert takes everything, a sheet what is below it.
    package var activeBlocks: [Block] {
        let blocks = alert?.body ?? sheet?.body ?? body
        return blocks.flatMap(\.flattened)
    }

    /// Everything that stands anywhere on the page.
    package var allBlocks: [Block] { (body + (sheet?.body ?? []) + (alert?.body ?? [])).flatMap(\.flattened) }

    package var activeControls: [Control] {
        let inBlocks = activeBlocks.flatMap(\.controls)
        if let alert { return inBlocks + alert.bar }
        if let sheet { return inBlocks + sheet.bar + [sheet.close].compactMap { $0 } }
        return inBlocks + bar + [back, menu].compactMap { $0 }
    }

    package var activeRows: [Row] { activeBlocks.flatMap(\.rows) + (alert == nil && sheet == nil ? side : []) }
    package var activeFields: [Field] { activeBlocks.compactMap(\.field) }

    /// Every message that somebody can send from here.
    package var messages: [Message] {
        var messages = activeControls.map(\.message) + activeRows.compactMap(\.press)
        for field in activeFields {
            messages += [field.enter].compactMap { $0 }
            if case .secret(.word(_, let changed)) = field.kind { messages.append(changed) }
        }
        for case .guesses(let choices) in activeBlocks { messages.append(.core([choices.chosen])) }
        if alert == nil { messages += parts.map(\.press) + [shield.press] }
        return messages
    }

    /// The actions of all of them, of a scanner, and of files that are opened.
    package var actions: Set<UserAction> {
        var actions: Set<UserAction> = []
        for case .core(let calls) in messages { actions.formUnion(calls.map(\.action)) }
        for case .scanner(let scanner) in activeBlocks {
            actions.insert(scanner.purpose == .payload ? .transactionFetched : .shareFetched)
        }
        for case .window(let call) in messages { actions.formUnion([call.fetches].compactMap { $0 }) }
        return actions
    }

    /// Every text on the page as it is drawn.
    package var texts: [Text] {
        [title, vault, shield.text] + allBlocks.flatMap(\.texts) + parts.map(\.label) + side.flatMap(\.texts)
            + (bar + [back, menu].compactMap { $0 } + (sheet?.bar ?? []) + [sheet?.close].compactMap { $0 }
            + (alert?.bar ?? [])).flatMap(\.texts) + [sheet?.title, alert?.title].compactMap { $0 }
    }

    package var plain: String { texts.map(\.plain).joined(separator: "\n") }
}

extension WindowCall {
    /// The action that takes what is in the file that it asks for.
    fileprivate var fetches: UserAction? {
        switch self {
        case .openPayload: .transactionFetched
        case .openMetadata: .metadataFetched
        case .openProof: .proofFetched
        default: nil
        }
    }
}

extension Control {
    package var texts: [Text] { [label] + [obstacle].compactMap { $0 } }
}

extension Row {
    package var texts: [Text] {
        [title, value, detail].compactMap { $0 } + marks.map(\.text) + choices.flatMap(\.texts)
    }
}

extension Block {
    package var flattened: [Block] {
        if case .fold(_, let blocks) = self { [self] + blocks.flatMap(\.flattened) } else { [self] }
    }

    package var rows: [Row] { if case .group(_, let rows) = self { rows } else { [] } }
    package var field: Field? { if case .field(let field) = self { field } else { nil } }

    package var controls: [Control] {
        switch self {
        case .buttons(let controls): controls
        case .group(_, let rows): rows.flatMap(\.choices)
        default: []
        }
    }

    package var texts: [Text] {
        switch self {
        case .heading(let text), .text(let text): [text]
        case .headline(let text, let caption): [text, caption]
        case .card(let severity, let title, let text): [severity.word, title, text]
        case .group(let title, let rows): [title].compactMap { $0 } + rows.flatMap(\.texts)
        case .foreign(let block): block.lines.map { Text(own: $0) } + [block.rest].compactMap { $0 }
        case .tree(let lines): lines.map(\.text)
        case .fold(let title, _): [title]
        case .field(let field): [field.label, field.hint].compactMap { $0 }
        case .buttons(let controls): controls.flatMap(\.texts)
        case .code(let picture): [picture.label]
        case .words(let words): [words.label]
        case .guesses(let choices): [choices.label]
        case .scanner(let scanner): [scanner.advice]
        case .empty(_, let title, let text): [title, text]
        }
    }
}
