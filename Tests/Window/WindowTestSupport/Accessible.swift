#if canImport(CGIO)
    import Foundation

    /// What assistive technology is told of one widget, when it asked.
    ///
    /// GTK 4.8 names roles as ARIA does, keeps pages that are not shown in the tree with no extent, and gives texts
    /// only by their number of characters.
    package struct Accessible: Sendable {
        package var role: String
        package var name: String
        package var description: String
        /// What stands in it, where it has text to be read.
        package var text: String?
        /// In the window, in pixels; nil for what takes no room.
        package var frame: Frame?
        package var actions: [String]
        package var children: [Accessible]
        let place: Place

        package struct Frame: Hashable, Sendable {
            package var x, y, width, height: Int
        }

        /// Where it is on the bus.
        struct Place: Hashable, Sendable {
            var bus: String
            var path: String
        }

        /// It and all below it, from top to bottom.
        package var all: [Accessible] { [self] + children.flatMap(\.all) }

        /// Whether it takes room on the screen.
        package var isVisible: Bool { frame.map { $0.width > 0 && $0.height > 0 } ?? false }

        /// All that it says.
        package var words: [String] { [name, description, text ?? ""].filter { !$0.isEmpty } }
    }

    extension Accessible {
        /// A line for it and each below it, with steps to the right.
        package var outline: String { lines(0).joined(separator: "\n") }

        private func lines(_ depth: Int) -> [String] {
            let said = words.map { "“\($0)”" }.joined(separator: " ")
            let doing = actions.isEmpty ? "" : " [\(actions.joined(separator: ", "))]"
            let line = String(repeating: "  ", count: depth) + "\(role) \(said)\(doing)"
            return [isVisible ? line : line + " (not shown)"] + children.flatMap { $0.lines(depth + 1) }
        }
    }

    /// Assistive technology's view of the programs of a desktop.
    final class AccessibilityBus: Sendable {
        private let bus: BusConnection

        private static let accessible = "org.a11y.atspi.Accessible"
        private static let component = "org.a11y.atspi.Component"
        private static let action = "org.a11y.atspi.Action"
        private static let text = "org.a11y.atspi.Text"
        private static let editable = "org.a11y.atspi.EditableText"
        private static let registry = "org.a11y.atspi.Registry"
        private static let root = "/org/a11y/atspi/accessible/root"

        /// - Parameter session: the address of the session's bus, which starts the other one.
        init(session: String) throws {
            let address = try BusConnection(address: session).call(
                "org.a11y.Bus", path: "/org/a11y/bus", method: "GetAddress", of: "org.a11y.Bus")
            bus = try BusConnection(address: address[0].text ?? "")
        }

        /// The place of a program's root; nil before it has told of itself.
        func program(_ process: Int32) throws -> Accessible.Place? {
            let places = try children(of: Accessible.Place(bus: Self.registry, path: Self.root))
            return try places.first { place in
                let owner = try bus.call(
                    "org.freedesktop.DBus", path: "/org/freedesktop/DBus", method: "GetConnectionUnixProcessID",
                    of: "org.freedesktop.DBus", [.text(place.bus)])
                return owner[0].number == Int(process)
            }
        }

        private func children(of place: Accessible.Place) throws -> [Accessible.Place] {
            let reply = try bus.call(place.bus, path: place.path, method: "GetChildren", of: Self.accessible)
            return reply[0].list.compactMap { child in
                guard let bus = child[0].text, let path = child[1].text else { return nil }
                return Accessible.Place(bus: bus, path: path)
            }
        }

        /// A widget with what is below it. What is gone before it could be asked is left out.
        ///
        /// - Parameter hidden: whether what takes no room is looked into as well.
        func read(_ place: Accessible.Place, hidden: Bool = false) throws -> Accessible {
            let role = try bus.call(place.bus, path: place.path, method: "GetRoleName", of: Self.accessible)[0].text
            var found = Accessible(
                role: role ?? "", name: "", description: "", frame: role == "application" ? nil : try frame(at: place),
                actions: [], children: [], place: place)
            guard hidden || found.isVisible || found.frame == nil else { return found }
            found.name = try property("Name", of: Self.accessible, at: place).text ?? ""
            found.description = try property("Description", of: Self.accessible, at: place).text ?? ""
            // A label's name is its text, and its actions are its menu's.
            guard role != "label" else { return found }
            let interfaces = try bus.call(place.bus, path: place.path, method: "GetInterfaces", of: Self.accessible)[0]
                .list.compactMap(\.text)
            if interfaces.contains(Self.text) { found.text = try text(at: place) }
            if interfaces.contains(Self.action) { found.actions = try actions(at: place) }
            found.children = try children(of: place).compactMap { try? read($0, hidden: hidden) }
            return found
        }

        private func property(_ name: String, of interface: String, at place: Accessible.Place) throws -> BusValue {
            try bus.call(
                place.bus, path: place.path, method: "Get", of: "org.freedesktop.DBus.Properties",
                [.text(interface), .text(name)])[0]
        }

        private func text(at place: Accessible.Place) throws -> String {
            let count = try property("CharacterCount", of: Self.text, at: place).number ?? 0
            return try bus.call(
                place.bus, path: place.path, method: "GetText", of: Self.text,
                [.number(0), .number(Int32(clamping: count))])[0].text ?? ""
        }

        private func frame(at place: Accessible.Place) throws -> Accessible.Frame? {
            // In the window: those on the screen are wrong.
            let reply = try bus.call(
                place.bus, path: place.path, method: "GetExtents", of: Self.component, [.unsigned(1)])[0]
            let numbers = reply.list.compactMap(\.number)
            guard numbers.count == 4 else { return nil }
            return Accessible.Frame(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
        }

        private func actions(at place: Accessible.Place) throws -> [String] {
            try bus.call(place.bus, path: place.path, method: "GetActions", of: Self.action)[0].list
                .compactMap { $0[0].text }
        }

        /// Does an action of a widget as assistive technology would.
        func act(_ number: Int, at place: Accessible.Place) throws {
            let done = try bus.call(
                place.bus, path: place.path, method: "DoAction", of: Self.action, [.number(Int32(clamping: number))])
            guard done[0] == .truth(true) else { throw WindowFailure("the action \(number) was not done") }
        }

        /// Writes into a field, in place of what stands in it, as assistive technology would.
        func write(_ text: String, at place: Accessible.Place) throws {
            let done = try bus.call(
                place.bus, path: place.path, method: "SetTextContents", of: Self.editable, [.text(text)])
            guard done[0] == .truth(true) else { throw WindowFailure("nothing was written into the field") }
        }
    }
#endif
