#if canImport(CAdwaita)
    import Adwaita

    /// Asks for a film, a picture, or a folder of pictures: two questions of the desktop, since none asks for all.
    @MainActor
    final class SourceChooser {
        let widget: Widget
        private let answer: @MainActor (String?) -> Void
        private let window: Window
        private var chooser: FileChooser?

        /// - Parameter answer: gets a path; nil where the person changes their mind.
        init(over window: Window, _ answer: @escaping @MainActor (String?) -> Void) {
            (self.window, self.answer) = (window, answer)
            let file = Button("A film or a picture")
            let folder = Button("A folder of pictures")
            let cancel = Button("Cancel")
            let card = Box(.vertical, spacing: 12)
            card.setAccessible(role: .dialog)
            card.setAccessible(name: "What to read")
            card.addClass("lid")
            card.addClass("question")
            let title = Label("What to read")
            title.addClass("title-4")
            title.justify(0.5)
            for part in [title, file, folder, cancel] { card.append(part) }
            let clamp = Clamp(card, width: 360)
            clamp.expand(horizontally: true, vertically: true)
            clamp.align(vertically: .center)
            let cover = Box(.vertical)
            cover.addClass("cover")
            cover.append(clamp)
            widget = cover
            file.onClick { [weak self] in self?.ask(.file, title: "A film or a picture") }
            folder.onClick { [weak self] in self?.ask(.folder, title: "A folder of pictures") }
            cancel.onClick { [weak self] in self?.answer(nil) }
        }

        func cancel() { answer(nil) }

        /// Takes the desktop's question away, where there is one.
        func end() {
            chooser?.end()
            chooser = nil
        }

        private func ask(_ wanted: FileChooser.Wanted, title: String) {
            let chooser = FileChooser(wanted, title: title, over: window)
            self.chooser = chooser
            chooser.ask { [weak self] paths in self?.answer(paths.first) }
        }
    }
#endif
