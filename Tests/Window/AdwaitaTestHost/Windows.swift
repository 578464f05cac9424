#if canImport(CAdwaita)
    import Adwaita
    import AirgapLink
    import CAdwaita
    @testable import Screens

    @MainActor
    enum Windows {
        /// Asks for the library's inspector in each window, as its keys do, also where the library has made one.
        static func inspector(_ application: Application, _ arguments: [String]) async throws -> [String] {
            let stage = Stage(application)
            stage.view.show(Samples.keys)
            await stage.frames(2)
            let chooser = FileChooser(.file, title: "Choose", over: stage.window)
            chooser.ask { _ in }
            await wait(upTo: 60_000) { windows().count > 1 }
            let before = windows()
            for window in before { emit("enable-debugging", on: window, [.bool(false)]) }
            await stage.frames(2)
            let after = windows()
            stage.window.destroy()
            return ["windows: \(before.count), \(after.count)"]
        }

        private static func windows() -> [Object] {
            let list = gtk_window_get_toplevels()
            return (0..<g_list_model_get_n_items(list)).compactMap { index in
                g_list_model_get_item(list, index).map { item in
                    defer { g_object_unref(item) }
                    return Object(borrowed: OpaquePointer(item))
                }
            }
        }

        /// A question about files is gone with the page that it was asked on, and what comes then can be pressed. One
        /// for a file that is to be saved has a name.
        static func asking(_ application: Application, _ arguments: [String]) async throws -> [String] {
            let stage = Stage(application)
            var lines: [String] = []
            func isReachable(_ name: String) -> Bool {
                guard let widget = stage.find(name).first else { return false }
                var here = Optional(widget.typed() as UnsafeMutablePointer<GtkWidget>)
                while let place = here {
                    guard gtk_widget_get_can_target(place) != 0, gtk_widget_get_can_focus(place) != 0 else {
                        return false
                    }
                    here = gtk_widget_get_parent(place)
                }
                return true
            }
            func tell(_ what: String, _ name: String) async {
                await stage.frames(2)
                let question = stage.seenLabels().contains("What to read") ? "asked" : "not asked"
                lines.append("\(what): \(question), \(isReachable("control \(name)") ? "reached" : "not reached")")
            }
            var page = Samples.scanner
            stage.view.show(page)
            stage.view.chooseSource { _ in }
            await tell("a question", "stop")
            page.shield.text = "Another word"
            stage.view.show(page)
            await tell("the same page", "stop")
            let sheet = Samples.sheet
            (page.sheet, page.position.modal) = (sheet.sheet, sheet.position.modal)
            stage.view.show(page)
            await tell("a sheet", "remove")
            stage.view.show(Samples.scanner)
            await tell("without it", "stop")
            stage.view.chooseFile("Where it goes", to: .write(named: "proof.bin")) { _ in }
            func visible() -> Int { windows().count { Widget(borrowed: $0.pointer).isVisible } }
            await wait(upTo: 60_000) { visible() > 1 }
            lines.append("windows: \(visible())")
            func isNamed(_ widget: Widget) -> Bool {
                isKind(widget, gtk_editable_get_type())
                    && String(cString: gtk_editable_get_text(widget.pointer)) == "proof.bin"
                    || widget.children.contains(where: isNamed)
            }
            func hasName() -> Bool { windows().contains { isNamed(Widget(borrowed: $0.pointer)) } }
            await wait(upTo: 60_000, hasName)
            lines.append(hasName() ? "named" : "without a name")
            stage.view.show(Samples.keys)
            await wait(upTo: 60_000) { visible() == 1 }
            lines.append("windows: \(visible())")
            stage.window.destroy()
            return lines
        }

        /// How long it is said what ended a scan or work on a file, with the camera's picture and without.
        static func failures(_ application: Application, _ arguments: [String]) async throws -> [String] {
            let stage = Stage(application)
            var lines: [String] = []
            let said = "It was unplugged."
            func isSeen() -> Bool { stage.seenLabels().contains(said) }
            func look(_ what: String, _ isExpected: Bool) async {
                await wait(upTo: 60_000) { isSeen() == isExpected }
                lines.append("\(what): \(isSeen() ? "there" : "gone")")
            }
            for (name, page) in [("scan", Samples.scanner), ("page", Samples.keys)] {
                func fail() async {
                    stage.view.tell(failure: "\(own: said)")
                    await look(name, true)
                }
                stage.view.show(page)
                await stage.frames(2)
                await fail()
                // Longer than any short note.
                await pause(milliseconds: 5_000)
                await look("\(name), later", true)
                var other = page
                other.shield.look = .failed
                stage.view.show(other)
                stage.view.show(nil as ScanUpdate?)
                stage.view.show(work: nil)
                await pause(milliseconds: 500)
                await look("\(name), news", true)
                stage.view.show(ScanUpdate())
                await look("\(name), a scan", false)
                stage.view.show(nil as ScanUpdate?)
                await fail()
                stage.view.show(work: "Working")
                await look("\(name), work", false)
                stage.view.show(work: nil)
                await fail()
                stage.view.show(Samples.empty)
                await look("\(name), another page", false)
            }
            stage.window.destroy()
            return lines
        }

        /// What lies over a page keeps everything from it.
        static func layers(_ application: Application, _ arguments: [String]) async throws -> [String] {
            let stage = Stage(application)
            var lines: [String] = []
            func press(_ name: String) {
                stage.find(name).first.map { emit("clicked", on: $0, []) }
                lines.append("\(name): \(stage.handler.asked.count)")
            }
            stage.view.show(Samples.keys)
            press("control new")
            stage.view.show(Samples.sheet)
            press("control new")
            press("control remove")
            stage.view.show(work: "Thinking")
            press("control remove")
            stage.view.show(work: nil)
            press("control remove")
            stage.view.show(Samples.alert)
            press("control remove")
            press("control new")
            press("control ok")
            stage.view.show(Samples.keys)
            press("control new")
            stage.window.destroy()
            return lines
        }

        /// Which field a control takes, where several have its name.
        static func forms(_ application: Application, _ arguments: [String]) async throws -> [String] {
            let stage = Stage(application)
            func part(_ name: String) -> [Block] {
                [
                    .field(Field("name", label: "Name", kind: .text(name))),
                    .buttons([Control(name, label: "Take \(name)", does: .send(.nothing, .field("name")))]),
                ]
            }
            var page = Samples.fields
            page.body = [.fold(title: "One", part("one")), .fold(title: "Two", part("two"))]
            page.bar = [Control("bar", label: "Take", does: .send(.nothing))]
            stage.view.show(page)
            for name in ["two", "one", "bar"] {
                stage.find("control \(name)").first.map { emit("clicked", on: $0, []) }
            }
            page.sheet = Page.Sheet(title: "Three", body: part("three"))
            stage.view.show(page)
            stage.find("control three").first.map { emit("clicked", on: $0, []) }
            // Enter does what the button of its own fold does.
            page.sheet = nil
            stage.view.show(page)
            stage.find("field name").last.map { emit("activate", on: $0, []) }
            stage.window.destroy()
            return stage.handler.names.map { $0 ?? "nothing" }
        }

        /// What Enter in a field asks for, beside buttons that stand before the field's own.
        static func enter(_ application: Application, _ arguments: [String]) async throws -> [String] {
            let stage = Stage(application)
            func control(_ id: String, _ message: Message, press: Control.Press = .click) -> Control {
                Control(id, label: "\(own: id)", press: press, does: message)
            }
            let comment = Message.send(.goForward, .field("comment"))
            var page = Samples.fields
            page.body = [
                .field(Field("comment", label: "Comment", kind: .text(""))),
                .fold(
                    title: "New keys",
                    [
                        .buttons([control("rotate", .send(.nothing))]),
                        .field(Field("words", label: "Words", kind: .text(""))),
                        .buttons([control("take", .send(.textEntry, .field("words")))]),
                    ]),
                .fold(
                    title: "Throws",
                    [
                        .field(Field("throws", label: "Throws", kind: .text(""))),
                        .buttons(["dice", "coins"].map { control($0, .send(.makePhrase, .field("throws"))) }),
                    ]),
            ]
            let refuse = control("refuse", .send(.goBack))
            var lines: [String] = []
            func tell(_ name: String) async {
                let before = stage.handler.asked.count
                stage.find("field \(name)").last.map { emit("activate", on: $0, []) }
                await stage.frames(2)
                let asked = stage.handler.asked.dropFirst(before).map { message in
                    if case .core(let calls) = message { calls.map(\.action.rawValue).joined() } else { "window" }
                }
                let asks = stage.labels().contains { $0.hasPrefix("Several buttons") }
                lines.append("\(name): \(asked.joined(separator: ", "))\(asks ? "which one?" : "")")
            }
            for press in [.hold(typed: "SIGN"), .click] as [Control.Press] {
                page.bar = [refuse, control("approve", comment, press: press)]
                stage.view.show(page)
                await stage.frames(2)
                await tell("comment")
                if press != .click { lines.append("focus: \(stage.window.focusedName ?? "none")") }
            }
            await tell("words")
            await tell("throws")
            stage.window.destroy()
            return lines
        }

        /// Shows a page until the window is closed, for people.
        static func show(_ application: Application, _ arguments: [String]) async throws -> [String] {
            guard arguments.count >= 3, let page = Samples.all[arguments[0]], let width = Int(arguments[1]),
                let height = Int(arguments[2])
            else { return ["show PAGE WIDTH HEIGHT [dark]; pages: \(Samples.all.keys.sorted())"] }
            if arguments.contains("dark") { ColorScheme.dark.apply() }
            let stage = Stage(application, width: width, height: height)
            stage.view.show(page)
            await pause(milliseconds: 300)
            if arguments.contains("open") {
                for button in stage.find("fold") { emit("clicked", on: button, []) }
                await pause(milliseconds: 500)
            }
            if arguments.contains("end") {
                let adjustment = stage.scrollers().first.flatMap { gtk_scrolled_window_get_vadjustment($0.pointer) }
                gtk_adjustment_set_value(adjustment, 1_000_000)
            }
            while stage.window.isMapped { await pause(milliseconds: 200) }
            return []
        }
    }
#endif
