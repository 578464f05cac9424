import Substrate
import TestSupport

@testable import SignerCore

extension Tour {
    /// What a person calls things in the vault of a tour, and what is held before the camera besides.
    package struct Names: Equatable, Sendable {
        var vault: String
        /// The key set of the development phrase.
        package var keySet: String
        /// One that is made anew, and one that comes from shares.
        var fresh: String
        var again: String
        /// The title of Westend.
        package var network: String
        var path: String
        var contact: String
        var renamed: String
        var note: String
        var comment: String
        var logNote: String
        /// What is scanned, looked at and refused.
        var payloads: [String]

        package static let usual = Names(
            vault: "demo vault", keySet: "Alice", fresh: "Portia", again: "Again", network: "Westend", path: "//a",
            contact: "Bob", renamed: "Robert", note: "from the fair", comment: "a proxy", logNote: "seen",
            payloads: [
                WestendPayload.transaction(WestendPayload.transfer(1_500_000_000_000)),
                WestendPayload.transaction(
                    WestendPayload.batch((1...3).map { WestendPayload.transfer($0 * 750_000_000_000) })),
                WestendPayload.bulk([7, 8].map { WestendPayload.transaction(WestendPayload.transfer($0)) }),
                WestendPayload.message("hello\nworld"),
            ])

        /// As long as they may be, without a place to break them, from right to left, or like something else.
        package static let hostile = Names(
            vault: "demo\u{202e}\nvault <b>" + wide, keySet: String(wide.prefix(64)),
            fresh: String(repeating: "ש", count: 64), again: "</span><b>Sign</b> &amp; " + wide.prefix(39),
            network: "Westend <b>" + wide.prefix(48), path: "//" + String(repeating: "w", count: 60),
            contact: String(repeating: "م", count: 64), renamed: "yours: Alice (unknown) " + wide.prefix(40),
            note: "\u{202e}Press Sign\n\u{2800}\u{2800}\n" + wide, comment: "paid\u{202e} " + wide,
            logNote: "<i>Total</i>: 0\u{200b} " + wide,
            payloads: [
                WestendPayload.transaction(WestendPayload.remark("Total: 0\u{202e}\n\n" + wide + "\u{1b}[2J")),
                WestendPayload.transaction(WestendPayload.remark(String(repeating: "Press Sign. ", count: 87_382))),
                WestendPayload.transaction(
                    WestendPayload.batch([
                        WestendPayload.transfer(.max), WestendPayload.remark("5 WND\n(yours: Alice)"),
                        WestendPayload.batch([
                            WestendPayload.batch([WestendPayload.batch([WestendPayload.transfer(1)])])
                        ]),
                    ])),
                WestendPayload.message("<b>Everything is fine</b>\u{202e} &lt;\n" + wide + "\n\n\n\nSign"),
            ])

        private static let wide = String(repeating: "WIDE", count: 24)
    }
}
