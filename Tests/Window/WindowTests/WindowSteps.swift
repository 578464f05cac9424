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

        /// Turns pages until the button below them works.
        func readToTheEnd() throws {
            _ = try Self.wait("the page can be read to its end") {
                try keys("Next")
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
