import Navigator
import NetworkDetector
import SignerCore

/// What is around every page.
extension Pages {
    func shield(_ detector: DetectorView) -> Page.ShieldBadge {
        let look: Page.ShieldBadge.Look =
            switch detector.state {
            case .safe: .safe
            case .connected: .connected
            case .wasOnline: .wasOnline
            case .error, nil: .failed
            }
        return Page.ShieldBadge(look: look, text: Text(own: ShieldData(detector).text), press: .send(.shield))
    }

    func parts(_ header: Header) -> [Page.Part] {
        guard header.hasFooter else { return [] }
        let all: [(Header.Root, Text, Icon, UserAction)] = [
            (.keys, "Keys", .keys, .navbarKeys), (.scan, "Scan", .scan, .navbarScan), (.log, "Log", .log, .navbarLog),
            (.settings, "Settings", .settings, .navbarSettings),
        ]
        return all.map { root, label, icon, action in
            Page.Part(root: root, label: label, icon: icon, isCurrent: header.root == root, press: .send(action))
        }
    }

    /// A key set that can be gone to from each page with a footer.
    func sideRow(of card: SeedSelectorData.Card) -> Row {
        var row = row(of: card)
        row.id = "side-" + row.id
        row.press = .core([CoreCall(.navbarKeys), CoreCall(.selectSeed, .text(card.name))])
        return row
    }

    /// What the button on the right opens.
    func menu(_ label: Text, icon: Icon = .menu, _ action: UserAction = .rightButtonAction) -> Control {
        Control("menu", label: label, icon: icon, does: .send(action))
    }

    /// Closes what lies over a page.
    var closing: Control { Control("close", label: "Close", icon: .close, does: .send(.goBack)) }

    /// Says that others can see the window, where they can.
    var seenByOthers: [Block] {
        guard isSeenByOthers else { return [] }
        return [
            .card(
                .warning, title: "Other programs can see this window",
                text:
                    "This session is X11: programs of the same user can read the screen and the keys. Use a Wayland session."
            )
        ]
    }

    /// What is asked for where something cannot be undone.
    var credentialField: Field {
        Field(
            "credential", label: "What opens the vault", kind: .secret(.credential),
            hint: asksPerson ? "Your PIN or passphrase, once more." : "This vault opens by itself: leave it empty.")
    }

    /// How something that destroys is pressed.
    func destroying(_ id: String, _ label: Text, icon: Icon = .remove, typed: String, does message: Message) -> Control
    {
        Control(id, label: label, icon: icon, style: .destructive, press: .hold(typed: typed), does: message)
    }
}
