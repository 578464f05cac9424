#if canImport(CAdwaita)
    import Adwaita
    import CAdwaita
    import Screens

    @MainActor
    enum Holding {
        private static let (space, code) = (UInt32(GDK_KEY_space), UInt32(65))

        private static func page() -> Page {
            var page = Samples.transaction
            page.mustBeRead = false
            return page
        }

        /// How a button that is held can be pressed, and how not.
        static func run(_ application: Application, _ arguments: [String]) async throws -> [String] {
            var lines: [String] = []
            let stage = Stage(application)
            stage.view.show(page())
            await stage.frames(2)
            guard let button = stage.find("control sign").first else { return ["no button"] }
            func tell(_ what: String) { lines.append("\(what): \(stage.handler.asked.count)") }
            _ = button.use { gtk_widget_activate($0) }
            tell("activated")
            let keys = controllers(of: button).filter { isKind($0, gtk_event_controller_key_get_type()) }
            let windowKeys = controllers(of: stage.window).filter { isKind($0, gtk_event_controller_key_get_type()) }
            guard let key = keys.first, let first = windowKeys.first(where: isCapturing) else { return ["no keys"] }
            func press() {
                emitKey("key-pressed", on: first, space, code: code)
                emitKey("key-pressed", on: key, space, code: code)
            }
            func release() {
                emitKey("key-released", on: first, space, code: code)
                emitKey("key-released", on: key, space, code: code)
            }
            press()
            await pause(milliseconds: 1_200)
            release()
            await pause(milliseconds: 600)
            tell("held for too short")
            // A key that was down before the page came.
            emitKey("key-pressed", on: first, space, code: code)
            press()
            await pause(milliseconds: 1_800)
            tell("held since another page")
            release()
            press()
            await wait(upTo: 120_000) { !stage.handler.asked.isEmpty }
            tell("held")
            await pause(milliseconds: 1_800)
            tell("held on")
            release()
            let fields = stage.find("field SIGN")
            fields.first?.use { gtk_editable_set_text(OpaquePointer($0), "SIG") }
            _ = stage.find("confirm SIGN").first?.use { gtk_widget_activate($0) }
            tell("half a word")
            fields.first?.use { gtk_editable_set_text(OpaquePointer($0), "SIGN") }
            stage.find("confirm SIGN").first.map { emit("clicked", on: $0, []) }
            tell("the word")
            stage.find("confirm SIGN").first.map { emit("clicked", on: $0, []) }
            fields.first.map { emit("activate", on: $0, []) }
            tell("once more")
            // A key that goes down here and is let go of in another window.
            emitKey("key-pressed", on: first, space, code: code)
            let chooser = FileChooser(.file, title: "Choose", over: stage.window)
            chooser.ask { _ in }
            await wait(upTo: 60_000) { !stage.window.isActive }
            press()
            await wait(upTo: 60_000) { stage.handler.asked.count > 2 }
            tell("held after another window")
            release()
            stage.window.destroy()
            return lines
        }

        /// Whether a key that went down on one page gets to the widgets of the next one while it is held.
        static func turned(_ application: Application, _ arguments: [String]) async throws -> [String] {
            var lines: [String] = []
            let stage = Stage(application)
            stage.view.show(Samples.keys)
            await stage.frames(2)
            let keys = controllers(of: stage.window).filter { isKind($0, gtk_event_controller_key_get_type()) }
            guard let first = keys.first(where: isCapturing) else { return ["no keys"] }
            let (enter, end) = (UInt32(GDK_KEY_Return), UInt32(GDK_KEY_End))
            func gets(_ symbol: UInt32, code: UInt32) -> Bool {
                !emitKey("key-pressed", on: first, symbol, code: code)
            }
            func tell(_ what: String) {
                let held = gets(enter, code: 36)
                let scrolls = gets(end, code: 115)
                emitKey("key-released", on: first, enter, code: 36)
                let pressed = gets(enter, code: 36)
                lines.append("\(what): held \(held), scrolls \(scrolls), pressed \(pressed)")
            }
            tell("the page itself")
            var other = Samples.keys
            other.body.append(.text("More of it"))
            stage.view.show(other)
            tell("the same page")
            stage.view.show(Samples.sheet)
            tell("a sheet")
            var next = Samples.sheet
            next.sheet?.title = "The next one"
            stage.view.show(next)
            tell("another sheet")
            stage.view.show(Samples.alert)
            tell("an alert")
            stage.view.show(Samples.keys)
            tell("without it")
            stage.view.show(Samples.fields)
            tell("another page")
            stage.view.chooseSource { _ in }
            tell("a question")
            stage.window.destroy()
            return lines
        }

        /// Whether buttons that are held work wherever they stand: second in a line, and in rows, the first and those
        /// that an update draws anew.
        static func anywhere(_ application: Application, _ arguments: [String]) async throws -> [String] {
            var lines: [String] = []
            let stage = Stage(application)
            func held(_ id: String) -> Control {
                Control(id, label: "Hold", press: .hold(typed: "HOLD"), does: .send(.goForward, .text(id)))
            }
            func page(detail: Text) -> Page {
                var page = Samples.keys
                page.body = [
                    .buttons([Control("plain", label: "Press", does: .send(.goBack)), held("second")]),
                    .group(
                        title: "Rows",
                        ["one", "two"].map { Row(id: $0, title: "Row", detail: detail, choices: [held($0)]) }),
                ]
                return page
            }
            for detail: Text in ["before", "after"] {
                stage.view.show(page(detail: detail))
                await stage.frames(2)
                for id in ["second", "one", "two"] {
                    let before = stage.handler.asked.count
                    let button = stage.find("control \(id)").first
                    let keys = button.map { controllers(of: $0) } ?? []
                    guard let key = keys.first(where: { isKind($0, gtk_event_controller_key_get_type()) }) else {
                        return ["no keys of \(id)"]
                    }
                    emitKey("key-pressed", on: key, space, code: code)
                    await wait(upTo: 120_000) { stage.handler.asked.count > before }
                    emitKey("key-released", on: key, space, code: code)
                    lines.append("\(id): \(stage.handler.asked.count - before)")
                }
            }
            stage.window.destroy()
            return lines
        }

        /// When the bar of a page that has to be read begins to work.
        static func reading(_ application: Application, _ arguments: [String]) async throws -> [String] {
            var lines: [String] = []
            let stage = Stage(application)
            func tell(_ what: String) {
                let controls = ["sign", "no"].map { name in
                    stage.find("control \(name)").contains { $0.isSensitive } ? "\(name) works" : "\(name) waits"
                }
                lines.append("\(what): \(controls.joined(separator: ", "))")
            }
            stage.view.show(Samples.transaction)
            await stage.frames(3)
            await pause(milliseconds: 300)
            tell("shown")
            let scrolled = stage.scrollers().first
            let adjustment = scrolled.flatMap { gtk_scrolled_window_get_vadjustment($0.pointer) }
            gtk_adjustment_set_value(adjustment, 100)
            await stage.frames(2)
            await pause(milliseconds: 300)
            tell("a part")
            gtk_adjustment_set_value(adjustment, 1_000_000)
            await stage.frames(2)
            await wait(upTo: 120_000) { stage.find("control sign").contains { $0.isSensitive } }
            tell("to the end")
            stage.view.show(Samples.keys)
            stage.view.show(Samples.transaction)
            await stage.frames(3)
            await pause(milliseconds: 300)
            tell("another time")
            stage.view.show(Samples.keys)
            var short = Samples.transaction
            short.body = [.text("Short")]
            stage.view.show(short)
            await stage.frames(2)
            await wait(upTo: 120_000) { stage.find("control sign").contains { $0.isSensitive } }
            tell("short")
            stage.window.destroy()
            return lines
        }

        /// A long page that follows a short one, and one that grows while a person is at its end, at many times between
        /// two frames: how often either was taken for read.
        static func unread(_ application: Application, _ arguments: [String]) async throws -> [String] {
            let stage = Stage(application)
            func page(lines: Int) -> Page {
                var page = Samples.transaction
                page.body = (0..<lines).map { .text("Line \($0)") }
                return page
            }
            func isConfirmed() -> Bool { stage.find("control sign").contains { $0.isSensitive } }
            // While something moves, frames come at their own times, and sizes with them alone.
            let moving = FrameTick(of: stage.window) { true }
            var counts = ["after a short page": 0, "grown": 0]
            for round in 0..<60 {
                stage.view.show(Samples.empty)
                await stage.frames(2)
                await pause(milliseconds: round % 20)
                stage.view.show(page(lines: 40))
                await stage.frames(6)
                await pause(milliseconds: 30)
                if isConfirmed() { counts["after a short page", default: 0] += 1 }
                guard round % 3 == 0 else { continue }
                stage.view.show(Samples.empty)
                stage.view.show(page(lines: 2))
                await wait(upTo: 60_000, isConfirmed)
                await pause(milliseconds: round % 20)
                stage.view.show(page(lines: 40))
                await stage.frames(6)
                await pause(milliseconds: 30)
                if isConfirmed() { counts["grown", default: 0] += 1 }
            }
            withExtendedLifetime(moving) {}
            stage.window.destroy()
            return counts.map { "\($0.key): \($0.value)" }.sorted()
        }

        private static func isCapturing(_ object: Object) -> Bool {
            gtk_event_controller_get_propagation_phase(object.pointer) == GTK_PHASE_CAPTURE
        }
    }

    /// Lets the loop go on until something holds, or so many milliseconds have passed.
    @MainActor
    func wait(upTo milliseconds: Int, _ condition: @MainActor () -> Bool) async {
        let end = ContinuousClock.now + .milliseconds(milliseconds)
        while !condition(), ContinuousClock.now < end { await pause(milliseconds: 10) }
    }

    @MainActor
    func controllers(of widget: Widget) -> [Object] {
        guard let list = widget.use({ gtk_widget_observe_controllers($0) }) else { return [] }
        defer { g_object_unref(UnsafeMutableRawPointer(list)) }
        return (0..<g_list_model_get_n_items(list)).compactMap { index in
            g_list_model_get_item(list, index).map { item in
                defer { g_object_unref(item) }
                return Object(borrowed: OpaquePointer(item))
            }
        }
    }

    @MainActor
    func isKind(_ object: Object, _ type: GType) -> Bool { g_type_check_instance_is_a(object.typed(), type) != 0 }

    extension Stage {
        func scrollers() -> [Widget] {
            func search(_ widget: Widget) -> [Widget] {
                (isKind(widget, gtk_scrolled_window_get_type()) && widget.isMapped ? [widget] : [])
                    + widget.children.flatMap(search)
            }
            // The last one is that of the page; the first may be that of the side.
            return search(window).reversed()
        }
    }
#endif
