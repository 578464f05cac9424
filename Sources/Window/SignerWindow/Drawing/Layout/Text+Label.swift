#if canImport(CAdwaita)
    import Adwaita
    import Screens

    extension Label {
        /// A label with a text of a page: there is no other way from there to the screen.
        convenience init(_ text: Text, _ classes: String..., wrap: Wrap = .words) {
            self.init(text.labelRuns, wrap: wrap)
            for name in classes { addClass(name) }
        }

        func set(_ text: Text) { set(text.labelRuns) }
    }

    extension Widget {
        /// A text of a page: addresses and hex in lines of their own, all else as a label.
        static func words(_ text: Text, _ classes: String...) -> Widget {
            let widget: Widget =
                MonospacedLines(text).map { lines in
                    MonospacedText(lines.text, shortest: MonospacedLines.shortest) { lines.lines(of: $0) }
                } ?? Label(text.labelRuns)
            for name in classes { widget.addClass(name) }
            return widget
        }
    }

    extension Text {
        var labelRuns: [Label.Run] {
            runs.map { run in
                Label.Run(
                    run.text, isStrong: run.style == .strong, isDim: run.style == .dim,
                    isMonospaced: run.style == .monospaced)
            }
        }
    }
#endif
