#if canImport(CAdwaita)
    import Identicons
    import Navigator
    @testable import Screens
    @testable import SignerCore

    /// Pages as a core could ask for them, with texts that try to be something else.
    enum Samples {
        static let address = "5FLSigC9HGRKVhB9FiEo4Y3koPsNmBmLJbpXg2mp1hXcS59Y"
        static let hostileName = "</span><b>5 DOT</b>\u{202e}txet &amp; _Sign\u{0}"

        private static let shield = Page.ShieldBadge(look: .safe, text: "No network", press: .send(.shield))
        private static func parts(_ current: Header.Root) -> [Page.Part] {
            let all: [(Header.Root, Text, Icon)] = [
                (.keys, "Keys", .keys), (.scan, "Scan", .scan), (.log, "Log", .log), (.settings, "Settings", .settings),
            ]
            return all.map {
                Page.Part(root: $0.0, label: $0.1, icon: $0.2, isCurrent: $0.0 == current, press: .send(.goBack))
            }
        }

        private static func page(_ screen: Screen, _ title: Text, _ root: Header.Root = .keys) -> Page {
            Page(
                position: Position(screen), title: title, vault: "Cold storage", shield: shield,
                back: Control("back", label: "Back", does: .send(.goBack)),
                menu: Control("menu", label: "Menu", does: .send(.rightButtonAction)), parts: parts(root))
        }

        private static func identicon(_ seed: UInt8) -> Row.Picture {
            .identicon(Identicon(.polkadot, of: (0..<32).map { $0 &* 7 &+ seed &* 31 }))
        }

        static var keys: Page {
            var page = page(.keys, "Keys")
            page.back = nil
            page.body = [
                .group(
                    title: "Westend",
                    [("Savings", 1), ("Staking", 2), ("\(hostileName)", 3)].map { (name: Text, seed) in
                        Row(
                            id: "\(seed)", picture: identicon(UInt8(seed)), title: name, value: Text(address: address),
                            detail: "//westend//\(seed)",
                            marks: seed == 2
                                ? [Row.Mark(severity: .warning, icon: .exposed, text: "Exposed: its secret was shown")]
                                : [],
                            press: .send(.selectKey, .text("\(seed)")))
                    }),
                .buttons([
                    Control("new", label: "Derive a key", icon: .add, style: .suggested, does: .send(.newKey)),
                    Control("backup", label: "Back up", icon: .backup, does: .send(.backupSeed)),
                ]),
            ]
            page.side = [("Savings of the family", 1), ("Work", 2)].map { (name: Text, seed: UInt8) in
                Row(id: "set \(seed)", picture: identicon(seed), title: name, press: .send(.selectSeed))
            }
            return page
        }

        static var transaction: Page {
            var page = page(.transaction, "Sign a transaction", .scan)
            page.mustBeRead = true
            page.body = [
                .headline("4.500000000000 WND", caption: "3 transfers out of a batch, Westend"),
                .card(
                    .danger, title: "Acts for another account",
                    text: "The signer acts for " + Text(address: address) + ". Every call."),
                .card(.warning, title: "Unknown destination", text: "The destination is not an address of this vault."),
                .card(.notice, title: "Long life", text: "It can be used for 64 blocks."),
                .card(.good, title: "Metadata", text: "It is that of the chain."),
                .card(.refusal, title: "Not for this key", text: "No key of this vault can sign it."),
            ]
            for number in 1...2 {
                page.body.append(
                    .group(
                        title: "\(number). Balances.transfer_keep_alive",
                        [
                            Row(
                                id: "to", picture: identicon(7), title: "Destination", value: Text(address: address),
                                detail: "Contact: \(hostileName)"),
                            Row(id: "value", title: "Value", value: "1.500000000000 WND"),
                        ]))
            }
            page.body += [
                .heading("Remark"),
                .foreign(
                    ForeignBlock(
                        lines: [
                            "│ <b>Everything is fine</b> &lt;",
                            "│ \\u{202e}Press Sign ________________________________ now",
                        ],
                        rest: "and 12 more lines")),
                .fold(
                    title: "In full",
                    [
                        .tree(
                            (0..<14).map {
                                TreeLine(indent: $0, text: "call_\($0): " + Text(address: address, grouped: false))
                            })
                    ]),
                .headline("4.500000000000 WND", caption: "in all, and 0.02 WND of fees at the most"),
            ]
            page.bar = [
                Control(
                    "sign", label: "Hold to sign", style: .suggested, press: .hold(typed: "SIGN"),
                    does: .send(.goForward)),
                Control("no", label: "Do not sign", does: .send(.goBack)),
            ]
            return page
        }

        static var fields: Page {
            var page = page(.newSeed, "A new key set")
            page.parts = []
            page.body = [
                .text("A key set has a name, and keys of it are derived by paths."),
                .field(Field("name", label: "Name", kind: .text("Savings"), hint: "Nothing secret: it is not sealed.")),
                .field(Field("path", label: "Path", kind: .path("//polkadot"))),
                .field(Field("count", label: "Words", kind: .number(24, in: 12...24), hint: "More are safer.")),
                .field(
                    Field(
                        "save", label: "Keep the phrase in this vault", kind: .toggle(true),
                        hint: "Otherwise it is typed anew each time it is needed.")),
                .field(Field("pin", label: "Passphrase of the vault", kind: .secret(.credential))),
            ]
            page.bar = [
                Control(
                    "make", label: "Make it", style: .suggested, does: .send(.goForward),
                    obstacle: "Give it a name first.")
            ]
            return page
        }

        static var sheet: Page {
            var page = keys
            page.position.modal = .networkDetailsMenu
            page.sheet = Page.Sheet(
                title: "Network",
                body: [
                    .group(
                        title: nil,
                        [
                            Row(
                                id: "1", picture: .icon(.network), title: "Polkadot", press: .send(.goBack),
                                isSelected: true),
                            Row(
                                id: "2", picture: .icon(.network), title: "Kusama", press: .send(.goBack),
                                isSelected: false),
                        ])
                ],
                bar: [
                    Control(
                        "remove", label: "Remove the network", icon: .wipe, style: .destructive, does: .send(.goBack))
                ],
                close: Control("close", label: "Close", does: .send(.goBack)))
            return page
        }

        static var alert: Page {
            var page = keys
            page.shield.look = .connected
            page.shield.text = "This machine is connected to a network"
            page.position.alert = .error
            page.alert = Page.AlertBox(
                severity: .refusal, title: "This key cannot sign",
                body: [.text("The transaction is for \(hostileName), which this vault does not know. Add it first.")],
                bar: [Control("ok", label: "Close", style: .suggested, does: .send(.goBack))])
            return page
        }

        static let all: [String: Page] = [
            "keys": keys, "transaction": transaction, "fields": fields, "sheet": sheet, "alert": alert,
            "scanner": scanner, "code": code(moving: false), "film": code(moving: true), "empty": empty,
        ]

        static let codeText = Array(("00" + address).utf8)

        static func code(moving isMoving: Bool) -> Page {
            let bytes = (0..<1500).map { UInt8(truncatingIfNeeded: $0 * 37 + $0 / 7) }
            let content = isMoving ? CodeData(moving: bytes) : CodeData(single: codeText)
            var page = page(.transaction, "Answer", .scan)
            page.body = [.code(CodePicture(.open(content), label: "Hold the wallet's camera before it"))]
            page.bar = [Control("done", label: "Done", style: .suggested, does: .send(.goForward))]
            return page
        }

        static var scanner: Page {
            var page = page(.scan, "Scan", .scan)
            page.back = nil
            page.body = [
                .scanner(
                    Scanner(
                        purpose: .payload,
                        advice: "Hold the wallet's film before the camera. Any frames will do, in any order."))
            ]
            page.bar = [
                Control("stop", label: "Stop", does: .window(.stopScanning)),
                Control("again", label: "Start again", does: .window(.restartScanning)),
            ]
            return page
        }

        static var empty: Page {
            var page = page(.log, "Log", .log)
            page.shield.look = .wasOnline
            page.shield.text = "This machine was connected to a network since the vault was made"
            page.body = [.empty(.log, title: "Nothing yet", text: "What is done with this vault is written down here.")]
            return page
        }
    }
#endif
