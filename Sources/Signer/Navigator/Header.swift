/// The frame of a screen: its label and its buttons.
///
/// Source: `signer-product` section 6.3.
package struct Header: Hashable, Sendable {
    /// A button of the footer, which leads to the first screen of a part.
    package enum Root: String, Sendable {
        /// The log.
        case log = "Log"
        /// The camera.
        case scan = "Scan"
        /// The seeds.
        case keys = "Keys"
        /// The settings.
        case settings = "Settings"
    }

    /// What the button on the right stands for.
    package enum RightButton: String, Sendable {
        /// A new seed.
        case newSeed = "NewSeed"
        /// The backup of a seed, and more that is done with it.
        case backup = "Backup"
        /// The selection of several keys.
        case multiSelect = "MultiSelect"
        /// What can be done with a key.
        case keyMenu = "KeyMenu"
        /// The checksum of the log, and what can be done with it.
        case logRight = "LogRight"
        /// The types.
        case typesInfo = "TypesInfo"
        /// What can be done with a network.
        case networkMenu = "NDMenu"
        /// A new contact.
        case newContact = "NewContact"
        /// What can be done with a contact.
        case contactMenu = "ContactMenu"
    }

    /// How large the label is.
    package enum Title: String, Sendable {
        /// The largest.
        case large = "H1"
        /// Small.
        case small = "H4"
    }

    /// The title that stands in the bar above the page.
    package var label: String
    /// Whether there is a way back.
    package var hasBack: Bool
    /// Whether the footer is shown.
    package var hasFooter: Bool
    /// The button of the footer that is highlighted, also where the footer is hidden.
    package var root: Root?
    /// What the button on the right stands for; nil for none.
    package var right: RightButton?
    /// How large the label is.
    package var title: Title
}

extension Header {
    /// The header of a position.
    ///
    /// - Parameters:
    ///   - position: where the person is.
    ///   - isSelecting: whether several keys are being selected.
    ///   - isSeedKey: whether the key that is shown is that of a seed itself, without a path.
    package init(of position: Position, isSelecting: Bool, isSeedKey: Bool) {
        self = .fixed(position.screen)
        switch position.screen {
        case .keys where position.modal != .backup: right = isSelecting ? .multiSelect : .backup
        case .keyDetails: label = isSeedKey ? "Seed Key" : "Derived Key"
        default: break
        }
    }
}

extension Screen {
    /// Whether the footer is shown, whose buttons lead away.
    package var hasFooter: Bool { Header.fixed(self).hasFooter }
}
