import Airgap
import BasicFoundation
import Console
import QRCode

/// Shows codes in the terminal, one over the other, until the person has enough.
package struct TerminalFilm {
    private let sender: TransferSender
    private let count: Int?
    private let framesPerSecond: Int

    private static let slowest = 4
    private static let fastest = 60
    /// Light modules around: two are enough on a screen, and leave room for denser codes.
    private static let border = 2
    /// Lines below the code.
    private static let textRows = 1

    /// Bytes that the densest code holds which fits the terminal; nil without a terminal.
    package static var capacity: Int? {
        guard let size = Terminal.outputSize else { return nil }
        let side = min(size.columns, 2 * (size.rows - textRows)) - 2 * border
        return QRVersion.all.last { $0.size <= side }?.byteCapacity(.low) ?? 0
    }

    /// - Parameter count: how many codes; nil for as long as the person wants.
    package init(_ sender: TransferSender, count: Int? = nil, framesPerSecond: Int = 15) {
        self.sender = sender
        self.count = count
        self.framesPerSecond = framesPerSecond
    }

    /// Refuses a terminal that is too small for the codes.
    package func requireRoom() throws {
        let first = try QRSymbol.encode(bytes: sender.content(0))
        let needed = QRText.size(of: first, border: Self.border)
        if let size = Terminal.outputSize, size.columns < needed.columns || size.rows < needed.rows + Self.textRows {
            throw TerminalTooSmall(columns: needed.columns, rows: needed.rows + Self.textRows)
        }
    }

    package func run() throws {
        try requireRoom()
        guard sender.isEndless || sender.sourceCount > 1, Terminal.isDrawable, let terminal = Terminal() else {
            return try printOnce()
        }
        try terminal.onOtherScreen(secrets: false) {
            // Leaving the screen shows the cursor again.
            terminal.write("\u{1b}[?25l")
            try terminal.withoutEcho { try play(on: terminal) }
        }
    }

    /// Prints without a terminal that can be drawn on: each code once, or a few where there would be no end.
    private func printOnce() throws {
        for number in 0..<(count ?? sender.usualCount) {
            print(QRText.lines(try QRSymbol.encode(bytes: sender.content(number)), border: Self.border, style: .plain))
        }
    }

    /// The speed of the next round. One that a person has made slower than the slowest stays.
    package static func slower(than speed: Int) -> Int {
        speed > slowest ? max(slowest, speed * 4 / 5) : speed
    }

    /// The speed behind a press on the key for a faster one, up to the fastest.
    package static func faster(than speed: Int) -> Int { speed < fastest ? speed + 1 : speed }

    private func play(on terminal: Terminal) throws {
        var speed = framesPerSecond
        var isPaused = false
        var number = 0
        while count.map({ number < $0 }) ?? true {
            let symbol = try QRSymbol.encode(bytes: sender.content(number))
            let round = sender.usualCount
            // A reader that has not read it after a round may be helped by a slower one.
            if number > 0, number % round == 0 { speed = Self.slower(than: speed) }
            let text =
                "frame \(number + 1), \(sender.sourceCount) needed, \(speed) a second   + faster  - slower  space stop  q end"
            terminal.redraw(QRText.lines(symbol, border: Self.border, style: .coloured) + text)
            let until = ContinuousClock.now + .seconds(1) / speed
            repeat {
                let left = isPaused ? 1000 : max(0, ContinuousClock.now.duration(to: until).milliseconds)
                guard let key = terminal.key(within: left) else { continue }
                switch key {
                case UInt8(ascii: "+"), UInt8(ascii: "="): speed = Self.faster(than: speed)
                case UInt8(ascii: "-"): speed = max(1, speed - 1)
                case UInt8(ascii: " "): isPaused.toggle()
                // Control-C and Control-D arrive as bytes, and so does Escape; an arrow or function key begins with it.
                case UInt8(ascii: "q"), 3, 4: return
                case 27: if !terminal.takesRestOfSequence() { return }
                default: break
                }
            } while isPaused || ContinuousClock.now < until
            number += 1
        }
    }
}

/// The terminal is too small for a code.
package struct TerminalTooSmall: Error, CustomStringConvertible {
    package let columns: Int
    package let rows: Int

    package init(columns: Int, rows: Int) { (self.columns, self.rows) = (columns, rows) }

    package var description: String {
        "The terminal is too small for a code: it needs at least \(columns) columns and \(rows) rows. Make the window larger or the "
            + "letters smaller, or write a film or picture with --out."
    }
}
