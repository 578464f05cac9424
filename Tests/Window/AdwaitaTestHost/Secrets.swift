#if canImport(CAdwaita)
    import Adwaita
    import CAdwaita
    import SecretMemory

    @testable import Screens
    @testable import SignerCore

    /// What becomes of secrets that are on a page.
    @MainActor
    enum Secrets {
        private static func secret(_ text: String) throws -> ShownSecret {
            ShownSecret(try SecretBytes(copying: Array(text.utf8)))
        }

        /// A page with words and a code, each time in memory of its own.
        private static func page(words: String = "alpha bravo", code: String = "0123") throws -> Page {
            var page = Samples.keys
            page.body = [
                .words(SecretWords(.phrase(try secret(words)), label: "The words", hiddenBy: "written")),
                .words(SecretWords(.shown([try secret(words)]), label: "The words so far")),
                .field(Field("written", label: "I wrote it down", kind: .toggle(false))),
                .field(Field("roots", label: "The root too", kind: .toggle(false))),
                .code(CodePicture(.secret(try secret(code)), label: "The code")),
            ]
            return page
        }

        /// What a person has hidden, where the page is made anew around it.
        static func hidden(_ application: Application, _ arguments: [String]) async throws -> [String] {
            let stage = Stage(application, height: 1_600)
            var lines: [String] = []
            func tell(_ what: String) {
                let signs = ["The words are hidden.", "Show the words", "Hide the words", "Show the code again"]
                let counts = signs.map { sign in String(stage.seenLabels().count { $0 == sign }) }
                lines.append("\(what): \(counts.joined(separator: " "))")
            }
            func set(_ toggle: String, _ isOn: Bool) {
                stage.find("field \(toggle)").first.map { gtk_switch_set_active($0.pointer, isOn ? 1 : 0) }
            }
            func show(_ page: Page) async {
                stage.view.show(page)
                await stage.frames(2)
            }
            await show(try page())
            tell("shown")
            set("written", true)
            for button in stage.buttons("Hide the words") { emit("clicked", on: button, []) }
            await stage.frames(2)
            tell("hidden")
            stage.view.hideSecrets()
            var alert = try page()
            alert.alert = Samples.alert.alert
            alert.position.alert = .error
            await show(alert)
            await show(try page())
            tell("an alert came and went")
            await show(try page(words: "alpha bravo charlie", code: "4567"))
            tell("other words")
            set("roots", true)
            tell("another toggle")
            set("written", false)
            await stage.frames(2)
            tell("not written")
            stage.window.destroy()
            return lines
        }

        /// What becomes of a word that is half typed when the vault locks, below an alert and without one.
        static func halfTyped(_ application: Application, _ arguments: [String]) async throws -> [String] {
            let stage = Stage(application)
            var lines: [String] = []
            for isCovered in [true, false] {
                var page = Samples.keys
                let typed = SecretWords(.shown([try secret(" abandon")]), label: "Typed", isNumbered: false)
                let changed = Message.send(.textEntry, secret: "word")
                page.body = [
                    .field(Field("word", label: "Word", kind: .secret(.word(typed: typed, changed: changed)))),
                    .buttons([Control("look", label: "Look", does: .send(.nothing))]),
                ]
                if isCovered { page.alert = Samples.alert.alert }
                stage.view.show(Samples.empty)
                stage.view.show(page)
                await stage.frames(2)
                let before = stage.handler.asked.count
                func look() -> String {
                    stage.find(isCovered ? "control ok" : "control look").first.map { emit("clicked", on: $0, []) }
                    return stage.handler.emptyWords.last?.map { $0 ? "empty" : "typed" } ?? "gone"
                }
                let first = look()
                stage.view.hideSecrets()
                lines.append("\(first), \(look()), asked: \(stage.handler.asked.count - before)")
            }
            stage.window.destroy()
            return lines
        }

        /// Blocks that draw a secret.
        private static let kinds: [(name: String, block: @MainActor (ShownSecret) -> Block)] = [
            ("words", { .words(SecretWords(.phrase($0), label: "Words")) }),
            ("guesses", { .guesses(SecretChoices([$0], label: "Guesses", chosen: CoreCall(.pushWord))) }),
            (
                "typed",
                {
                    let typed = SecretWords(.shown([$0]), label: "Typed", isNumbered: false)
                    let changed = Message.send(.textEntry, secret: "word")
                    return .field(Field("word", label: "Word", kind: .secret(.word(typed: typed, changed: changed))))
                }
            ),
            ("code", { .code(CodePicture(.secret($0), label: "Code")) }),
        ]

        /// Whether the pictures of one secret are those of another.
        private static func compare(_ one: [Snapshot?], _ other: [Snapshot?]) -> String {
            zip(one, other).map { one, other in
                guard let one, let other else { return "no picture" }
                return one.isSame(as: other) ? "the same" : "differ"
            }.joined(separator: ", ")
        }

        /// Whether pictures of two pages with different secrets differ that come while another window has the keys:
        /// then, behind a press on what shows them, and once the keys have been given back.
        static func away(_ application: Application, _ arguments: [String]) async throws -> [String] {
            let stage = Stage(application)
            let other = Window(of: application, title: "Another", size: (width: 200, height: 200))
            other.present()
            stage.view.show(Samples.empty)
            await wait(upTo: 60_000) { stage.window.isMapped && other.isMapped }
            func picture(isAway: Bool) async -> Snapshot? {
                // Presented once more, a window that is on the screen takes the keys.
                (isAway ? other : stage.window).present()
                await wait(upTo: 60_000) { stage.window.isActive != isAway }
                guard stage.window.isActive != isAway else { return nil }
                await stage.frames(3)
                await pause(milliseconds: 500)
                await stage.frames(2)
                return Snapshot(stage.view.widget)
            }
            _ = await picture(isAway: false)
            var lines: [String] = []
            for (name, block) in kinds {
                var series: [[Snapshot?]] = []
                for word in ["iiiii", "mmmmm"] {
                    var page = Samples.keys
                    page.body = [block(try secret(word))]
                    stage.view.show(Samples.empty)
                    _ = await picture(isAway: true)
                    stage.view.show(page)
                    var pictures: [Snapshot?] = []
                    pictures.append(await picture(isAway: true))
                    let buttons = ["Show the words", "Show the code again"].flatMap { stage.buttons($0) }
                    for button in buttons { emit("clicked", on: button, []) }
                    for isAway in [true, false] { pictures.append(await picture(isAway: isAway)) }
                    series.append(pictures)
                }
                lines.append("\(name): \(compare(series[0], series[1]))")
            }
            other.destroy()
            stage.window.destroy()
            return lines
        }

        /// Whether pictures of two pages with different secrets differ: before another window is looked at, while it
        /// is, and after that.
        static func behind(_ application: Application, _ arguments: [String]) async throws -> [String] {
            let stage = Stage(application)
            func picture(isBehind: Bool) async -> Snapshot? {
                let flag = GTK_STATE_FLAG_BACKDROP
                stage.window.use {
                    isBehind ? gtk_widget_set_state_flags($0, flag, 0) : gtk_widget_unset_state_flags($0, flag)
                }
                await stage.frames(3)
                await pause(milliseconds: 500)
                await stage.frames(2)
                return Snapshot(stage.view.widget)
            }
            var lines: [String] = []
            for (name, block) in kinds {
                var series: [[Snapshot?]] = []
                for word in ["iiiii", "mmmmm"] {
                    var page = Samples.keys
                    page.body = [block(try secret(word))]
                    stage.view.show(Samples.empty)
                    stage.view.show(page)
                    var pictures: [Snapshot?] = []
                    for isBehind in [false, true, false] { pictures.append(await picture(isBehind: isBehind)) }
                    series.append(pictures)
                }
                lines.append("\(name): \(compare(series[0], series[1]))")
            }
            stage.window.destroy()
            return lines
        }
    }

    extension Stage {
        /// Words on the screen.
        func seenLabels() -> [String] {
            func search(_ widget: Widget) -> [String] {
                guard widget.isMapped else { return [] }
                let here =
                    isKind(widget, gtk_label_get_type()) ? [String(cString: gtk_label_get_text(widget.pointer))] : []
                return here + widget.children.flatMap(search)
            }
            return search(window)
        }

        /// Buttons on the screen that say so.
        func buttons(_ label: String) -> [Widget] {
            func search(_ widget: Widget) -> [Widget] {
                guard widget.isMapped else { return [] }
                let isIt =
                    isKind(widget, gtk_button_get_type())
                    && widget.children.contains {
                        isKind($0, gtk_label_get_type()) && String(cString: gtk_label_get_text($0.pointer)) == label
                    }
                return (isIt ? [widget] : []) + widget.children.flatMap(search)
            }
            return search(window)
        }
    }
#endif
