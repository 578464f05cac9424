#if canImport(CGIO)
    import Foundation
    import TestSupport

    /// A program in a window of a desktop, used as people use it: by what they read, by keys and by the pointer.
    ///
    ///     let window = try DrivenWindow("casemate-window", ["--demo"], on: Desktop())
    ///     try window.page("SeedSelector/-")
    ///     try window.press("Scan")
    ///     try window.type("a name", into: "Name of the key set")
    ///
    /// Whatever is waited for has ten minutes: a busy machine is no mistake.
    package final class DrivenWindow: Sendable {
        package let desktop: Desktop
        private let program: ChildOfDesktop
        private let root: Accessible.Place
        /// The window's number on the screen.
        private let number: String

        private static let patience = Duration.seconds(600)

        /// - Parameters:
        ///   - path: of the program.
        ///   - hasNetwork: whether it runs in the network of this machine, or in one without even a loopback.
        package init(
            _ path: String, _ arguments: [String], on desktop: Desktop, hasNetwork: Bool = true,
            environment: [String: String] = [:]
        ) throws {
            self.desktop = desktop
            let words = hasNetwork ? [path] + arguments : ["unshare", "-rn", path] + arguments
            let errors = desktop.folder.path("errors-\(UUID().uuidString)")
            let program = try ChildOfDesktop(
                words[0], Array(words.dropFirst()),
                environment: desktop.environment.merging(environment) { $1 }, errors: errors)
            self.program = program
            root = try Self.wait("\(path) appears on the screen") {
                guard program.isRunning else {
                    throw WindowFailure(
                        "\(path) has ended: " + ((try? String(contentsOfFile: errors, encoding: .utf8)) ?? ""))
                }
                return try desktop.accessibility.program(program.id)
            }
            number = try Self.wait("the window has a number") {
                (try? desktop.xdotool(["search", "--all", "--onlyvisible", "--pid", "\(program.id)", "--name", "."]))?
                    .split(separator: "\n").last.map(String.init)
            }
            try desktop.xdotool(["windowmove", number, "0", "0"])
            try focus()
        }

        deinit { program.end() }

        package var id: Int32 { program.id }
        package var isRunning: Bool { program.isRunning }

        /// Ends the program as a session's end does, and waits for it.
        package func end(by signal: Int32 = SIGTERM) { program.end(by: signal) }

        /// Gives the keyboard to the window.
        package func focus() throws { try desktop.xdotool(["windowfocus", "--sync", number]) }

        // MARK: Waiting

        /// Asks again and again until there is an answer.
        package static func wait<Value>(
            _ what: @autoclosure () -> String, _ look: () throws -> Value?
        ) throws -> Value {
            let clock = ContinuousClock()
            let end = clock.now + patience
            // Whoever looks keeps window, bus and machine busy, at a tree with hundreds of calls: they rest for as long
            // as that took, and longer after a time.
            var pause = Duration.milliseconds(20)
            while true {
                let began = clock.now
                if let value = try look() { return value }
                let now = clock.now
                guard now < end else { throw WindowFailure("in vain: \(what())") }
                Thread.sleep(forTimeInterval: min(max(pause, now - began), .seconds(1)) / .seconds(1))
                pause = min(pause * 5 / 4, .seconds(1))
            }
        }

        /// Waits until the tree has something.
        package func wait<Value>(_ what: String, _ look: (Accessible) throws -> Value?) throws -> Value {
            var last: Accessible?
            do {
                return try Self.wait(what) {
                    guard let tree = try? tree() else {
                        guard isRunning else { throw WindowFailure("the program has ended; wanted: \(what)") }
                        return nil
                    }
                    last = tree
                    return try look(tree)
                }
            } catch let failure as WindowFailure {
                throw WindowFailure("\(failure)\n\(last?.outline ?? "")")
            }
        }

        // MARK: Reading

        /// What assistive technology is told now.
        package func tree(hidden: Bool = false) throws -> Accessible {
            try desktop.accessibility.read(root, hidden: hidden)
        }

        /// All words that are shown, in order.
        package func words() throws -> [String] { try tree().all.filter(\.isVisible).flatMap(\.words) }

        /// Waits until a text is shown somewhere, by itself or within another.
        @discardableResult
        package func sees(_ text: String) throws -> String {
            try wait("“\(text)” is shown") { tree in
                tree.all.filter(\.isVisible).flatMap(\.words).first { $0.contains(text) }
            }
        }

        /// Waits until a text is shown no more.
        package func seesNoMore(_ text: String) throws {
            try wait("“\(text)” is gone") { tree in
                tree.all.filter(\.isVisible).flatMap(\.words).contains { $0.contains(text) } ? nil : ()
            }
        }

        /// Waits until a page is shown.
        ///
        /// - Parameter position: screen, modal and alert, as `Keys/-` and `Log/-!Error`.
        package func page(_ position: String) throws {
            try wait("the page \(position)") { tree in
                tree.all.contains { $0.isVisible && $0.description == position } ? () : nil
            }
        }

        /// The position that is shown; nil before the first.
        package func position() throws -> String? {
            try tree().all.first { $0.isVisible && $0.description.contains("/") && !$0.description.contains(" ") }?
                .description
        }

        // MARK: Doing

        /// What can be pressed and has this name, the topmost of them, with the number of its action.
        private static func pressable(_ name: String, in tree: Accessible) -> (Accessible, action: Int)? {
            let found = tree.all.compactMap { node -> (Accessible, action: Int)? in

                let action = node.actions.firstIndex { ["Click", "row.open", "Toggle"].contains($0) }
                return action.flatMap { node.isVisible ? (node, $0) : nil }
            }
            return found.last { $0.0.name == name } ?? found.last { $0.0.name.hasPrefix(name) }
                ?? found.last { $0.0.name.contains(name) }
        }

        /// Presses buttons, or rows, as assistive technology does, one behind the other. GTK does what a button is for
        /// a fourth of a second later; what a test does in the meantime comes before it.
        ///
        /// - Parameter page: what is waited for behind them.
        /// - Throws: ``WindowFailure`` for a main part whose first page is shown: no wait for that page would be one.
        package func press(_ names: String..., to page: String? = nil) throws {
            for name in names { try press(named: name) }
            if let page { try self.page(page) }
        }

        private func press(named name: String) throws {
            let (found, action) = try wait("“\(name)” can be pressed") { tree in
                let found = Self.pressable(name, in: tree)
                if found?.0.name == "\(name), current", Self.pressable("Back", in: tree) == nil {
                    throw WindowFailure("“\(name)” is shown already")
                }
                return found
            }
            try desktop.accessibility.act(action, at: found.place)
        }

        /// Waits until something with this name takes room, and brings it into the window.
        @discardableResult
        private func show(_ name: String, role: String?) throws -> Accessible.Frame {
            func find(in tree: Accessible) -> Accessible? {
                let found = tree.all.filter { $0.isVisible && (role == nil || $0.role == role) }
                return found.last { $0.name == name } ?? found.last { $0.name.hasPrefix(name) }
            }
            let size = try self.size()
            // A bar at the end of the page lies over whatever else would be there; what cannot be moved is beside it,
            // or in it.
            let (usual, lowest) = (size.height - 190, size.height - (role == "text box" ? 90 : 4))
            var last: Accessible.Frame?
            var stuck = 0
            for _ in 0..<60 {
                let found = try wait("“\(name)” is shown") { find(in: $0) }
                guard let frame = found.frame else { continue }
                let middle = frame.y + frame.height / 2
                stuck = last == frame ? stuck + 1 : 0
                let isInSight = (60..<usual).contains(middle) || stuck >= 4 && (60..<lowest).contains(middle)
                // What the wheel has moved may still be moving.
                if isInSight, last == frame { return frame }
                last = frame
                guard !(60..<usual).contains(middle) else { continue }
                try desktop.xdotool(["mousemove", "\(size.width / 2)", "\(size.height / 2)"])
                // Far away, the wheel is turned by several steps at once, by less than leads there.
                let distance = middle < 60 ? 60 - middle : middle - usual
                let steps = min(max(distance / 100, 1), 20)
                try desktop.xdotool(["click", "--repeat", "\(steps)", "--delay", "5", middle < 60 ? "4" : "5"])
            }
            throw WindowFailure("“\(name)” cannot be brought into the window")
        }

        private func size() throws -> (width: Int, height: Int) {
            var values: [String: Int] = [:]
            for line in try desktop.xdotool(["getwindowgeometry", "--shell", number]).split(separator: "\n") {
                let parts = line.split(separator: "=")
                if parts.count == 2 { values[String(parts[0])] = Int(parts[1]) }
            }
            return (values["WIDTH"] ?? 0, values["HEIGHT"] ?? 0)
        }

        /// Puts the pointer on something.
        package func point(at name: String, role: String? = nil) throws {
            let frame = try show(name, role: role)
            try desktop.xdotool(["mousemove", "\(frame.x + frame.width / 2)", "\(frame.y + frame.height / 2)"])
        }

        /// Clicks on something with the pointer.
        package func click(_ name: String, role: String? = nil) throws {
            try point(at: name, role: role)
            try desktop.xdotool(["click", "1"])
        }

        /// Holds the pointer's button on something until that is gone, or another page is there.
        ///
        /// A button counts only the time in which it could have been let go, which a busy machine stretches.
        ///
        /// - Parameter text: what is shown then, where page and button stay.
        package func hold(_ name: String, untilShown text: String? = nil) throws {
            try point(at: name, role: "button")
            let page = try position()
            try desktop.xdotool(["mousedown", "1"])
            defer { _ = try? desktop.xdotool(["mouseup", "1"]) }
            try wait("“\(name)” has been held") { tree in
                let visible = tree.all.filter(\.isVisible)
                let isThere = visible.contains { $0.role == "button" && $0.name.hasPrefix(name) }
                if let text, visible.flatMap(\.words).contains(where: { $0.contains(text) }) { return () }
                // Below a dialog no page is told of.
                let isSamePage = page.map { page in visible.contains { $0.description == page } } ?? true
                return isThere && isSamePage ? nil : ()
            }
        }

        /// Holds a key where the focus is, and goes on holding it when a text is shown.
        ///
        /// - Parameters:
        ///   - key: its name on X: `Return`.
        ///   - milliseconds: for which it is held on.
        package func hold(key: String, untilShown text: String, andThen milliseconds: Int) throws {
            try desktop.xdotool(["keydown", key])
            defer { _ = try? desktop.xdotool(["keyup", key]) }
            try sees(text)
            try desktop.xdotool(["sleep", "\(Double(milliseconds) / 1_000)"])
        }

        /// Holds the pointer's button on something for so long.
        package func hold(_ name: String, milliseconds: Int) throws {
            try point(at: name, role: "button")
            try desktop.xdotool(["mousedown", "1", "sleep", "\(Double(milliseconds) / 1_000)", "mouseup", "1"])
        }

        /// Types where the focus is.
        package func type(_ text: String) throws {
            try desktop.xdotool(["type", "--delay", "2", text])
        }

        /// Types into a field, behind what stands in it, and waits until it is there where the field tells of it.
        package func type(_ text: String, into name: String) throws {
            try click(name, role: "text box")
            try type(text)
            try wait("“\(text)” stands in “\(name)”") { tree in
                let field = tree.all.last { $0.isVisible && $0.role == "text box" && $0.name == name }
                return field?.text?.hasSuffix(text) != false ? () : nil
            }
        }

        /// Types into a field in place of what stands in it.
        package func type(_ text: String, over name: String) throws {
            try click(name, role: "text box")
            try keys("ctrl+a", "BackSpace")
            try type(text, into: name)
        }

        /// Types a number into a field for numbers, in place of what stands in it.
        package func set(_ number: Int, for name: String) throws {
            let frame = try show(name, role: "spin button")
            // Its middle may be a button that counts.
            try desktop.xdotool(["mousemove", "\(frame.x + 12)", "\(frame.y + frame.height / 2)", "click", "1"])
            try keys("ctrl+a")
            try type("\(number)")
        }

        /// Presses keys together or one after the other, by their names on X: `Return`, `shift+Tab`.
        package func keys(_ names: String...) throws { try desktop.xdotool(["key", "--delay", "8"] + names) }

        /// Names a file to the desktop's own question for one, and gives the keyboard back to the window.
        ///
        /// - Parameter title: of the question, which is a window of its own.
        package func choose(_ path: String, in title: String) throws {
            func question() -> String? {
                (try? desktop.xdotool(["search", "--all", "--onlyvisible", "--pid", "\(program.id)", "--name", title]))?
                    .split(separator: "\n").last.map(String.init)
            }
            let number = try Self.wait("the question “\(title)” is shown") { question() }
            try desktop.xdotool(["windowfocus", "--sync", number])
            func asking(_ tree: Accessible) -> [Accessible] {
                tree.children.first { $0.name == title }?.all.filter(\.isVisible) ?? []
            }
            // Its line for a path is there once it is asked for. Letters that are typed are lost to what it offers.
            let field = try wait("the line for a path in “\(title)”") { tree -> Accessible? in
                if let field = asking(tree).last(where: { $0.role == "text box" }) { return field }
                try keys("ctrl+l")
                usleep(200_000)
                return nil
            }
            try desktop.accessibility.write(path, at: field.place)
            // Return may come while the question still looks at what was written, which takes it for nothing then.
            try Self.wait("the question “\(title)” is answered") {
                guard let number = question() else { return () }
                _ = try? desktop.xdotool(["windowfocus", "--sync", number])
                try? keys("Return")
                usleep(500_000)
                return nil
            }
            try focus()
        }

        // MARK: Seeing

        /// The picture of the window.
        package func picture() throws -> ScreenPicture {
            let size = try size()
            return try desktop.picture().cropped(width: size.width, height: size.height)
        }

        /// Writes the window's picture as PNG.
        package func save(to path: String) throws { try Data(picture().png).write(to: URL(filePath: path)) }

        /// Reads the codes that are shown until there are enough of them.
        ///
        /// - Parameter isEnough: gets the different contents that were read so far.
        package func codes(until isEnough: (Set<[UInt8]>) throws -> Bool) throws -> Set<[UInt8]> {
            var seen: Set<[UInt8]> = []
            return try Self.wait("a code is shown; \(seen.count) were read") {
                if let code = try picture().code(in: desktop.folder.path) { seen.insert(code) }
                return try isEnough(seen) ? seen : nil
            }
        }
    }
#endif
