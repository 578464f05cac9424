#if canImport(CAdwaita)
    import Adwaita
    import CAdwaita

    @MainActor
    enum Lifetimes {
        static func run(_ application: Application, _ arguments: [String]) async throws -> [String] {
            var lines: [String] = []
            func tell(_ what: String) { lines.append("\(what): \(Living.count) objects, \(Token.count) handlers") }
            do {
                let button = button()
                Living.watch(button)
                tell("held")
            }
            tell("let go")
            var box: Box? = Box(.vertical)
            do {
                let button = button()
                Living.watch(button)
                box?.append(button)
            }
            tell("in a box")
            box = nil
            tell("box let go")
            let button = button()
            let connection = button.on("clicked") { [token = Token()] _ in _ = token }
            tell("two handlers")
            button.disconnect(connection)
            tell("one disconnected")
            let area = DrawingArea(width: 1, height: 1)
            area.onDraw { [token = Token()] _, _, _ in _ = token }
            tell("a drawing")
            area.onDraw(nil)
            tell("drawing taken off")
            var timer: Timeout? = Timeout(milliseconds: 60_000) { [token = Token()] in
                _ = token
                return true
            }
            tell("a timer")
            timer = nil
            tell("timer let go")
            withExtendedLifetime((timer, area, button)) {}
            return lines
        }

        private static func button() -> Button {
            let button = Button("Press")
            let token = Token()
            button.onClick { _ = token }
            return button
        }
    }

    @MainActor
    enum Signals {
        static func run(_ application: Application, _ arguments: [String]) async throws -> [String] {
            var lines: [String] = []
            let button = Button("Press")
            button.onClick { lines.append("clicked") }
            emit("clicked", on: button, [])
            let area = DrawingArea(width: 1, height: 1)
            area.onResize { lines.append("resize \($0) \($1)") }
            emit("resize", on: area, [.int(12), .int(34)])
            let entry = Entry(name: "Name")
            entry.onChange { lines.append("changed") }
            entry.text = "a"
            let keys = KeyController()
            keys.onPress { key in
                lines.append("key \(key.symbol) \(key.code) \(key.isChord)")
                return key.isSpace
            }
            let widget = Box(.vertical)
            widget.add(keys)
            for (symbol, state) in [(UInt32(GDK_KEY_space), 0), (UInt32(GDK_KEY_a), 4)] {
                lines.append("dealt with: \(emitKey("key-pressed", on: keys, symbol, code: 65, state: UInt32(state)))")
            }
            return lines
        }
    }

    /// Emits a signal as the library does.
    @MainActor
    func emit(_ signal: String, on object: Object, _ values: [Value]) {
        var arguments = [GValue](repeating: GValue(), count: values.count + 1)
        let type = object.withInstance { $0.pointee.g_class.pointee.g_type }
        g_value_init(&arguments[0], type)
        g_value_set_object(&arguments[0], UnsafeMutableRawPointer(object.pointer))
        var answer = GValue()
        for (index, value) in values.enumerated() {
            switch value {
            case .int(let number):
                g_value_init(&arguments[index + 1], GType(6 << 2))
                g_value_set_int(&arguments[index + 1], Int32(number))
            case .bool(let yes):
                g_value_init(&arguments[index + 1], GType(5 << 2))
                g_value_set_boolean(&arguments[index + 1], yes ? 1 : 0)
                // Those that take a yes or no answer with one.
                if answer.g_type == 0 { g_value_init(&answer, GType(5 << 2)) }
            default: preconditionFailure("no signal here takes it")
            }
        }
        g_signal_emitv(arguments, g_signal_lookup(signal, type), 0, &answer)
        for index in arguments.indices { g_value_unset(&arguments[index]) }
    }

    /// Emits what a key controller does when a key goes down or up.
    @MainActor
    @discardableResult
    func emitKey(_ signal: String, on object: Object, _ symbol: UInt32, code: UInt32, state: UInt32 = 0) -> Bool {
        let type = object.withInstance { $0.pointee.g_class.pointee.g_type }
        var arguments = [GValue](repeating: GValue(), count: 4)
        g_value_init(&arguments[0], type)
        g_value_set_object(&arguments[0], UnsafeMutableRawPointer(object.pointer))
        for (index, number) in [symbol, code].enumerated() {
            g_value_init(&arguments[index + 1], GType(7 << 2))
            g_value_set_uint(&arguments[index + 1], number)
        }
        g_value_init(&arguments[3], gdk_modifier_type_get_type())
        g_value_set_flags(&arguments[3], state)
        var answer = GValue()
        if signal == "key-pressed" { g_value_init(&answer, GType(5 << 2)) }
        g_signal_emitv(arguments, g_signal_lookup(signal, type), 0, &answer)
        defer { for index in arguments.indices { g_value_unset(&arguments[index]) } }
        return signal == "key-pressed" && g_value_get_boolean(&answer) != 0
    }

    extension Object {
        fileprivate func withInstance<Answer>(_ body: (UnsafeMutablePointer<GTypeInstance>) -> Answer) -> Answer {
            body(typed())
        }
    }
#endif
