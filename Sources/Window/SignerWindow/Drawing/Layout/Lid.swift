#if canImport(CAdwaita)
    import Adwaita
    import Screens

    /// What lies over a page: a sheet, or an alert.
    @MainActor
    final class Lid {
        /// All of the window, darkened, with the sheet in it.
        let widget: Widget
        let layer: Layer
        private let card = Box(.vertical)
        private let head = Box(.horizontal, spacing: 12)
        private let cover: Box
        private let place: Place

        /// - Parameter form: What stands in the fields of the page below.
        init(_ id: LayerID, in context: PageContext, over form: Form) {
            let form = Form(in: form)
            layer = Layer(id, in: context, form: form)
            place = Place(context: context, layer: id, form: form)
            card.setAccessible(role: id == .alert ? .alert : .dialog)
            card.addClass("lid")
            card.addClass(id == .alert ? "alert" : "sheet")
            head.addClass("lid-head")
            card.append(head)
            card.append(layer.box)
            let clamp = Clamp(card, width: id == .alert ? 420 : 560)
            cover = Box(.vertical)
            cover.addClass("cover")
            clamp.expand(horizontally: true, vertically: true)
            clamp.align(vertically: .end)
            cover.append(clamp)
            widget = cover
            self.clamp = clamp
            layer.growsWithContent { [weak self] in
                self.map { $0.cover.height - $0.head.height - Self.margins } ?? 0
            }
        }
        /// Pixels around the card, where the page below can be seen, and above its title.
        private static let margins = 76
        private let clamp: Clamp

        /// Sheets rise from the edge of narrow windows, and stand in the middle of wide ones.
        func narrow(_ isNarrow: Bool) {
            clamp.align(vertically: isNarrow ? .end : .center)
            card.setClass("narrow", isNarrow)
        }

        func show(_ sheet: Page.Sheet, isNew: Bool) {
            if isNew || sheet.title != title || sheet.close != close {
                (title, close) = (sheet.title, sheet.close)
                head.removeAll()
                let label = Label(sheet.title, "title-4")
                label.expand(horizontally: true)
                head.append(label.centered())
                if var close = sheet.close {
                    close.icon = close.icon ?? .close
                    head.append(ControlButton(close, at: place, isIconOnly: true).widget)
                }
                card.setAccessible(name: sheet.title.plain)
            }
            layer.show(sheet.body, bar: sheet.bar, isNew: isNew)
        }
        private var title: Text?
        private var close: Control?

        func show(_ alert: Page.AlertBox, isNew: Bool) {
            head.removeAll()
            let icon = DrawingArea(icon: alert.severity.icon, size: 24)
            icon.addClass("risk-ink")
            icon.align(vertically: .start)
            head.append(icon)
            let words = Box(.vertical, spacing: 2)
            words.expand(horizontally: true)
            words.append(Label(alert.severity.word, "risk-word", "risk-ink"))
            words.append(Label(alert.title, "title-4"))
            head.append(words)
            for severity in Severity.allCases { head.setClass(severity.rawValue, severity == alert.severity) }
            card.setAccessible(name: (alert.severity.word + ": " + alert.title).plain)
            layer.show(alert.body, bar: alert.bar, isNew: isNew)
        }
    }
#endif
