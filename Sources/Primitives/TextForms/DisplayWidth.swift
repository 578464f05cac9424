/// How many cells of a terminal text takes up.
///
/// Terminals differ. Where they do, this counts the larger number: a line that was wrapped by it is never wrapped once
/// more by the terminal, though it may end a cell early. Control characters have no width; escape them first
/// (``ScreenText``).
public enum DisplayWidth {
    /// The cells that a text takes on a terminal.
    public static func of(_ text: some StringProtocol) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return text.unicodeScalars.reduce(0) { $0 + of($1) }
    }

    /// A text with as many spaces behind it as make it `width` cells wide; a wider one as it is.
    package static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - of(text)))
    }

    /// 0 for marks that are drawn onto the character before them, 2 for East Asian wide characters and for emoji, else
    /// 1.
    public static func of(_ scalar: Unicode.Scalar) -> Int {
        guard scalar.value >= 0x300 else { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return 0
        default: break
        }
        // Every emoji: some are wide only with a selector behind them, or on some terminals.
        return isEastAsianWide(scalar.value) || scalar.properties.isEmoji ? 2 : 1
    }

    private static func isEastAsianWide(_ value: UInt32) -> Bool {
        guard value >= wide[0].lowerBound else { return false }
        var low = 0
        var high = wide.count
        while low < high {
            let middle = (low + high) / 2
            if wide[middle].upperBound < value { low = middle + 1 } else { high = middle }
        }
        return low < wide.count && wide[low].contains(value)
    }

    /// The classes W and F of Unicode's EastAsianWidth.txt, version 17, without emoji. Gaps that hold nothing, or only
    /// what is narrow but rare, are closed.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115f, 0x2329...0x232a, 0x2630...0x2637, 0x268a...0x268f, 0x2e80...0x303e, 0x3041...0xa4c6,
        0xa960...0xa97c, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe10...0xfe19, 0xfe30...0xfe6b, 0xff01...0xff60,
        0xffe0...0xffe6, 0x16fe0...0x18df2, 0x1aff0...0x1b2fb, 0x1d300...0x1d376, 0x1f200...0x1f265,
        0x1f300...0x1f320, 0x1f32d...0x1f64f, 0x1f680...0x1f6ff, 0x1f7e0...0x1f7f0, 0x1f90c...0x1faff,
        0x20000...0x3fffd,
    ]
}
