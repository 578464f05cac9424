#if canImport(CAdwaita)
    import Adwaita
    import Screens

    /// Secret words, hidden while a toggle of the page says so.
    @MainActor
    final class WordsView: BlockView {
        let widget: Widget
        private let view: SecretWordsView
        private let place: Place

        init(_ words: SecretWords, at place: Place) {
            self.place = place
            let context = place.context
            view = SecretWordsView(words) { try context.phrase() }
            widget = view.widget
            guard let toggle = words.hiddenBy else { return }
            place.form.watchToggles(for: self) { [weak self] in
                place.form.isOn(toggle) == true ? self?.view.hide() : self?.view.reveal()
            }
        }

        func hideSecrets() { view.hide() }
        func end() {
            view.hide()
            place.form.stopWatching(for: self)
        }
    }

    /// Secret words of which one is chosen.
    @MainActor
    final class GuessesView: BlockView {
        let widget: Widget
        private let view: SecretChoicesView

        init(_ choices: SecretChoices, at place: Place) {
            view = SecretChoicesView(choices) { number in
                var call = choices.chosen
                call.choice = number
                place.press(.core([call]))
            }
            widget = view.widget
        }

        func hideSecrets() { view.hide() }
        func end() { view.hide() }
    }
#endif
