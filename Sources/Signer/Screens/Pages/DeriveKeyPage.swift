import Identicons
import Navigator
import SignerCore

/// The path of a new key.
extension Pages {
    func deriveKey(_ data: DeriveKeyData) -> Content {
        let make = Message.core([
            CoreCall(.goForward, .field("path"), needs: [Self.pathNeed, Self.withoutPassword])
        ])
        let password = Field(
            "new-password", label: "Password", kind: .secret(.password),
            hint: "The key is lost without it: nothing of it is stored.", enter: confirming)
        var body: [Block] = [
            .group(
                title: nil,
                [
                    .fact("seed", "Key set", is: "\(data.seed)"),
                    .fact("network", "Network", is: "\(data.network.title)"),
                ]),
            .field(
                Field(
                    "path", label: "Path", kind: .path(data.suggestion),
                    hint: "As //hard or /soft, and no password: that goes below.", enter: make)),
            .text("A path that is free: " + Text(path: data.suggestion)),
        ]
        if let there = data.collision {
            body.append(
                .group(
                    title: "This key is there already",
                    [
                        Row(
                            id: "collision", picture: .identicon(Identicon(of: there)), title: Text(path: there.path),
                            value: Text(address: there.address), marks: marks(of: there), emphasis: .title)
                    ]))
        }
        body.append(
            .fold(
                title: "With a password",
                [
                    .field(password),
                    .buttons([
                        Control(
                            "make-with-password", label: "Go on with this password", icon: .password, does: confirming)
                    ]),
                ]))
        return Content(
            body: body, bar: [Control("make", label: "Make the key", icon: .check, style: .suggested, does: make)])
    }

    private var confirming: Message {
        .core([CoreCall(.checkPassword, .passwordedPath("path"), secret: "new-password", needs: [Self.pathNeed])])
    }

    /// A password in the path would stand there to be read, and what is typed as the password would count for nothing.
    private static let pathNeed = CoreCall.Need(
        .isPlainPath("path"),
        otherwise:
            "A path ends with a name, and has no password: open \"With a password\" below, and type it there."
    )

    private static let withoutPassword = CoreCall.Need(
        .isEmpty("new-password"),
        otherwise:
            """
            A password is typed, and this would make the key without it. Press "Go on with this password", or delete \
            it.
            """
    )

    func passwordConfirm(_ data: PasswordConfirmData) -> Page.Sheet {
        // Three slashes, and what is behind them comes as the secret.
        let make = Message.send(.goForward, .text(data.path + "///"), secret: "password-again")
        return Page.Sheet(
            title: "The password once more",
            body: [
                .group(
                    title: nil,
                    [.fact("seed", "Key set", is: "\(data.seed)"), .fact("path", "Path", is: Text(path: data.path))]),
                .field(
                    Field(
                        "password-again", label: "The same password", kind: .secret(.password),
                        hint: "A slip of the finger would make another key.", enter: make)),
            ],
            bar: [Control("make", label: "Make the key", icon: .check, style: .suggested, does: make)],
            close: closing)
    }
}
