#if canImport(CGIO)
    import Foundation
    import TestSupport
    import Testing
    import WindowTestSupport

    /// The shares of a split, as a person has them who took them off a screen.
    struct SplitShares {
        /// Pictures of the screen with each share.
        private(set) var pictures: [String] = []
        /// What the codes in them hold, read by a program that is not ours.
        private(set) var contents: [String] = []
        private(set) var passphrase = ""

        /// Splits the seed `demo` in a window into four shares, of which three are needed.
        ///
        /// - Parameter name: of the files of pictures.
        static func make(in vault: WindowVault, named name: String) throws -> SplitShares {
            let window = try vault.window()
            try window.page("SeedSelector/-")
            try window.press("demo", to: "Keys/-")
            let shares = try take(from: window, of: vault, named: name)
            window.end()
            return shares
        }

        /// Does so from the page with the keys of the seed, and comes back to it.
        static func take(from window: DrivenWindow, of vault: WindowVault, named name: String) throws -> SplitShares {
            try window.press("What can be done with this key set", "Split backup", to: "SplitExport/-")
            try window.set(4, for: "How many shares")
            try window.set(3, for: "How many are needed")
            try window.press("Split it")
            var shares = SplitShares()
            for number in 1...4 {
                try window.sees("Share \(number) of 4, 3 needed")
                if number < 3 { try window.sees("\(4 - number) shares were not shown yet.") }
                try shares.takeShare(from: window, to: vault.scratch.path("\(name)-\(number).png"))
                if number < 4 { try window.press("Next") }
            }
            try window.press("Go on to the passphrase")
            try window.sees("Write it down, and keep it in another place than the shares.")
            shares.passphrase = try writeDown(in: window, vault)
            return shares
        }

        /// Takes a picture of a screen with a share that is not here yet.
        private mutating func takeShare(from window: DrivenWindow, to path: String) throws {
            let known = contents
            let codes = try window.codes { codes in
                codes.contains { !known.contains(String(decoding: $0, as: UTF8.self)) }
            }
            let new = codes.map { String(decoding: $0, as: UTF8.self) }.first { !known.contains($0) }
            contents.append(try #require(new))
            try window.save(to: path)
            pictures.append(path)
        }

        /// Reads the passphrase from the screen, and types it back.
        private static func writeDown(in window: DrivenWindow, _ vault: WindowVault) throws -> String {
            let read = try DrawnWords.passphrases(
                in: window, labelled: "The passphrase of the shares", folder: vault.scratch.url.path)
            try window.press("I wrote it down")
            try window.sees("The words are hidden.")
            let refusal = "What was typed is not the passphrase that was shown."
            for passphrase in read {
                try window.type(passphrase, into: "The passphrase, from your paper")
                try window.press("Done")
                // What was misread is not taken.
                let isRight = try window.wait("the passphrase is taken or refused") { tree -> Bool? in
                    let words = tree.all.filter(\.isVisible).flatMap(\.words)
                    if words.contains("Keys/-") { return true }
                    return words.contains { $0.contains(refusal) } ? false : nil
                }
                if isRight { return passphrase }
                try window.press("Back")
                try window.seesNoMore(refusal)
            }
            throw WindowFailure("none of \(read.count) readings is the passphrase")
        }
    }
#endif
