import TextForms

/// How far the places of a vault are that are sealed anew, one after the other.
package struct PlaceProgress {
    private var place: String?
    private var line: ProgressLine?
    /// How many values were sealed anew, by their place.
    package private(set) var sealed: [String: Int] = [:]

    package init() {}

    package mutating func show(_ place: String, _ done: Int, of total: Int) {
        if place != self.place {
            end()
            self.place = place
            line = ProgressLine(label: place, of: total)
        }
        sealed[place] = done
        line?.show(done)
    }

    package mutating func end() {
        line?.end()
        line = nil
    }

    /// A line for each place.
    package var text: [String] {
        sealed.sorted { $0.key < $1.key }.map { "\(ScreenText.escape($0.key)): \($0.value) sealed anew" }
    }
}
