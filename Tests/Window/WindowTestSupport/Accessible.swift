#if canImport(CGIO)
    import Foundation
    import Synchronization

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
        /// What stays as it is with a widget, whose place is never another's.
        private let kinds = Mutex<[Accessible.Place: Kind]>([:])

        private struct Kind {
            var role: String
            var interfaces: [String]

            // A label's name is its text, and its actions are its menu's.
            var isLabel: Bool { role == "label" }
            var hasText: Bool { !isLabel && interfaces.contains(AccessibilityBus.text) }
            var hasActions: Bool { !isLabel && interfaces.contains(AccessibilityBus.action) }
        }

        private static let properties = "org.freedesktop.DBus.Properties"
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
            return places.first { place in
                // Another program may have gone since it was listed.
                let owner = try? bus.call(
                    "org.freedesktop.DBus", path: "/org/freedesktop/DBus", method: "GetConnectionUnixProcessID",
                    of: "org.freedesktop.DBus", [.text(place.bus)])
                return owner?[0].number == Int(process)
            }
        }

        private func children(of place: Accessible.Place) throws -> [Accessible.Place] {
            Self.places(in: try bus.replies(to: [call("GetChildren", at: place)])[0].get())
        }

        private static func places(in reply: BusValue) -> [Accessible.Place] {
            reply[0].list.compactMap { child in
                guard let bus = child[0].text, let path = child[1].text else { return nil }
                return Accessible.Place(bus: bus, path: path)
            }
        }

        private func call(
            _ method: String, of interface: String = accessible, at place: Accessible.Place,
            _ arguments: [BusValue.Argument] = []
        ) -> BusConnection.Call {
            .init(name: place.bus, path: place.path, method: method, interface: interface, arguments: arguments)
        }

        /// A widget with what is below it. What is gone before it could be asked is left out.
        ///
        /// - Parameter hidden: whether what takes no room is looked into as well.
        func read(_ place: Accessible.Place, hidden: Bool = false) throws -> Accessible {
            guard let found = read([place], hidden: hidden)[0] else { throw WindowFailure("\(place.path) is gone") }
            return found
        }

        /// Widgets of one height of the tree with what is below each. What is asked of all of them goes out together.
        ///
        /// - Returns: nil for those that are gone.
        private func read(_ places: [Accessible.Place], hidden: Bool) -> [Accessible?] {
            guard !places.isEmpty else { return [] }
            let kinds = kinds(of: places)
            // In the window: those on the screen are wrong.
            let frames = bus.replies(to: places.map { call("GetExtents", of: Self.component, at: $0, [.unsigned(1)]) })
            let properties = bus.replies(
                to: places.map { call("GetAll", of: Self.properties, at: $0, [.text(Self.accessible)]) })
            var found = places.indices.map { index -> Accessible? in
                guard let kind = kinds[index], let properties = try? properties[index].get() else { return nil }
                let isWhole = kind.role == "application"
                guard let frame = isWhole ? .some(nil) : (try? frames[index].get()).map(Self.frame) else { return nil }
                var widget = Accessible(
                    role: kind.role, name: "", description: "", frame: frame, actions: [], children: [],
                    place: places[index])
                if hidden || widget.isVisible || frame == nil {
                    widget.name = Self.value("Name", in: properties)
                    widget.description = Self.value("Description", in: properties)
                }
                return widget
            }
            let open = places.indices.filter { index in
                guard let widget = found[index] else { return false }
                return hidden || widget.isVisible || widget.frame == nil
            }
            readTexts(open.filter { kinds[$0]?.hasText == true }, of: &found)
            readActions(open.filter { kinds[$0]?.hasActions == true }, of: &found)
            readChildren(open.filter { kinds[$0]?.isLabel == false }, of: &found, hidden: hidden)
            return found
        }

        private func kinds(of places: [Accessible.Place]) -> [Kind?] {
            let known = kinds.withLock { $0 }
            let new = places.filter { known[$0] == nil }
            let roles = bus.replies(to: new.map { call("GetRoleName", at: $0) })
            let interfaces = bus.replies(to: new.map { call("GetInterfaces", at: $0) })
            return kinds.withLock { kinds in
                for (index, place) in new.enumerated() {
                    guard let role = try? roles[index].get(), let interfaces = try? interfaces[index].get() else {
                        continue
                    }
                    kinds[place] = Kind(role: role[0].text ?? "", interfaces: interfaces[0].list.compactMap(\.text))
                }
                return places.map { kinds[$0] }
            }
        }

        private func readTexts(_ indices: [Int], of found: inout [Accessible?]) {
            let places = indices.map { found[$0]?.place }.compactMap(\.self)
            let counts = bus.replies(
                to: places.map {
                    call("Get", of: Self.properties, at: $0, [.text(Self.text), .text("CharacterCount")])
                })
            let texts = bus.replies(
                to: zip(places, counts).map { place, count in
                    let count = (try? count.get())?[0].number ?? 0
                    return call("GetText", of: Self.text, at: place, [.number(0), .number(Int32(clamping: count))])
                })
            for (index, text) in zip(indices, texts) {
                if let text = try? text.get() { found[index]?.text = text[0].text ?? "" } else { found[index] = nil }
            }
        }

        private func readActions(_ indices: [Int], of found: inout [Accessible?]) {
            let asked = indices.filter { found[$0] != nil }
            let actions = bus.replies(
                to: asked.compactMap { found[$0]?.place }.map { call("GetActions", of: Self.action, at: $0) })
            for (index, actions) in zip(asked, actions) {
                guard let actions = try? actions.get() else {
                    found[index] = nil
                    continue
                }
                found[index]?.actions = actions[0].list.compactMap { $0[0].text }
            }
        }

        private func readChildren(_ indices: [Int], of found: inout [Accessible?], hidden: Bool) {
            let asked = indices.filter { found[$0] != nil }
            let replies = bus.replies(to: asked.compactMap { found[$0]?.place }.map { call("GetChildren", at: $0) })
            let children = replies.map { (try? $0.get()).map(Self.places) }
            var below = read(children.flatMap { $0 ?? [] }, hidden: hidden)[...]
            for (index, places) in zip(asked, children) {
                guard let places else {
                    found[index] = nil
                    continue
                }
                found[index]?.children = below.prefix(places.count).compactMap(\.self)
                below.removeFirst(places.count)
            }
        }

        private static func value(_ name: String, in properties: BusValue) -> String {
            properties[0].list.first { $0[0].text == name }?[1].text ?? ""
        }

        private static func frame(_ reply: BusValue) -> Accessible.Frame? {
            let numbers = reply[0].list.compactMap(\.number)
            guard numbers.count == 4 else { return nil }
            return Accessible.Frame(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
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
