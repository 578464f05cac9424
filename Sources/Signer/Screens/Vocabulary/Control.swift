import Navigator

/// A button: what it is called, how it looks, what pressing it does.
package struct Control: Hashable, Sendable {
    package enum Style: Hashable, Sendable {
        case plain, suggested
        /// What cannot be undone.
        case destructive
    }

    /// How it is pressed.
    package enum Press: Hashable, Sendable {
        case click
        /// Held for a second and a half, by pointer, space or Enter; an accessible click does not do it, typing the
        /// word does.
        case hold(typed: String)
    }

    /// Names it among its neighbours, for tests and assistive technology.
    package var id: String
    package var label: Text
    package var icon: Icon?
    package var style: Style
    package var press: Press
    package var message: Message
    /// Why it cannot be pressed; nil where it can.
    package var obstacle: Text?
    /// Whether it is there only while a scan goes on.
    package var isOfScan: Bool

    package init(
        _ id: String, label: Text, icon: Icon? = nil, style: Style = .plain, press: Press = .click,
        does message: Message, obstacle: Text? = nil, isOfScan: Bool = false
    ) {
        (self.id, self.label, self.icon, self.style) = (id, label, icon, style)
        (self.press, self.message, self.obstacle, self.isOfScan) = (press, message, obstacle, isOfScan)
    }
}

/// What a control asks for.
package enum Message: Hashable, Sendable {
    /// Actions of the core, in order; what follows one that fails is not done.
    case core([CoreCall])
    /// Something that the window does by itself.
    case window(WindowCall)

    /// One action without anything else.
    package static func send(_ action: UserAction, _ data: CoreCall.Data = .none) -> Message {
        .core([CoreCall(action, data)])
    }

    /// One action with a secret from a field.
    package static func send(_ action: UserAction, _ data: CoreCall.Data = .none, secret: Field.ID) -> Message {
        .core([CoreCall(action, data, secret: secret)])
    }
}

/// An action of the core with what it takes.
package struct CoreCall: Hashable, Sendable {
    /// Where the data of an action come from.
    package enum Data: Hashable, Sendable {
        case none
        /// As they are: a key, a name, a number.
        case text(String)
        /// What stands in a field.
        case field(Field.ID)
        /// What stands in a field, which is empty afterwards: what confirms a danger is typed anew each time.
        case taken(Field.ID)
        /// `true` or `false`.
        case toggle(Field.ID)
        /// The payload whose hex stands in a field.
        case payload(Field.ID)
        /// What stands in fields, with commas between.
        case list([Field.ID])
        /// The path in a field with three slashes behind it: its password is the secret.
        case passwordedPath(Field.ID)
        /// A JSON object: what stands in fields, by member, beside lists of what is known and of what is chosen.
        case object([String: Field.ID], known: [String: [String]] = [:], chosen: [String: [Choice]] = [:])
    }

    /// What is in a list where a toggle is on.
    package struct Choice: Hashable, Sendable {
        package var field: Field.ID
        package var value: String

        package init(_ field: Field.ID, value: String) { (self.field, self.value) = (field, value) }
    }

    /// What has to hold before it is done; secrets are compared where they are, in locked memory.
    package enum Condition: Hashable, Sendable {
        /// A toggle is on.
        case isOn(Field.ID)
        /// A field holds hex, and less than it can hold.
        case isPayload(Field.ID)
        /// Nothing stands in a field: what somebody typed there would be dropped.
        case isEmpty(Field.ID)
        /// A field is as the page made it: what somebody chose there would be dropped.
        case isUntouched(Field.ID, Field.Kind)
        /// A field holds a path that neither has a password nor ends where one begins.
        case isPlainPath(Field.ID)
        /// The same secret stands in two fields.
        case same(Field.ID, Field.ID)
        /// A field holds one word of a phrase that is shown, counted from 1.
        case word(Field.ID, number: Int, of: SecretWords)
    }

    /// A condition with what is said where it does not hold: then nothing is done, and no secret is taken.
    package struct Need: Hashable, Sendable {
        package var condition: Condition
        package var otherwise: Text

        package init(_ condition: Condition, otherwise: Text) {
            (self.condition, self.otherwise) = (condition, otherwise)
        }
    }

    package var action: UserAction
    package var data: Data
    /// The field whose bytes go along as the secret; they are gone from it afterwards.
    package var secret: Field.ID?
    /// Which of the secrets shown on a page goes along, by its place in ``SecretChoices``.
    package var choice: Int?
    /// The field with what opens the vault, where that is asked for beside the secret; gone from it likewise.
    package var credential: Field.ID?
    /// What has to hold before, in the order in which it is looked at.
    package var needs: [Need] = []

    package init(
        _ action: UserAction, _ data: Data = .none, secret: Field.ID? = nil, choice: Int? = nil,
        credential: Field.ID? = nil, needs: [Need] = []
    ) {
        (self.action, self.data, self.secret, self.choice) = (action, data, secret, choice)
        (self.credential, self.needs) = (credential, needs)
    }
}

/// What a window does by itself.
package enum WindowCall: Hashable, Sendable {
    /// Takes the pictures of a camera.
    case startCamera
    /// Asks for a film, a picture or a folder, and reads it.
    case openFilm
    /// Asks for a file with a payload, and reads it.
    case openPayload
    /// Asks for a file with metadata, and reads it.
    case openMetadata
    /// Asks for a file with a metadata proof, or with a payload that holds one, and reads it.
    case openProof
    /// Asks where a file goes, and writes it.
    case save(FileContent)
    /// Ends a scan and forgets what came of it.
    case stopScanning
    /// Forgets what came so far, and goes on.
    case restartScanning
    /// Closes the window, after which the program locks the vault and ends.
    case closeWindow
}

/// What a file is to hold.
package struct FileContent: Hashable, Sendable {
    /// What it is called where nobody says otherwise.
    package var name: String
    package var bytes: [UInt8]

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
