import AnimatedCodes
import Console
import QRCode
import SplitBackup
import TextForms

/// Shows shares as QR codes on the terminal, one after the other, on a screen that leaves nothing behind.
struct ShareScreen {
    /// Light modules around: two are enough on a screen.
    private static let border = 2
    private static let textRows = 2

    private let terminal: Terminal

    /// Settled before there is a share.
    init() throws(Failure) {
        guard let terminal = Terminal() else { throw .noPlaceForShares }
        self.terminal = terminal
    }

    /// Returns when the person went on behind the last one.
    ///
    /// - Parameter isWithdrawn: whether they have to go from the screen.
    /// - Throws: ``Failure/sharesNotSeen(last:total:)`` if the person stopped before.
    func show(_ shares: [BackupShare], until isWithdrawn: @escaping () -> Bool) throws {
        var index = 0
        let symbols = try shares.map { try QRSymbol.encode(bytes: $0.utf8) }
        try terminal.onOtherScreen(secrets: true, until: isWithdrawn) {
            try terminal.withoutEcho {
                while index < shares.count {
                    let (text, isShown) = page(symbols[index], shares[index], of: shares.count)
                    terminal.redraw(text)
                    switch terminal.byte() {
                    // What was not drawn was not seen: nobody goes on behind it.
                    case UInt8(ascii: "\n"), UInt8(ascii: "\r"): if isShown { index += 1 }
                    case UInt8(ascii: "b"): index = max(0, index - 1)
                    case nil, UInt8(ascii: "q"), 3, 4:
                        throw Failure.sharesNotSeen(last: index, total: shares.count)
                    default: break
                    }
                }
            }
        }
    }

    /// - Returns: also whether the share is on it.
    private func page(_ symbol: QRSymbol, _ share: BackupShare, of total: Int) -> (text: String, isShown: Bool) {
        let caption =
            "share \(share.number) of \(total), \(share.required) needed, \(ForeignName.shown(share.title, as: .title))\n"
        let size = QRText.size(of: symbol, border: Self.border)
        let (columns, rows) = (size.columns, size.rows + Self.textRows)
        guard terminal.size.columns >= columns, terminal.size.rows >= rows else {
            let text =
                caption
                + "This window is too small for it: make it at least \(columns) columns wide and \(rows) rows high, then "
                + "press R.\nq: stop "
            return (text, false)
        }
        return (
            QRText.lines(symbol, border: Self.border, style: .coloured) + caption + "Enter: next  b: back  q: stop ",
            true
        )
    }
}
