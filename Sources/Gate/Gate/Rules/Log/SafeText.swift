/// Text from outside, made fit for a line of a log, a header or a screen.
///
/// Terminal sequences (CSI, OSC and the other strings), control characters, ends of lines and marks that turn the
/// direction of writing are taken out; what is left is cut at ``maximumBytes``.
/// Source: `appattest-gate` section 3.12.
package struct SafeText: Hashable, Sendable, CustomStringConvertible {
    package static let maximumBytes = 256

    package let description: String

    package init(_ text: some StringProtocol) {
        var kept = String.UnicodeScalarView()
        var bytes = 0
        var state = State.text
        for scalar in text.unicodeScalars {
            guard Self.step(&state, scalar) else { continue }
            bytes += UTF8.width(scalar)
            guard bytes <= Self.maximumBytes else { break }
            kept.append(scalar)
        }
        description = String(kept)
    }

    private enum State {
        case text
        case escape
        /// Inside CSI, before its final character.
        case control
        /// Inside OSC, DCS, SOS, PM or APC, up to BEL or ST.
        case string
        case stringEscape
    }

    /// - Returns: whether the character stays.
    private static func step(_ state: inout State, _ scalar: Unicode.Scalar) -> Bool {
        switch (state, scalar.value) {
        case (.string, 0x07), (.string, 0x9c): state = .text
        case (.string, 0x1b): state = .stringEscape
        case (.string, _): break
        case (.stringEscape, 0x5c): state = .text
        case (.stringEscape, _): state = .string
        case (_, 0x1b): state = .escape
        case (_, 0x9b), (.escape, 0x5b): state = .control
        case (_, 0x90), (_, 0x98), (_, 0x9d...0x9f), (.escape, 0x50), (.escape, 0x58), (.escape, 0x5d...0x5f):
            state = .string
        // A sequence ends with its final character; what cannot stand in one ends it too.
        case (.escape, 0x20...0x2f), (.control, 0x20...0x3f): break
        case (.escape, 0x30...0x7e), (.control, 0x40...0x7e): state = .text
        default:
            state = .text
            return isHarmless(scalar.value)
        }
        return false
    }

    private static func isHarmless(_ value: UInt32) -> Bool {
        switch value {
        case ..<0x20, 0x7f...0x9f, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069, 0xfeff: false
        default: true
        }
    }
}
