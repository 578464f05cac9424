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
