#if canImport(CAdwaita)
    import Adwaita
    import AirgapLink
    import Screens
    import SignerSession

    /// Draws pages in a window, and tells the session what a person does. It decides nothing.
    ///
    /// What stays the same from one page to the next stays as it is, with the focus and what was typed; what is new is
    /// made anew, and all of the old goes.
    @MainActor
    package final class PageView: SessionView {
        private let window: Window
        private let context: PageContext
        private let toasts: ToastOverlay
        private let layers: Overlay
        private let leaflet: Leaflet
        private let base = Box(.vertical)
        private let header: PageHeader
        private let parts: PartsView
        private let page: Layer
        private var sheet: Lid?
        private var alert: Lid?
        private let busy = BusyView()
        /// Is as large as the window, and tells when that has changed.
        private let probe = DrawingArea(width: 0, height: 0)
        private var width = 0
        /// Below so many pixels, words give way to the title.
        private static let narrowWidth = 600
        private var chooser: SourceChooser?
        private var fileChooser: FileChooser?
        private(set) var shown: Page?
        private let keys = KeysDown()
        private let form = Form()

        package init(handler: any PageHandler, in window: Window, of application: Application) {
            self.window = window
            context = PageContext(handler: handler, keys: keys, wake: Wake(application, window))
            header = PageHeader(in: context, form: form)
            parts = PartsView(in: context, form: form)
            page = Layer(.page, in: context, form: form)
            page.box.expand(horizontally: true, vertically: true)
            let column = Box(.vertical)
            for part in [header.widget, page.box, parts.bottom] as [Widget] { column.append(part) }
            column.addClass("column")
            column.expand(horizontally: true)
            column.request(width: 344)
            leaflet = Leaflet(side: parts.side, content: column)
            leaflet.expand(horizontally: true, vertically: true)
            base.setAccessible(role: .group)
            base.append(leaflet)
            layers = Overlay(base)
            toasts = ToastOverlay(layers)
            layers.add(over: busy.widget)
            Appearance.add()
            window.setContent(toasts)
            layers.add(over: probe)
            probe.isReachable = false
            probe.onResize { [weak self] width, _ in self?.resized(width: width) }
            leaflet.onFold { [weak self] in self?.lay() }
            page.onComplete = { [weak self] in self?.completed() }
            context.tell = { [weak self] in self?.tell($0) }
            hear()
            lay()
        }

        package var widget: Widget { toasts }

        // MARK: Pages

        package func show(_ new: Page) {
            guard new != shown else { return }
            // A question belongs to the page that it was asked on: over another one it would be in the way, and its
            // answer nobody's.
            if new.position != shown?.position { endChoice() }
            let isNew = new.position.screen != shown?.position.screen || new.title != shown?.title
            let focus = window.focusedName
            let old = shown
            shown = new
            // What has the same place may ask for something else, as for the password of the next key.
            if isNew || old?.sheet != new.sheet || old?.alert != new.alert { keys.turnPage() }
            if isNew { endFailure() }
            window.title = new.title.plain
            base.setAccessible(name: new.title.plain)
            header.show(new)
            parts.show(new)
            page.show(new.body, bar: new.bar, mustBeRead: new.mustBeRead, isNew: isNew)
            show(sheet: new.sheet, isNew: isNew || old?.position.modal != new.position.modal)
            show(alert: new.alert, isNew: isNew || old?.position.alert != new.position.alert)
            settle()
            lay()
            focusAfter(
                focus,
                isNew: isNew || (old?.sheet == nil) != (new.sheet == nil) || (old?.alert == nil) != (new.alert == nil))
            completed()
        }

        /// Whether everything of the page is there, also what is below the edge of the window.
        package var isComplete: Bool { [page, sheet?.layer, alert?.layer].allSatisfy { $0?.isComplete != false } }

        /// Tells assistive technology where the person is once all of the page can be read, and puts the focus there.
        private func completed() {
            guard isComplete, let shown else { return }
            base.setAccessible(description: shown.position.description)
            if wantsFocus { top.focusSomething() }
            wantsFocus = false
        }
        private var wantsFocus = false

        private func show(sheet new: Page.Sheet?, isNew: Bool) {
            guard let new else { return remove(&sheet) }
            let lid = sheet ?? put(Lid(.sheet, in: context, over: form))
            lid.show(new, isNew: isNew || sheet == nil)
            sheet = lid
        }

        private func show(alert new: Page.AlertBox?, isNew: Bool) {
            guard let new else { return remove(&alert) }
            let lid = alert ?? put(Lid(.alert, in: context, over: form))
            lid.show(new, isNew: isNew || alert == nil)
            alert = lid
        }

        private func put(_ lid: Lid) -> Lid {
            layers.add(over: lid.widget)
            lid.layer.onComplete = { [weak self] in self?.completed() }
            return lid
        }

        private func remove(_ lid: inout Lid?) {
            guard let old = lid else { return }
            old.layer.end()
            layers.remove(over: old.widget)
            lid = nil
        }

        /// Lets keys and pointers through to the topmost layer alone.
        private func settle() {
            context.top = alert != nil ? .alert : sheet != nil ? .sheet : .page
            base.isReachable = context.top == .page && chooser == nil
            sheet?.widget.isReachable = context.top == .sheet && chooser == nil
        }

        private var top: Layer { alert?.layer ?? sheet?.layer ?? page }

        /// The focus stays with what has the same name, and else goes to what is to be filled in, or comes first.
        private func focusAfter(_ name: String?, isNew: Bool) {
            if !isNew, let name, window.focusedName == name || window.focus(named: name) { return }
            guard isNew || window.focusedName == nil else { return }
            wantsFocus = true
        }

        private func resized(width: Int) {
            let wasNarrow = isNarrow
            self.width = width
            // Nothing is changed while sizes are being given out.
            if isNarrow != wasNarrow { MainLoop.soon { [weak self] in self?.lay() } }
        }

        private var isNarrow: Bool { leaflet.isFolded || width < Self.narrowWidth }

        private func lay() {
            let isNarrow = isNarrow
            let hasParts = shown?.parts.isEmpty == false
            parts.side.isVisible = hasParts
            parts.bottom.isVisible = hasParts && isNarrow
            header.narrow(isNarrow)
            for lid in [sheet, alert] { lid?.narrow(isNarrow) }
        }

        // MARK: What the session asks for besides

        package func show(_ scan: ScanUpdate?) {
            if scan != nil { endFailure() }
            for view in scanners { view.show(scan) }
            page.show(isScanning: scan != nil)
        }

        private var scanners: [ScannerView] {
            [page, sheet?.layer, alert?.layer].flatMap { $0?.views(ScannerView.self) ?? [] }
        }

        package func show(work: Text?) {
            if work != nil { endFailure() }
            context.isBusy = work != nil
            busy.show(work)
        }

        package func tell(_ notice: Text) { toasts.show(notice.plain) }

        /// In the place of the camera's picture, so that nothing lies over what begins the next scan; else in a note.
        package func tell(failure: Text) {
            endFailure()
            guard let scanner = scanners.first(where: { $0.widget.isMapped }) else {
                return toasts.show(failure.plain, stays: true)
            }
            scanner.show(failure: failure)
            failed = scanner
        }
        /// What shows a failure now.
        private weak var failed: ScannerView?

        private func endFailure() {
            toasts.endStaying()
            failed?.show(failure: nil)
            failed = nil
        }

        package func hideSecrets() {
            for layer in [page, sheet?.layer, alert?.layer] { layer?.hideSecrets() }
        }

        package func close() { window.destroy() }

        package func chooseSource(_ chosen: @escaping @MainActor (String) -> Void) {
            endChoice()
            let question = SourceChooser(over: window) { [weak self] path in
                self?.endChoice()
                path.map(chosen)
            }
            chooser = question
            keys.turnPage()
            settle()
            layers.add(over: question.widget)
            question.widget.focusFirst()
        }

        package func chooseFile(
            _ title: Text, to use: FileUse, _ chosen: @escaping @MainActor (String) -> Void
        ) {
            let wanted: FileChooser.Wanted =
                switch use {
                case .read: .file
                case .write(let name): .newFile(named: name)
                }
            let chooser = FileChooser(wanted, title: title.plain, over: window)
            fileChooser = chooser
            chooser.ask { [weak self] paths in
                self?.fileChooser = nil
                paths.first.map(chosen)
            }
        }

        private func endChoice() {
            fileChooser?.end()
            fileChooser = nil
            guard let question = chooser else { return }
            question.end()
            layers.remove(over: question.widget)
            chooser = nil
            keys.turnPage()
            settle()
        }

        // MARK: Keys and pointers

        private func hear() {
            let first = KeyController()
            first.hearFirst()
            first.onPress { [weak self] key in
                guard let self else { return false }
                keys.press(key)
                top.followFocus()
                context.personIsThere()
                // A key that is held a moment too long would do something that the person has not read yet.
                return context.isBusy || keys.isOfOtherPage && !key.scrolls
            }
            first.onRelease { [weak self] key in self?.keys.release(key) }
            window.add(first)
            window.onActive { [weak self] isActive in if !isActive { self?.keys.forget() } }
            let last = KeyController()
            last.hearLast()
            last.onPress { [weak self] key in self?.press(key) ?? false }
            window.add(last)
            let pointer = MotionController()
            pointer.onMove { [weak self] in self?.context.personIsThere() }
            window.add(pointer)
        }

        private func press(_ key: Key) -> Bool {
            if key.isEscape {
                goBack()
            } else if key.isPageDown {
                top.scroll(by: 0.9)
            } else if key.isPageUp {
                top.scroll(by: -0.9)
            } else if key.isEnd {
                top.scroll(by: .greatestFiniteMagnitude)
            } else if key.isHome {
                top.scroll(by: -.greatestFiniteMagnitude)
            } else {
                return false
            }
            return true
        }

        /// Closes a sheet, or goes the way back; an alert is dismissed by its own buttons.
        private func goBack() {
            if let chooser { return chooser.cancel() }
            switch context.top {
            case .alert: break
            case .sheet: (shown?.sheet?.close?.message).map { context.press($0, with: form, on: .sheet) }
            case .page: header.goBack()
            }
        }
    }
#endif
