#if canImport(CAdwaita)
    import Adwaita
    import Screens

    /// Covers everything while something is being done that nothing may come between. It is seen only where that takes
    /// a while.
    @MainActor
    final class BusyView {
        let widget: Widget
        private let box = Box(.vertical, spacing: 12)
        private let label = Label("", wrap: .words)
        private let spinner = Spinner()
        private var timer: Timeout?
        private static let patience = 250

        init() {
            box.align(horizontally: .center, vertically: .center)
            box.addClass("busy")
            spinner.request(width: 32, height: 32)
            label.justify(0.5)
            box.append(spinner)
            box.append(label)
            let cover = Box(.vertical)
            box.expand(vertically: true)
            cover.append(box)
            widget = cover
            widget.isVisible = false
        }

        func show(_ work: Text?) {
            timer = nil
            widget.isVisible = work != nil
            box.isVisible = false
            spinner.isSpinning = false
            guard let work else { return }
            label.set(work)
            timer = Timeout(milliseconds: Self.patience) { [weak self] in
                self?.box.isVisible = true
                self?.spinner.isSpinning = true
                return false
            }
        }
    }
#endif
