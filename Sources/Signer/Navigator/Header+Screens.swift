extension Header {
    /// The header of a screen, as far as that is all that it depends on.
    ///
    /// Source: `signer-product` section 6.3.
    static func fixed(_ screen: Screen) -> Header {
        switch screen {
        case .nowhere: Header(label: "", hasBack: false, hasFooter: false, root: nil, right: nil, title: .large)
        case .seedSelector:
            Header(label: "Select seed", hasBack: false, hasFooter: true, root: .keys, right: .newSeed, title: .large)
        case .keys:
            Header(label: "", hasBack: true, hasFooter: true, root: .keys, right: nil, title: .small)
        case .keyDetails:
            Header(label: "", hasBack: true, hasFooter: false, root: .keys, right: .keyMenu, title: .small)
        case .keyDetailsMulti:
            Header(label: "Key", hasBack: true, hasFooter: false, root: .keys, right: .keyMenu, title: .small)
        case .newSeed:
            Header(label: "New Seed", hasBack: true, hasFooter: false, root: .keys, right: nil, title: .large)
        case .recoverSeedName:
            Header(label: "Recover Seed", hasBack: true, hasFooter: false, root: .keys, right: nil, title: .large)
        case .recoverSeedPhrase:
            Header(label: "Recover Seed", hasBack: true, hasFooter: false, root: .keys, right: nil, title: .large)
        case .deriveKey:
            Header(label: "Derive Key", hasBack: true, hasFooter: false, root: .keys, right: nil, title: .large)
        case .scan:
            Header(label: "", hasBack: false, hasFooter: true, root: .scan, right: nil, title: .large)
        case .transaction:
            Header(label: "", hasBack: true, hasFooter: false, root: .scan, right: nil, title: .large)
        case .log:
            Header(label: "", hasBack: false, hasFooter: true, root: .log, right: .logRight, title: .small)
        case .logDetails:
            Header(label: "Event details", hasBack: true, hasFooter: true, root: .log, right: nil, title: .small)
        case .settings:
            Header(label: "", hasBack: false, hasFooter: true, root: .settings, right: nil, title: .small)
        case .verifier:
            Header(
                label: "VERIFIER CERTIFICATE", hasBack: true, hasFooter: false, root: .settings, right: nil,
                title: .small)
        case .manageNetworks:
            Header(
                label: "MANAGE NETWORKS", hasBack: true, hasFooter: false, root: .settings, right: .typesInfo,
                title: .small)
        case .networkDetails:
            Header(
                label: "Network details", hasBack: true, hasFooter: false, root: .settings, right: .networkMenu,
                title: .small)
        case .selectSeedForBackup:
            Header(
                label: "Select seed", hasBack: true, hasFooter: false, root: .settings, right: .backup, title: .small)
        case .signSufficientCrypto:
            Header(
                label: "Sign SufficientCrypto", hasBack: true, hasFooter: false, root: .settings, right: nil,
                title: .large)
        case .documents:
            Header(label: "ABOUT", hasBack: true, hasFooter: false, root: .settings, right: nil, title: .small)
        case .airgapCheck:
            Header(label: "Before you start", hasBack: false, hasFooter: false, root: nil, right: nil, title: .large)
        case .unlock:
            Header(label: "Unlock", hasBack: false, hasFooter: false, root: nil, right: nil, title: .large)
        case .splitRecover:
            Header(
                label: "Recover from shards", hasBack: true, hasFooter: false, root: .keys, right: nil, title: .large)
        case .splitExport:
            Header(label: "Split backup", hasBack: true, hasFooter: false, root: .keys, right: nil, title: .large)
        case .keySetExport:
            Header(label: "Export key sets", hasBack: true, hasFooter: false, root: .keys, right: nil, title: .small)
        case .addressBook:
            Header(
                label: "Address book", hasBack: true, hasFooter: false, root: .settings, right: .newContact,
                title: .small)
        case .contactDetails:
            Header(
                label: "Contact", hasBack: true, hasFooter: false, root: .settings, right: .contactMenu, title: .small)
        case .protection:
            Header(label: "Protection", hasBack: true, hasFooter: false, root: .settings, right: nil, title: .small)
        case .keyPreview:
            Header(
                label: "Keys in other wallets", hasBack: true, hasFooter: false, root: .keys, right: nil, title: .small)
        case .selfCheck:
            Header(label: "Self check", hasBack: true, hasFooter: false, root: .settings, right: nil, title: .small)
        case .metadataFiles:
            Header(label: "Metadata files", hasBack: true, hasFooter: false, root: .settings, right: nil, title: .small)
        case .networkPolicy:
            Header(label: "Network policy", hasBack: true, hasFooter: false, root: .settings, right: nil, title: .small)
        }
    }
}
