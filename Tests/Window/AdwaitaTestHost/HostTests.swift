#if canImport(CAdwaita)
    import Adwaita
    import CAdwaita
    import Screens
    import SecretMemory
    import SignerSession
    import SignerWindow

    /// What tests ask of widgets, each by a name. The answers are lines that tests compare.
    @MainActor
    enum HostTests {
        typealias Body = @MainActor (Application, [String]) async throws -> [String]

        private static let all: [String: Body] = [
            "lifetimes": Lifetimes.run, "signals": Signals.run, "loop": Loops.run, "pages": PageChanges.run,
            "focus": PageChanges.focus, "labels": Labels.run, "hold": Holding.run, "anywhere": Holding.anywhere,
            "turned": Holding.turned,
            "reading": Holding.reading, "unread": Holding.unread, "below": PageChanges.below,
            "codes": Pictures.codes, "widths": Pictures.widths, "colour": Pictures.colour,
            "inspector": Windows.inspector, "exhibition": Exhibition.run,
            "failures": Windows.failures,
            "layers": Windows.layers, "asking": Windows.asking, "forms": Windows.forms, "enter": Windows.enter,
            "halfTyped": Secrets.halfTyped,
            "measure": Measures.run, "times": Measures.pages,
            "hidden": Secrets.hidden, "behind": Secrets.behind, "away": Secrets.away,
            "show": Windows.show,
            "signer": Signers.run,
        ]

        static func run(_ arguments: [String], in application: Application) {
            guard let name = arguments.first, let body = all[name] else {
                print("one of: \(all.keys.sorted().joined(separator: " "))")
                return application.quit()
            }
            // Without a window, it would end at once.
            g_application_hold(application.typed())
            Task {
                do {
                    for line in try await body(application, Array(arguments.dropFirst())) { print(line) }
                } catch {
                    print("error: \(error)")
                }
                application.quit()
            }
        }
    }

    /// Remembers what a page asks for.
    @MainActor
    final class Handler: PageHandler {
        var asked: [Message] = []
        /// What stood in the field `name` each time.
        var names: [String?] = []
        /// Whether nothing stood in the field `word` each time.
        var emptyWords: [Bool?] = []
        func perform(_ message: Message, with values: any FieldValues) {
            asked.append(message)
            names.append(values.text(of: "name"))
            emptyWords.append(values.isEmpty("word"))
        }
        func verdict(onPath path: String) -> FieldVerdict? {
            path.hasPrefix("/")
                ? FieldVerdict(severity: .good, text: "This key is new.")
                : FieldVerdict(severity: .refusal, text: "A path begins with / or //.")
        }
        func phrase() throws -> SecretBytes { try SecretBytes(count: 1) { _ in } }
        func personIsThere() {}
    }

    /// A window with pages, on the screen.
    @MainActor
    final class Stage {
        let window: Window
        let handler = Handler()
        let view: PageView

        init(_ application: Application, width: Int = 360, height: Int = 640) {
            window = Window(of: application, title: "Casemate", size: (width, height))
            view = PageView(handler: handler, in: window, of: application)
            window.present()
        }

        /// Waits until the window was drawn so many times more.
        func frames(_ count: Int = 1) async {
            for _ in 0..<count {
                window.use { gtk_widget_queue_draw($0) }
                await frame()
            }
        }

        private func frame() async {
            guard let clock = window.use({ gtk_widget_get_frame_clock($0) }) else {
                return await pause(milliseconds: 16)
            }
            let object = Object(borrowed: clock)
            var connection: Connection?
            await withCheckedContinuation { continuation in
                var waiting: CheckedContinuation<Void, Never>? = continuation
                connection = object.on("after-paint") { _ in
                    waiting?.resume()
                    waiting = nil
                }
                gdk_frame_clock_request_phase(clock, GDK_FRAME_CLOCK_PHASE_AFTER_PAINT)
            }
            connection.map(object.disconnect)
        }

        /// All widgets of the window whose name in the code is this one.
        func find(_ name: String) -> [Widget] {
            func search(_ widget: Widget) -> [Widget] {
                (widget.name == name ? [widget] : []) + widget.children.flatMap(search)
            }
            return search(window)
        }

        func labels() -> [String] {
            func search(_ widget: Widget) -> [String] {
                let here = widget.use { raw in
                    g_type_check_instance_is_a(
                        UnsafeMutableRawPointer(raw).assumingMemoryBound(to: GTypeInstance.self), gtk_label_get_type())
                        != 0 ? [String(cString: gtk_label_get_text(OpaquePointer(raw)))] : []
                }
                return here + widget.children.flatMap(search)
            }
            return search(window)
        }
    }

    /// Lets the loop go on for a while.
    @MainActor
    func pause(milliseconds: Int) async {
        var timer: Timeout?
        await withCheckedContinuation { continuation in
            timer = Timeout(milliseconds: milliseconds) {
                continuation.resume()
                return false
            }
        }
        withExtendedLifetime(timer) {}
    }

    /// Counts objects of the library that are still there.
    @MainActor
    enum Living {
        static var count = 0
        private static var known: Set<OpaquePointer> = []

        /// Counts an object until it is finalised, once.
        static func watch(_ object: Object) {
            guard known.insert(object.pointer).inserted else { return }
            count += 1
            g_object_weak_ref(
                object.typed(),
                { _, gone in
                    let address = UInt(bitPattern: gone)
                    MainActor.assumeIsolated {
                        Living.count -= 1
                        if let pointer = OpaquePointer(bitPattern: address) { Living.known.remove(pointer) }
                    }
                }, nil)
        }

        static func watchAll(_ widget: Widget) {
            watch(widget)
            for child in widget.children { watchAll(child) }
        }
    }

    /// Something whose end is noticed.
    @MainActor
    final class Token {
        static var count = 0
        init() { Self.count += 1 }
        isolated deinit { Self.count -= 1 }
    }
#endif
