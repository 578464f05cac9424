#if canImport(CAdwaita)
    import Adwaita
    import Screens

    /// Secret words, hidden while a toggle of the page says so.
    @MainActor
    final class WordsView: BlockView {
        let widget: Widget
        private let view: SecretWordsView
        private let place: Place
        private var words: SecretWords

        init(_ words: SecretWords, at place: Place) {
            (self.words, self.place) = (words, place)
            let (context, toggle) = (place.context, words.hiddenBy)
            let isHidden = { toggle.flatMap { place.form.isOn($0) } == true }
            // Where the words come anew, what was said of them before still holds.
            view = SecretWordsView(words, isKeptHidden: isHidden()) { try context.phrase() }
            widget = view.widget
            guard toggle != nil else { return }
            place.form.watchToggles(for: self) { [weak self] in
                guard let self, view.isKeptHidden != isHidden() else { return }
                view.isKeptHidden = isHidden()
            }
        }

        /// Other words of the same name, such as one more of those that are typed, are shown only where these are.
        func update(_ block: Block) -> Bool {
            guard case .words(let new) = block, !new.isOnDemand, new.label == words.label,
                new.hiddenBy == words.hiddenBy
            else { return false }
            words = new
            view.replace(by: new)
            return true
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
