#if canImport(CGIO)
    import Foundation
    import TestSupport
    import Testing
    import WindowTestSupport

    @Suite(
        "Signing in the window", .serialized, .enabled(if: Desktop.obstacle == nil, "\(Desktop.obstacle ?? "")"))
    struct SigningWindowTests {
        @Test(
            "a batch through a proxy is read call by call, held to be approved, and its answer verified from the screen",
            .enabled(if: ScreenPicture.decoderObstacle == nil, "\(ScreenPicture.decoderObstacle ?? "")"),
            .enabled(if: IndependentVerifier.isPossible, IndependentVerifier.absence))
        func batch() async throws {
            let vault = try await WindowVault()
            let film = try await vault.film(of: WestendPayload.transaction(WestendPayload.proxiedBatch))
            let window = try vault.window(films: [film])
            try window.scan()
            // Every call, with its whole address and its amount, and what they are together.
            let words = try window.words()
            for text in [
                "Call 1 of 3", "Call 2 of 3", "Call 3 of 3",
                "5FHn eW46 xGXg s5mU iveU 4sbT yGBz mstU spZC 92Uh jJM6 94ty",
                "5FLS igC9 HGRK VhB9 FiEo 4Y3k oPsN mBmL JbpX g2mp 1hXc S59Y",
                "5DAA nrj7 VHTz nn2A WBem MuyB wZWs 6FNF jdyV XUeY um3P TXFy",
                "1.000000000000 WND", "2.000000000000 WND", "3.000000000000 WND", "6.000000000000 WND",
            ] {
                #expect(words.contains { $0.contains(text) }, "\(text)")
            }
            // Nothing that assistive technology could press approves, and letting go early does not.
            let button = try #require(try window.tree().all.last { $0.name == "Sign" && $0.role == "button" })
            #expect(button.actions.isEmpty)
            try window.readToTheEnd()
            try window.hold("Sign", milliseconds: 200)
            #expect(try window.position() == "Transaction/-")
            #expect(try await vault.count(of: "TransactionSigned") == 0)
            try window.hold("Sign")
            let signature = try window.signature()
            #expect(
                try await IndependentVerifier.verifies(
                    signature, of: WestendPayload.signable(WestendPayload.proxiedBatch), by: WestendPayload.author))
            window.end()
            #expect(try await vault.count(of: "TransactionSigned") == 1)
            try await vault.casemate(["log", "verify"])
        }

        @Test(
            "the window confirms a danger by its own text, and signs nothing before",
            .enabled(if: ScreenPicture.decoderObstacle == nil, "\(ScreenPicture.decoderObstacle ?? "")"),
            .enabled(if: IndependentVerifier.isPossible, IndependentVerifier.absence))
        func danger() async throws {
            let vault = try await WindowVault()
            let film = try await vault.film(of: WestendPayload.transaction(WestendPayload.addProxy))
            let window = try vault.window(films: [film])
            try window.scan()
            try window.sees("Somebody else may act for you")
            try window.readToTheEnd()
            try window.hold("Sign")
            let question = try window.sees("Type the last")
            let count = try #require(question.split(separator: " ").compactMap { Int($0) }.first)
            // Bob's on Westend, as other wallets write it.
            let right = String("5FHneW46xGXgs5mUiveU4sbTyGBzmstuspZC92UhjJM694ty".suffix(count))
            try window.type(String(right.dropLast()) + "z", into: question)
            try window.press("I have looked at it")
            try window.sees("That is not the text that confirms the danger.")
            #expect(try await vault.count(of: "TransactionSigned") == 0)
            try window.press("Back")
            try window.seesNoMore("That is not the text")
            // What was refused is gone from the field.
            try window.type(right, into: question)
            #expect(try window.tree().all.contains { $0.isVisible && $0.text == right })
            try window.press("I have looked at it", to: "Transaction/-")
            #expect(try await vault.count(of: "TransactionSigned") == 0)
            try window.readToTheEnd()
            try window.hold("Sign")
            let signature = try window.signature()
            #expect(
                try await IndependentVerifier.verifies(
                    signature, of: WestendPayload.signable(WestendPayload.addProxy), by: WestendPayload.author))
            window.end()
            #expect(try await vault.count(of: "TransactionSigned") == 1)
        }

        @Test("keys move what has to be read from the start, and no field takes them")
        func keys() async throws {
            let vault = try await WindowVault()
            let film = try await vault.film(of: WestendPayload.transaction(WestendPayload.proxiedBatch))
            let window = try vault.window(films: [film])
            try window.scan()
            try window.sees("Read to the end of the page first.")
            try window.keys("End")
            try window.seesNoMore("Read to the end of the page first.")
            try window.keys("Home")
            // Signing is done where the focus is put on purpose.
            try window.keys("Return", "space")
            #expect(try window.position() == "Transaction/-")
            window.end()
            #expect(try await vault.count(of: "TransactionSigned") == 0)
        }

        @Test("Enter in the comment neither signs nor throws the transaction away")
        func comment() async throws {
            let vault = try await WindowVault()
            let film = try await vault.film(of: WestendPayload.transaction(WestendPayload.remark("hello")))
            let window = try vault.window(films: [film])
            try window.scan()
            try window.readToTheEnd()
            try window.type("for the rent", into: "Comment for the log")
            try window.keys("Return")
            // A page that was left has no such button.
            try window.hold("Sign")
            _ = try window.signature()
            window.end()
            #expect(try await vault.count(of: "TransactionSigned") == 1)
            #expect(try await vault.log().flatMap(\.events).contains { $0.detail.contains("for the rent") })
        }

        @Test(
            "a key that is held on Sign for too long tries no password and writes none", arguments: ["Return", "space"])
        func heldOn(key name: String) async throws {
            let vault = try await WindowVault()
            let password = "a password"
            try await vault.casemate(
                ["key", "derive", "demo", "//locked", "--network", "westend", "--password-fd", "4"], secret: password)
            let keys = try await vault.keys(of: "demo")
            let key = try #require(keys.first { $0.path.hasPrefix("//locked") }).publicKey.dropFirst(2)
            let film = try await vault.film(
                of: WestendPayload.transaction(WestendPayload.remark("hello"), by: String(key)))
            let window = try vault.window(films: [film])
            try window.scan()
            try window.readToTheEnd()
            // Enter goes from the comment to the button.
            try window.type("rent", into: "Comment for the log")
            try window.keys("Return")
            try window.hold(key: name, untilShown: "Password of a key", andThen: 1_500)
            let words = try window.words()
            #expect(words.contains { $0.contains("1 of 3") } && !words.contains("It was not done"))
            // Nothing stands in front of it.
            try window.type(password, into: "Password")
            try window.keys("Return")
            _ = try window.signature()
            window.end()
            #expect(try await vault.count(of: "TransactionSignError") == 0)
            #expect(try await vault.count(of: "TransactionSigned") == 1)
        }

        @Test("a hostile remark is shown escaped, broken and cut, and is no markup")
        func hostileRemark() async throws {
            let vault = try await WindowVault()
            let film = try await vault.film(of: WestendPayload.transaction(WestendPayload.remark(HostileRemark.text)))
            let window = try vault.window(films: [film])
            try window.scan()
            try window.sees("Text that may mislead")
            let tree = try window.tree(hidden: true)
            let words = tree.all.flatMap(\.words)
            #expect(words.allSatisfy { !HostileRemark.isDeceptive($0) })
            #expect(tree.all.allSatisfy { $0.role != "link" })
            // All of it is there to be read, on lines that are marked.
            let block = words.filter { $0.hasPrefix("│ ") }
            let text = block.map { $0.dropFirst(2) }.joined()
            #expect(text.hasPrefix("\"" + HostileRemark.markup + #"\n\u{202e}dekcehc\u{202c} pay\u{200b}load"#))
            #expect(text.contains(#"\u{2066}x\u{2069} \u{feff}\u{ad}\u{7}\u{1b}[2J\n+---"#))
            #expect(block.allSatisfy { $0.count <= 32 } && !words.contains { $0.contains(HostileRemark.line) })
            // And what is beyond is told by its size and its digest.
            #expect(words.contains("remark, text of 65536 bytes:"))
            #expect(block.last?.hasSuffix("\"…") == true && block.count <= 256)
        }
    }
#endif
