#if canImport(CGIO)
    import SecretMemory
    import SplitBackup
    import Substrate
    import WindowTestSupport

    /// Secret words that are only drawn, read from the picture of the screen as a person's eyes read them.
    enum DrawnWords {
        static let obstacle = ScreenPicture.readerObstacle

        /// Reads numbered words that stand in columns, and repeats it until they are a phrase with its checksum.
        ///
        /// - Parameters:
        ///   - label: what the words are called for those who cannot see them.
        ///   - folder: for pictures of them, which are removed.
        static func phrase(in window: DrivenWindow, labelled label: String, folder: String) throws -> [String] {
            try phraseAndPicture(in: window, labelled: label, folder: folder).phrase
        }

        /// Does so, and gives the picture back in which they were read. That may take longer than they are shown.
        static func phraseAndPicture(
            in window: DrivenWindow, labelled label: String, folder: String
        ) throws -> (phrase: [String], picture: ScreenPicture) {
            func frame() throws -> Accessible.Frame? {
                try window.tree().all.last { $0.name == label && $0.isVisible }?.frame
            }
            var enlargement = 2
            var last: (Accessible.Frame, ScreenPicture)?
            var words: [String] = []
            return try DrivenWindow.wait("the words can be read from the screen, not \(words)") {
                enlargement = enlargement % 5 + 1
                if let place = try frame() {
                    let picture = try window.picture()
                    if try frame() == place { last = (place, picture) }
                }
                guard let (frame, picture) = last else { return nil }
                let columns = max(1, frame.width / cellWidth)
                words = try (0..<columns).flatMap { column in
                    let part = picture.cropped(
                        x: frame.x + column * frame.width / columns, y: frame.y, width: frame.width / columns,
                        height: frame.height)
                    return try part.lines(in: folder, enlargedBy: enlargement).compactMap { line in
                        lettersBehindNumber(line).flatMap { nearest(to: $0, in: list) }
                    }
                }
                return isPhrase(words) ? (words, picture) : nil
            }
        }

        /// Reads the words of a passphrase, which stand below each other with hyphens behind them.
        ///
        /// - Parameters:
        ///   - label: what the words are called for those who cannot see them.
        ///   - folder: for pictures of them, which are removed.
        /// - Returns: what was read, the most frequent first: nothing but typing it shows whether it is right.
        static func passphrases(in window: DrivenWindow, labelled label: String, folder: String) throws -> [String] {
            let frame = try window.wait("“\(label)” is shown") { tree in
                tree.all.last { $0.name == label && $0.isVisible }?.frame
            }
            var counts: [String: Int] = [:]
            for enlargement in [2, 3, 4, 5, 1] {
                let part = try window.picture().cropped(
                    x: frame.x, y: frame.y, width: frame.width, height: frame.height)
                let lines = try part.lines(in: folder, enlargedBy: enlargement).compactMap(letters)
                let words = lines.compactMap { nearest(to: $0, in: passphraseParts) }
                if words.count >= 4 { counts[words.joined(separator: "-"), default: 0] += 1 }
            }
            return counts.sorted { $0.value > $1.value }.map(\.key)
        }

        /// Words that have a hyphen of their own are drawn in two parts.
        private static let passphraseParts = PassphraseWords.utf8.flatMap {
            String(decoding: $0, as: UTF8.self).split(separator: "-").map(String.init)
        }

        /// The words of the list of phrases that stand in what was read of a screen as they are.
        static func found(in lines: [String]) -> [String] {
            let known = Set(list)
            return lines.flatMap { $0.lowercased().split { !$0.isLetter }.map(String.init) }.filter(known.contains)
        }

        /// Pixels of a word with its number, at the least.
        private static let cellWidth = 160

        private static let list = EnglishWords.utf8.map { String(decoding: $0, as: UTF8.self) }

        /// What Tesseract takes some letters for.
        private static let lookalikes: [Character: Character] = [
            "0": "o", "1": "i", "2": "z", "4": "a", "5": "s", "6": "b", "7": "t", "8": "b", "9": "g", "$": "s",
            "!": "l", "|": "l",
        ]

        /// The letters of a line with one word; nil where there are none.
        private static func letters(_ line: String) -> String? {
            let letters = line.lowercased().map { lookalikes[$0] ?? $0 }.filter(\.isLetter)
            return letters.isEmpty ? nil : String(letters)
        }

        /// The same of a line with a number before the word; nil where so little was read that it is no word.
        private static func lettersBehindNumber(_ line: String) -> String? {
            let parts = line.split(separator: " ")
            let word = parts.count > 1 ? parts.dropFirst().joined() : String(line.drop(while: \.isNumber))
            return letters(word).flatMap { $0.count < 2 ? nil : $0 }
        }

        /// The word of a list that is nearest to what was read.
        private static func nearest(to letters: String, in list: [String]) -> String? {
            let letters = Array(letters.utf8)
            return list.map { (word: $0, distance: distance(Array($0.utf8), letters)) }
                .min { $0.distance < $1.distance }?.word
        }

        /// How many letters have to be put in, left out or changed.
        private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
            var row = Array(0...right.count)
            for (index, letter) in left.enumerated() {
                var corner = row[0]
                row[0] = index + 1
                for (place, other) in right.enumerated() {
                    let changed = corner + (letter == other ? 0 : 1)
                    corner = row[place + 1]
                    row[place + 1] = min(changed, row[place] + 1, corner + 1)
                }
            }
            return row[right.count]
        }

        /// A word of the list that is not this one.
        static func other(than word: String) -> String { list.first { $0 != word } ?? "" }

        /// Whether words are as many as a phrase's, and have its checksum.
        private static func isPhrase(_ words: [String]) -> Bool {
            var bytes = Array(words.joined(separator: " ").utf8)
            guard let secret = try? SecretBytes(movingFrom: &bytes) else { return false }
            return (try? Mnemonic(phrase: secret)) != nil
        }
    }
#endif
