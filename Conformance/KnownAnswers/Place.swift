import StrictJSON
import Synchronization

/// A place in a file of known answers, and what was looked at there. All elements of a list may share one place: what
/// is looked at in one row counts for all rows.
final class Place: Sendable {
    /// How a place is reached from the one around it.
    enum Part: Hashable {
        case member(String)
        case anyMember
        case element(Int)
        case anyElement
    }

    let file: AnswerFile
    /// From the top of the file, as `cases[].header`; empty at the top.
    let path: String
    private let looks = Mutex<Looks>(Looks())

    private struct Looks {
        var isWhole = false
        /// Whether scalars here need no look.
        var isLeft = false
        var parts: [Part: Place] = [:]
    }

    init(_ file: AnswerFile, path: String = "") {
        self.file = file
        self.path = path
    }

    /// A part that is looked at.
    func part(_ part: Part) -> Place {
        looks.withLock { looks in
            if let known = looks.parts[part] { return known }
            let place = Place(file, path: path(of: part))
            looks.parts[part] = place
            return place
        }
    }

    /// Everything here is looked at.
    func take() { looks.withLock { $0.isWhole = true } }

    func leave() { looks.withLock { $0.isLeft = true } }

    func complain(_ reason: String) { file.folder.complain(name, because: reason) }

    /// File and path, for a report.
    var name: String { path.isEmpty ? file.path : "\(file.path) \(path)" }

    private func path(of part: Part) -> String {
        switch part {
        case .member(let name): path.isEmpty ? name : "\(path).\(name)"
        case .anyMember: path.isEmpty ? "*" : "\(path).*"
        case .element(let index): "\(path)[\(index)]"
        case .anyElement: "\(path)[]"
        }
    }
}

// MARK: What nobody looked at

extension Place {
    /// Members that tell a reader what something is about, and no check.
    private static let prose: Set<String> = [
        "comment", "desc", "description", "name", "note", "notes", "reason", "source", "tcId",
    ]

    /// Members and elements that no check looked at, each once, whatever row they are in.
    func missed(in content: StrictJSON.JSON) -> Set<String> {
        var missed: Set<String> = []
        Self.collect(from: content, seenAt: [self], path: path, into: &missed)
        return missed
    }

    private static func collect(
        from content: StrictJSON.JSON, seenAt places: [Place], path: String, into missed: inout Set<String>
    ) {
        let isFlat = content.object == nil && !(content.array ?? []).contains { $0.object != nil || $0.array != nil }
        if places.contains(where: { $0.looks.withLock { $0.isWhole || $0.isLeft && isFlat } }) { return }
        func descend(into content: StrictJSON.JSON, by parts: [Part], at path: String) {
            let inner = places.flatMap { place in
                place.looks.withLock { looks in parts.compactMap { looks.parts[$0] } }
            }
            if inner.isEmpty {
                missed.insert(path)
            } else {
                collect(from: content, seenAt: inner, path: path, into: &missed)
            }
        }
        for (index, element) in (content.array ?? []).enumerated() {
            descend(into: element, by: [.element(index), .anyElement], at: "\(path)[]")
        }
        for member in content.object ?? [] where !isProse(member) {
            descend(
                into: member.value, by: [.member(member.name), .anyMember],
                at: path.isEmpty ? member.name : "\(path).\(member.name)")
        }
    }

    /// A member is prose by its name if it holds no more than text.
    private static func isProse(_ member: StrictJSON.JSON.Member) -> Bool {
        guard prose.contains(member.name) else { return false }
        return switch member.value {
        case .object: false
        case .array(let elements): elements.allSatisfy { $0.string != nil }
        default: true
        }
    }
}
