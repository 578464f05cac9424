import Navigator
import Screens

/// Pages of a tour to be looked at: of those that consist of the same parts at the same place, the one that says most.
package struct Exhibit: Sendable {
    /// The place, as a name of a file: `Keys`, `Keys-SeedMenu`, `Log-Error-2`.
    package var name: String
    package var page: Page

    /// One of each kind, in the order of the tour.
    package static func all(of names: Tour.Names) throws -> [Exhibit] {
        var kinds: [[String]] = []
        var fullest: [[String]: Page] = [:]
        for page in try Tour.pages(names) {
            let kind =
                [page.position.description]
                + page.allBlocks.map(\.kind).reduce(into: []) { kinds, kind in
                    if kinds.last != kind { kinds.append(kind) }
                }
            if fullest[kind] == nil { kinds.append(kind) }
            if (fullest[kind]?.plain.count ?? -1) < page.plain.count { fullest[kind] = page }
        }
        var count: [String: Int] = [:]
        return kinds.compactMap { kind in
            fullest[kind].map { page in
                let name = page.position.fileName
                count[name, default: 0] += 1
                return Exhibit(name: name + (count[name] == 1 ? "" : "-\(count[name] ?? 0)"), page: page)
            }
        }
    }
}

extension Position {
    /// Screen, modal and alert.
    fileprivate var fileName: String {
        ([screen.rawValue] + [modal?.rawValue, alert?.rawValue].compactMap { $0 }).joined(separator: "-")
    }
}

extension Block {
    /// Which part it is, whatever it says; risks by their severity.
    fileprivate var kind: String {
        if case .card(let severity, _, _) = self { return severity.rawValue }
        return Mirror(reflecting: self).children.first?.label ?? ""
    }
}
