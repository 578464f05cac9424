#if canImport(CGIO)
    /// A remark of 64 KiB that would deceive a screen that showed it as it is.
    enum HostileRemark {
        static let markup = "<b>Safe</b> <a href='https://example.com'>open</a> <span size='1'>&amp;"
        /// Reorders, hides and joins.
        static let tricks = "\u{202e}dekcehc\u{202c} pay\u{200b}load \u{2066}x\u{2069} \u{feff}\u{ad}\u{7}\u{1b}[2J"
        /// A line of a screen of 80 columns, as it might be drawn by a program.
        static let line = "| Transfer 1 WND to your own account. Nothing else is done. Press Sign now.     |"

        static let text: String = {
            let frame = "+" + String(repeating: "-", count: 78) + "+"
            let painting = ([frame] + Array(repeating: line, count: 6) + [frame]).joined(separator: "\n")
            let head = [markup, tricks, painting, ""].joined(separator: "\n")
            return head + String(repeating: "f", count: 65_536 - head.utf8.count)
        }()

        /// Whether a text that is told to people holds what controls, hides or reorders others.
        static func isDeceptive(_ text: String) -> Bool {
            text.unicodeScalars.contains { scalar in
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
                default: scalar.properties.isDefaultIgnorableCodePoint
                }
            }
        }
    }
#endif
