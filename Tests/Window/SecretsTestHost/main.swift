// Shows secrets in a window as the signer does, and counts the copies of them in its memory when it is asked to.
//
//     SecretsTestHost PASSPHRASE PHRASE
//
// Both are what is going to be typed or shown, in hex, with a mask over each byte: a count must not find them in the
// arguments.

#if canImport(CAdwaita)
    import Adwaita
    import Glibc
    import Screens
    import SecretMemory
    import SignerWindow
    import TextForms

    /// A text that this program knows only with a mask over each byte.
    struct MaskedText {
        private static let mask: UInt8 = 0x5a
        let bytes: [UInt8]

        /// The text, each byte with zeros behind it up to a width: 1 for UTF-8, 2 and 4 for UTF-16 and UTF-32.
        func secret(width: Int = 1) throws -> SecretBytes {
            try SecretBytes(count: (bytes.count - 1) * width + 1) { buffer in
                for (place, byte) in bytes.enumerated() { buffer[place * width] = byte ^ Self.mask }
            }
        }

        /// Counts its copies in all memory of this process.
        func count() throws -> (locked: Int, elsewhere: [String]) {
            var scan = MemoryScan()
            for width in [1, 2, 4, 8] {
                try secret(width: width).withUnsafeBytes { scan.look(for: "\(width) bytes wide", $0) }
            }
            let hits = try scan.run()
            let elsewhere = hits.filter { $0.mapping != "secret memory" }
            return (hits.count - elsewhere.count, elsewhere.map { "\($0.needle) in \($0.mapping)" })
        }
    }

    @MainActor
    final class Host {
        private let window: Window
        private let box = Box(.vertical, spacing: 6)
        private let said = Label("")
        private let entry = SecretEntry(label: "Passphrase", kind: .passphrase)
        private let words: SecretWordsView
        private let passphrase: MaskedText
        private let phrase: MaskedText
        private var plain: Entry?
        private var kept: SecretBytes?
        private var changes = 0

        init(_ application: Application, passphrase: MaskedText, phrase: MaskedText) {
            (self.passphrase, self.phrase) = (passphrase, phrase)
            window = Window(of: application, title: "secrets", size: (width: 500, height: 700))
            words = SecretWordsView(SecretWords(.onDemand, label: "Phrase", hidesAfter: 60)) { try phrase.secret() }
            for part in [entry.widget, words.widget, said] { box.append(part) }
            add("Count typed") { $0.count($0.passphrase) }
            add("Count shown") { $0.count($0.phrase) }
            add("Clear") { host in
                host.entry.clear()
                return "cleared"
            }
            add("Take") { host in
                host.kept = try? host.entry.take()
                return host.kept == nil ? "no memory" : "taken"
            }
            add("Let go") { host in
                host.kept = nil
                return "gone"
            }
            add("Add an ordinary field") { host in
                host.addOrdinaryField()
                return "added"
            }
            entry.onChange = { [weak self] in self?.changed() }
            entry.onEnter = { [weak self] in self?.said.set("Enter") }
            window.setContent(ScrolledWindow(box))
        }

        func show() {
            window.present()
            entry.grabFocus()
        }

        /// - Parameter run: does what the button is for, and returns what is then said.
        private func add(_ name: String, _ run: @escaping @MainActor (Host) -> String) {
            let button = Button(name)
            button.onClick { [weak self] in
                guard let self else { return }
                said.set(run(self))
                changes = 0
            }
            box.append(button)
        }

        /// Tells how many changes there were since a button was pressed: what is typed comes by another way than what
        /// is asked.
        private func changed() {
            changes += 1
            said.set("changes: \(changes)")
        }

        private func count(_ text: MaskedText) -> String {
            do {
                let (locked, elsewhere) = try text.count()
                return "locked \(locked), elsewhere \(elsewhere.count) \(elsewhere.joined(separator: ", "))"
            } catch {
                return "no count: \(error)"
            }
        }

        /// A field of the library's, for comparison: what is counted there shows that the count can find something.
        private func addOrdinaryField() {
            let field = Entry(name: "Ordinary field")
            box.prepend(field)
            plain = field
            field.onChange { [weak self] in self?.changed() }
            field.grabFocus()
        }
    }

    let arguments = CommandLine.arguments.dropFirst().compactMap { Hex.decode($0) }.map(MaskedText.init)
    guard arguments.count == 2, Toolkit.start() else { exit(64) }
    let application = Application(name: "secrets-test-host")
    var host: Host?
    exit(
        application.run { application in
            host = Host(application, passphrase: arguments[0], phrase: arguments[1])
            host?.show()
        })
#else
    print("built without the window")
#endif
