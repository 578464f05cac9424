import Navigator
import SignerCore
import Substrate

/// A new seed, or one that is recovered: its name and its words.
extension Pages {
    func newSeed(_ data: NewSeedData) -> Content {
        var content = naming(
            data, go: "Make the words", text: "24 new words are made, and shown to be written down.",
            needs: [Self.withoutThrows])
        content.body.append(.fold(title: "Other words", otherWords))
        return content
    }

    /// Who has typed throws believes that they are mixed in.
    private static let withoutThrows = CoreCall.Need(
        .isEmpty("throws"),
        otherwise:
            """
            Throws of yours are typed, and this would leave them out. Press the button for dice or for coins, or delete \
            them.
            """
    )

    /// Words of another number, or from throws of the person's own as well.
    private var otherWords: [Block] {
        func data(thrown: [String: [String]]) -> CoreCall.Data {
            .object(["name": "name", "words": "words"], known: thrown)
        }
        func make(_ id: String, _ label: Text, thrown: String) -> Control {
            Control(
                id, label: label, icon: .forward,
                does: .core([CoreCall(.makePhrase, data(thrown: ["thrown": [thrown]]), secret: "throws")]))
        }
        let makeSoMany = Message.core([CoreCall(.makePhrase, data(thrown: [:]), needs: [Self.withoutThrows])])
        return [
            .field(
                Field(
                    "words", label: "How many words", kind: .number(24, in: 12...24),
                    hint: "12, 15, 18, 21 or 24.", enter: makeSoMany)),
            .buttons([Control("make-words", label: "Make so many words", icon: .forward, does: makeSoMany)]),
            .field(
                Field(
                    "throws", label: "Throws of yours", kind: .secret(.passphrase),
                    hint:
                        "50 or more of a die, 1 to 6, or 128 or more of a coin, 0 and 1 or h and t. They are mixed with the machine's own sources, never instead of them."
                )),
            .buttons([
                make("make-dice", "Make them with these dice", thrown: "dice"),
                make("make-coins", "Make them with these coins", thrown: "coins"),
            ]),
        ]
    }

    func recoverSeedName(_ data: NewSeedData) -> Content {
        naming(data, go: "Go on to the words", text: "You type the words that you have written down, one by one.")
    }

    private func naming(
        _ data: NewSeedData, go label: Text, text: Text, needs: [CoreCall.Need] = []
    ) -> Content {
        let go = Message.core([CoreCall(.goForward, .field("name"), needs: needs)])
        return Content(
            body: [
                .text(text),
                .field(
                    Field(
                        "name", label: "Name of the key set", kind: .text(data.name ?? ""),
                        hint: "1 to 64 characters, without commas; it stays in this vault.", enter: go)),
            ], bar: [Control("go", label: label, icon: .forward, style: .suggested, does: go)])
    }

    /// Whether the key at the root is in every network: `roots` on both pages where a seed is stored.
    private var rootsField: Field {
        Field(
            "roots", label: "The key of the set itself too", kind: .toggle(true),
            hint: "In each network, beside the key at its usual path, which is made anyhow.")
    }

    func newSeedBackup(_ data: NewSeedBackupData) -> Page.Sheet {
        let words = SecretWords(.phrase(data.phrase), label: "The words of \(data.name)", hiddenBy: "written")
        let places = QuizPlaces.of(name: data.name, wordCount: data.wordCount)
        let answers = places.map { (Field.ID(stringLiteral: "word-\($0)"), $0) }
        let create = Message.core([
            CoreCall(
                .goForward, .toggle("roots"),
                needs: [CoreCall.Need(.isOn("written"), otherwise: "Write the words down first, and say so.")]
                    + answers.map { field, number in
                        CoreCall.Need(
                            .word(field, number: number, of: words),
                            otherwise: "Word \(number) is another one. Look at what you have written down.")
                    })
        ])
        return Page.Sheet(
            title: "Words of \(data.name)",
            body: seenByOthers + [
                .text("Write these \(data.wordCount) words down in their order, on paper. They are the only backup.")
            ] + (data.thrown.map { [.text(Text(own: $0))] } ?? []) + [
                .words(words),
                .field(
                    Field(
                        "written", label: "I wrote it down", kind: .toggle(false),
                        hint: "The words are hidden, and three of them asked for.")),
                .heading("From your paper"),
            ]
                + answers.map { field, number in
                    .field(Field(field, label: "Word \(number)", kind: .secret(.writtenWord), enter: create))
                } + [.field(rootsField)],
            bar: [
                Control("create", label: "Store the key set", icon: .check, style: .suggested, does: create)
            ],
            close: Control("close", label: "Throw the words away", icon: .close, does: .send(.goBack)))
    }

    func recoverSeedPhrase(_ data: RecoverSeedPhraseData) -> Content {
        let store = Message.send(.goForward, .toggle("roots"))
        let typed = SecretWords(.shown([data.input]), label: "What is typed of the next word", isNumbered: false)
        var body: [Block] = seenByOthers
        body.append(.text(Text(data.words.count, "word", plural: "words") + " of \(data.name) so far."))
        if !data.words.isEmpty {
            body.append(.words(SecretWords(.shown(data.words), label: "The words so far")))
        }
        body.append(
            .field(
                Field(
                    "word", label: "Word \(data.words.count + 1)",
                    kind: .secret(.word(typed: typed, changed: .send(.textEntry, secret: "word"))),
                    hint: "Its first letters are enough; a blank takes it; deleting an empty one takes the last away."))
        )
        if !data.guesses.isEmpty {
            body.append(
                .guesses(SecretChoices(data.guesses, label: "Words that begin so", chosen: CoreCall(.pushWord))))
        }
        body.append(
            data.isReady
                ? .card(.good, title: "A recovery phrase", text: "The words have a valid checksum.")
                : .card(.notice, title: "Not yet a phrase", text: "It has 12, 15, 18, 21 or 24 words and a checksum."))
        body += data.notices.map { .publicPhrase($0.text) }
        body.append(.field(rootsField))
        return Content(
            body: body,
            bar: [
                Control(
                    "store", label: "Store the key set", icon: .check, style: .suggested, does: store,
                    obstacle: data.isReady ? nil : "The words are not yet a recovery phrase."),
                Control(
                    "preview", label: "Keys in other wallets", icon: .keys, does: .send(.previewKeys),
                    obstacle: data.isReady ? nil : "The words are not yet a recovery phrase."),
            ])
    }
}

/// Which words of a new phrase are asked for: one of each third. They follow from the name alone, so that a page drawn
/// anew asks for the same, and that they are known tells nothing of the words.
enum QuizPlaces {
    static func of(name: String, wordCount: Int) -> [Int] {
        let third = wordCount / 3
        guard third > 0 else { return [] }
        let digest = Blake2b.hash256(Array("casemate/quiz/v1".utf8) + Array(name.utf8)).bytes
        return (0..<3).map { part in part * third + Int(digest[part]) % third + 1 }
    }
}
