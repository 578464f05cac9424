/// A number of 256 bits, as the EVM's are: metadata describe it as four numbers of 64 bits, so that it has a card for
/// each.
struct WideNumber {
    /// Least significant first.
    private let words: [UInt64]

    /// Passes the cards of one.
    ///
    /// - Returns: nil where other cards stand there.
    init?(_ cursor: inout CardCursor) {
        var words: [UInt64] = []
        while words.count < 4, let word = cursor.number().flatMap(UInt64.init(exactly:)) { words.append(word) }
        guard words.count == 4 else { return nil }
        self.words = words
    }

    /// In decimal.
    var text: String { WideDecimal.text(of: words.reversed(), isSigned: false) }

    /// nil for one of more than 128 bits.
    var value: UInt128? {
        words[2] == 0 && words[3] == 0 ? UInt128(words[1]) << 64 | UInt128(words[0]) : nil
    }
}
