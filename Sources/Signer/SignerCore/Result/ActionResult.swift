import Navigator

/// All that a page needs to be drawn: the frame, the screen, what lies over it, and the alert over both.
///
/// As JSON it holds no secret, unless its encoder is told to reveal them.
///
/// Source: `signer-product` section 6.1.
package struct ActionResult: Sendable {
    /// The label and the buttons.
    package var header: Header
    /// Where the person is.
    package var position: Position
    /// What the screen shows.
    package var screen: ScreenData
    /// What lies over the screen.
    package var modal: ModalData?
    /// What has to be dismissed first.
    package var alert: AlertData?
    /// The rule that led here; nil if the action was ignored or failed.
    package var rule: String?
    /// What the network detector says; always in sight, and in the JSON only where a screen is about it.
    package var detector: DetectorView
    /// The key sets that can be gone to where there is a footer; in the JSON only where a screen is about them.
    package var keySets: [SeedSelectorData.Card]

    /// The page of a state.
    init(of state: CoreState, host: any CoreHost, detector: DetectorView, rule: String?) throws {
        let pages = PageMaker(state: state, host: host, detector: detector)
        position = state.position
        screen = try pages.screen()
        modal = try pages.modal()
        alert = pages.alert()
        header = Header(of: position, isSelecting: pages.isSelecting, isSeedKey: try pages.isSeedKey())
        keySets = header.hasFooter ? pages.keySets(on: screen) : []
        self.rule = rule
        self.detector = detector
    }

    /// Nothing but an alert, where a page could not be made.
    init(brokenBy failure: CoreFailure, detector: DetectorView, rule: String?) {
        position = .broken
        screen = .nowhere
        alert = .error(failure)
        header = Header(of: .broken, isSelecting: false, isSeedKey: false)
        keySets = []
        self.rule = rule
        self.detector = detector
    }
}

extension ActionResult: Encodable {
    private enum Key: String, CodingKey {
        case label, back, footer, footerButton, rightButton, nameType, screen, screenData, modal, modalData, alert
        case alertData, rule
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(header.label, forKey: .label)
        try container.encode(header.hasBack, forKey: .back)
        try container.encode(header.hasFooter, forKey: .footer)
        try container.encodeIfPresent(header.root?.rawValue, forKey: .footerButton)
        try container.encodeIfPresent(header.right?.rawValue, forKey: .rightButton)
        try container.encode(header.title.rawValue, forKey: .nameType)
        try container.encode(position.screen.rawValue, forKey: .screen)
        try container.encode(screen, forKey: .screenData)
        try container.encodeIfPresent(position.modal?.rawValue, forKey: .modal)
        try container.encodeIfPresent(modal, forKey: .modalData)
        try container.encodeIfPresent(position.alert?.rawValue, forKey: .alert)
        try container.encodeIfPresent(alert, forKey: .alertData)
        try container.encodeIfPresent(rule, forKey: .rule)
    }
}
