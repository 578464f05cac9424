/// The keys that a window draws for fingers. Nothing of it is a widget: assistive technology would tell every program
/// that listens which of them is pressed.
package struct Keypad: Hashable, Sendable {
    package enum Key: Hashable, Sendable {
        case sign(Unicode.Scalar)
        case delete
        /// The same letters in capitals, for one key.
        case shift
        /// Another layer of keys.
        case layer(Layer)
    }

    package enum Layer: Hashable, Sendable { case digits, letters, signs }

    /// A key and its place, each part from 0 to 1.
    package struct Place: Hashable, Sendable {
        package var key: Key
        package var x, y, width, height: Double
    }

    package private(set) var layer: Layer
    package private(set) var isShifted = false
    /// Whether there is more than small letters.
    package let hasAllSigns: Bool

    package init(beginningWith layer: Layer, hasAllSigns: Bool) {
        (self.layer, self.hasAllSigns) = (layer, hasAllSigns)
    }

    /// Presses the key at a place, each part from 0 to 1.
    ///
    /// - Returns: what it does beyond the keypad; nil for nothing.
    package mutating func press(x: Double, y: Double) -> Key? {
        let hit = places.first { place in
            x >= place.x && x < place.x + place.width && y >= place.y && y < place.y + place.height
        }
        switch hit?.key {
        case .shift: isShifted.toggle()
        case .layer(let layer): (self.layer, isShifted) = (layer, false)
        case .sign(let sign):
            isShifted = false
            return .sign(sign)
        case .delete: return .delete
        case nil: break
        }
        return nil
    }

    /// How many rows there are.
    package var rowCount: Int { rows.count }

    /// All keys with their places.
    package var places: [Place] {
        let rows = rows
        return rows.enumerated().flatMap { index, row in
            let widths = row.map(\.width)
            // Each key is as wide as in the widest row; what is over stands at both ends.
            let unit = 1 / Double(rows.map { $0.reduce(0) { $0 + $1.width } }.max() ?? 1)
            var x = (1 - Double(widths.reduce(0, +)) * unit) / 2
            return row.map { entry in
                defer { x += Double(entry.width) * unit }
                return Place(
                    key: entry.key, x: x, y: Double(index) / Double(rows.count), width: Double(entry.width) * unit,
                    height: 1 / Double(rows.count))
            }
        }
    }

    private typealias Entry = (key: Key, width: Int)

    private var rows: [[Entry]] {
        switch layer {
        case .digits:
            let last: [Entry] = hasAllSigns ? [(.layer(.letters), 2)] : []
            return [signs("123", 2), signs("456", 2), signs("789", 2), last + signs("0", 2) + [(.delete, 2)]]
        case .letters:
            let rows = ["qwertyuiop", "asdfghjkl", "zxcvbnm"].map { isShifted ? $0.uppercased() : $0 }
            let left: [Entry] = hasAllSigns ? [(.shift, 3)] : []
            let bottom: [Entry] = hasAllSigns ? [(.layer(.digits), 4), (.layer(.signs), 4)] : []
            return [
                signs(rows[0], 2), signs(rows[1], 2), left + signs(rows[2], 2) + [(.delete, 3)],
                bottom + [(.sign(" "), 8)],
            ]
        case .signs:
            return [
                signs("!\"#$%&'()*", 2), signs("+,-./:;<=>", 2), signs("?@[\\]^_`{|", 2),
                [(.layer(.letters), 4), (.sign(" "), 8)] + signs("}~", 2) + [(.delete, 4)],
            ]
        }
    }

    private func signs(_ text: String, _ width: Int) -> [Entry] {
        text.unicodeScalars.map { (.sign($0), width) }
    }
}

extension Keypad.Key {
    /// What stands on it.
    package var label: String {
        switch self {
        case .sign(" "): "space"
        case .sign(let sign): String(sign)
        case .delete: "del"
        case .shift: "shift"
        case .layer(.digits): "123"
        case .layer(.letters): "abc"
        case .layer(.signs): "#+="
        }
    }
}
