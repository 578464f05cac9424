import TextForms

/// Eight by eight blocks, mirrored, in three colours.
///
/// A text's characters seed a generator of random numbers (xorshift of 128 bits); it gives the three colours and then
/// the left half of each row.
///
/// Source: `ethereum/blockies`.
enum Blockies {
    static let side = 8

    static func shapes(of key: [UInt8]) -> [Identicon.Shape] {
        var numbers = Numbers(seed: "0x" + Hex.encode(key))
        let color = numbers.nextColor()
        let background = numbers.nextColor()
        let spot = numbers.nextColor()
        let blocks = blocks(&numbers)
        func area(_ kind: Int) -> [Identicon.Border] {
            blocks.enumerated().filter { $0.element == kind }.map { index, _ in
                let block = 1 / Double(side)
                return .rectangle(
                    x: Double(index % side) * block, y: Double(index / side) * block, width: block, height: block)
            }
        }
        let ground = Identicon.Border.rectangle(x: 0, y: 0, width: 1, height: 1)
        return [Identicon.Shape(color: background, borders: [ground])]
            + [(color, area(1)), (spot, area(2))].filter { !$0.1.isEmpty }.map {
                Identicon.Shape(color: $0.0, borders: $0.1)
            }
    }

    /// What each block has, row by row: 0 for the background, 1 for the colour, 2 for the colour of spots.
    static func blocks(of text: String) -> [Int] {
        var numbers = Numbers(seed: text)
        for _ in 0..<3 { _ = numbers.nextColor() }
        return blocks(&numbers)
    }

    /// The colours of blocks, of the background and of spots.
    static func colors(of text: String) -> [Identicon.Color] {
        var numbers = Numbers(seed: text)
        return (0..<3).map { _ in numbers.nextColor() }
    }

    private static func blocks(_ numbers: inout Numbers) -> [Int] {
        (0..<side).flatMap { _ in
            let half = (0..<side / 2).map { _ in Int(numbers.next() * 2.3) }
            return half + half.reversed()
        }
    }

    private struct Numbers {
        private var state: [Int32] = [0, 0, 0, 0]

        init(seed: String) {
            for (index, unit) in seed.utf16.enumerated() {
                let value = state[index % 4]
                state[index % 4] = (value << 5) &- value &+ Int32(unit)
            }
        }

        /// From 0 to less than 2.
        mutating func next() -> Double {
            let mixed = state[0] ^ (state[0] << 11)
            let last = state[3]
            state = [state[1], state[2], last, last ^ (last >> 19) ^ mixed ^ (mixed >> 8)]
            return Double(UInt32(bitPattern: state[3])) / Double(UInt32(1) << 31)
        }

        mutating func nextColor() -> Identicon.Color {
            let hue = (next() * 360).rounded(.down) / 360
            let saturation = (next() * 60 + 40) / 100
            let lightness = (next() + next() + next() + next()) * 0.25
            return HSL(hue: hue, saturation: saturation, lightness: lightness).rounded
        }
    }
}
