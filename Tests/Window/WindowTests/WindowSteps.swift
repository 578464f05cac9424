#if canImport(CGIO)
    import Testing
    import WindowTestSupport

    /// What people do on the way to a signature.
    extension DrivenWindow {
        /// Scans what the window has for a camera, and waits for what it says.
        func scan() throws {
            try page("SeedSelector/-")
            try press("Scan")
            try page("Scan/-")
            try press("Camera")
            try page("Transaction/-")
        }

        /// Takes the next film in the camera's place, and waits until nothing is scanned any more.
        func scanNext(seeing text: String) throws {
            try press("Camera")
            try sees(text)
        }

        /// Writes a note into the log, from the page of the log.
        func writeNote(_ text: String) throws {
            try page("Log/-")
            try press("Checksum of the log")
            try press("Write a note")
            try type(text, into: "Note")
            try press("Write it down")
            try page("Log/-")
            try wait("the note is in the log") { tree in
                tree.all.filter(\.isVisible).flatMap(\.words)
                    .contains { $0.hasPrefix("UserEntry") && $0.contains(text) } ? () : nil
            }
        }

        /// Types the words of a new key set that are asked for, after they were read from the screen, and stores it.
        ///
        /// - Parameters:
        ///   - name: of the key set.
        ///   - folder: for pictures of the words, which are removed.
        /// - Returns: the words.
        @discardableResult
        func storeWords(of name: String, folder: String) throws -> [String] {
            try sees("I wrote it down")
            let phrase = try DrawnWords.phrase(in: self, labelled: "The words of \(name)", folder: folder)
            try press("I wrote it down")
            try sees("The words are hidden.")
            let places = try tree().all.filter { $0.role == "text box" }
                .compactMap { $0.name.split(separator: " ").last.flatMap { Int($0) } }
            for place in places { try type(phrase[place - 1], into: "Word \(place)") }
            try keys("Return")
            try page("Keys/-")
            return phrase
        }

        /// Goes to what protects the vault, from a page with the main parts, and unfolds one of the changes.
        func unfoldProtection(_ change: String) throws {
            try press("Settings")
            try page("Settings/-")
            try press("Protection")
            try page("Protection/-")
            try press(change)
        }

        /// Opens the vault by what a person types.
        func unlock(with pin: String) throws {
            try page("Unlock/-")
            try type(pin, into: "PIN or passphrase")
            try keys("Return")
            try page("SeedSelector/-")
        }

        /// Turns pages until the button below them works.
        func readToTheEnd() throws {
            _ = try Self.wait("the page can be read to its end") {
                for _ in 0..<10 { try keys("Next") }
                return try words().contains("Read to the end of the page first.") ? nil : true
            }
        }

        /// The digits of the one signature that the screen shows.
        func signature() throws -> String {
            try sees("Code of the signature")
            let codes = try codes { !$0.isEmpty }
            let code = try #require(codes.first)
            let text = String(decoding: code, as: UTF8.self)
            // Its first byte tells that it is of sr25519.
            #expect(codes.count == 1 && text.count == 130 && text.hasPrefix("01"), "\(codes)")
            return String(text.dropFirst(2))
        }
    }
#endif
