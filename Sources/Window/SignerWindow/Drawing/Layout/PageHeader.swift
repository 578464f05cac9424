#if canImport(CAdwaita)
    import Adwaita
    import Screens

    /// The top of the window: the way back, the title and the vault's name, the menu, and the network detector.
    @MainActor
    final class PageHeader {
        let widget: Box
        private let bar: HeaderBar
        private let title = Label("", wrap: .words)
        private let vault = Label("", wrap: .words)
        private let shield = ShieldView()
        private let context: PageContext
        private let form: Form
        private var back: Control?
        private var menu: Control?
        private var backButton: ControlButton?
        private var menuButton: ControlButton?

        init(in context: PageContext, form: Form) {
            (self.context, self.form) = (context, form)
            let titles = Box(.vertical)
            titles.align(vertically: .center)
            for (label, look) in [(title, "title"), (vault, "subtitle")] {
                label.addClass(look)
                label.justify(0.5)
                label.limit(lines: 2)
                titles.append(label)
            }
            bar = HeaderBar(title: titles)
            widget = Box(.vertical)
            widget.append(bar)
            widget.append(shield.strip)
            bar.end(shield.button)
            shield.press = { context.press($0, with: form, on: .page) }
        }

        func show(_ page: Page) {
            title.set(page.title)
            vault.set(page.vault)
            title.tooltip = page.title.plain
            vault.tooltip = page.vault.plain
            shield.show(page.shield, of: page.vault)
            lay()
            let place = Place(context: context, layer: .page, form: form)
            if page.back != back {
                backButton.map { bar.remove($0.widget) }
                backButton = page.back.map { ControlButton($0.with(icon: .back), at: place, isIconOnly: true) }
                backButton.map { bar.start($0.widget) }
                back = page.back
            }
            if page.menu != menu {
                menuButton.map { bar.remove($0.widget) }
                menuButton = page.menu.map { ControlButton($0.with(icon: .menu), at: place, isIconOnly: true) }
                menuButton.map { bar.end($0.widget) }
                menu = page.menu
            }
        }

        /// Leaves room for the title on narrow windows: the vault's name goes into the strip below.
        func narrow(_ isNarrow: Bool) {
            bar.showsAllButtons = !isNarrow
            shield.isNarrow = isNarrow
            lay()
        }

        private func lay() { vault.isVisible = !shield.isNarrow && !vault.text.isEmpty }

        func goBack() { if let back { context.press(back.message, with: form, on: .page) } }
    }

    extension Control {
        fileprivate func with(icon: Icon) -> Control {
            var control = self
            control.icon = self.icon ?? icon
            return control
        }
    }

    /// The network detector: an icon and words in the header where there is room, or in a strip below it where there is
    /// none, or where something is wrong. On narrow windows the strip has the vault's name, too.
    @MainActor
    final class ShieldView {
        let button: Button
        let strip: Button
        var press: (@MainActor (Message) -> Void)?
        private let icon = DrawingArea(icon: .shieldSafe, size: 16)
        private let words = Label("", wrap: .never)
        private let stripIcon = DrawingArea(icon: .shieldSafe, size: 16)
        private let stripWords = Label("", wrap: .words)
        private let vault = Label("", wrap: .words)
        private var badge: Page.ShieldBadge?

        init() {
            let face = Box(.horizontal, spacing: 6)
            face.append(icon.centered())
            face.append(words)
            button = Button(face, name: "Network detector")
            button.addClass("flat")
            button.addClass("shield")
            button.name = "control shield"
            button.align(vertically: .center)
            let line = Box(.horizontal, spacing: 8)
            line.append(stripIcon.centered())
            line.append(stripWords)
            vault.expand(horizontally: true)
            vault.justify(1)
            vault.limit(lines: 2)
            vault.addClass("shield-vault")
            line.append(vault)
            strip = Button(line, name: "Network detector")
            strip.addClass("flat")
            strip.addClass("shield-strip")
            strip.name = "strip shield"
            for each in [button, strip] {
                each.onClick { [weak self] in
                    guard let self, let badge else { return }
                    press?(badge.press)
                }
            }
        }

        var isNarrow = false { didSet { lay() } }

        func show(_ badge: Page.ShieldBadge, of name: Text) {
            vault.set(name)
            guard badge != self.badge else { return }
            let old = self.badge?.look.rawValue
            self.badge = badge
            icon.show(icon: badge.look.icon)
            stripIcon.show(icon: badge.look.icon)
            words.set(badge.text)
            stripWords.set(badge.text)
            for widget in [button, strip] {
                old.map(widget.removeClass)
                widget.addClass(badge.look.rawValue)
                widget.setAccessible(name: badge.text.plain)
            }
            button.tooltip = badge.text.plain
            lay()
        }

        private func lay() {
            strip.isVisible = isNarrow || badge?.look != .safe
            button.isVisible = !strip.isVisible
            vault.isVisible = isNarrow
        }
    }

    extension Page.ShieldBadge.Look {
        var icon: Icon {
            switch self {
            case .safe: .shieldSafe
            case .connected: .shieldOnline
            case .wasOnline: .shieldWasOnline
            case .failed: .shieldFailed
            }
        }
    }
#endif
