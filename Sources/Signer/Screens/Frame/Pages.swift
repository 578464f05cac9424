import Navigator
import SignerCore

/// Makes pages of what the core says after an action.
///
///     var pages = Pages(vault: "savings")
///     let result = try core.action(.start)
///     pages.remember(result)
///     draw(pages.page(of: result))
///
/// It decides nothing and keeps nothing of what is in the vault.
package struct Pages: Sendable {
    /// The name of the vault.
    package var vault: Text
    /// Whether other programs can see the window, as on X11.
    package var isSeenByOthers: Bool
    /// Whether a person has to show something to open the vault.
    package var asksPerson: Bool
    /// What there is to say of the program itself: its version and digests.
    package var program: [SelfCheckLine]
    /// What closing the window ends, where the settings have to offer it; nil where the window has a button for it.
    package var wayOut: WayOut?

    package init(
        vault: String, isSeenByOthers: Bool = false, asksPerson: Bool = true, program: [SelfCheckLine] = [],
        wayOut: WayOut? = nil
    ) {
        self.vault = Text(name: vault)
        (self.isSeenByOthers, self.asksPerson, self.program) = (isSeenByOthers, asksPerson, program)
        self.wayOut = wayOut
    }

    /// What ends when the window of a whole screen is closed.
    package enum WayOut: Sendable {
        case program
        /// The system is there for the window alone, and switches the machine off.
        case machine
    }

    /// Takes note of whether a person has to show something, where that is told.
    package mutating func remember(_ result: ActionResult) {
        if case .protection(let data) = result.screen { asksPerson = data.takesPIN }
        if case .confirmProtection(let data) = result.modal, data.isSetUp { asksPerson = !data.isOpen }
    }

    /// The page of a result.
    package func page(of result: ActionResult) -> Page {
        let content = content(of: result)
        var page = Page(
            position: result.position, title: content.title ?? Text(own: result.header.label), vault: vault,
            shield: shield(result.detector))
        page.back = result.header.hasBack ? Control("back", label: "Back", icon: .back, does: .send(.goBack)) : nil
        page.menu = content.menu
        page.parts = parts(result.header)
        page.side = result.keySets.map(sideRow(of:))
        (page.body, page.bar, page.mustBeRead) = (content.body, content.bar, content.mustBeRead)
        page.sheet = result.modal.map { sheet($0, over: result) }
        page.alert = result.alert.map { alert($0, of: result.position) }
        return page
    }

    /// What a screen gives to its page.
    struct Content {
        /// In the place of the label.
        var title: Text?
        var menu: Control?
        var body: [Block] = []
        var bar: [Control] = []
        var mustBeRead = false
    }

    private func content(of result: ActionResult) -> Content {
        switch result.screen {
        case .nowhere: Content(title: "Nothing to show")
        case .seedSelector(let data): seedSelector(data)
        case .keys(let data): keys(data)
        case .keyDetails(let data): keyDetails(data)
        case .keyDetailsMulti(let data): keyDetailsMulti(data)
        case .newSeed(let data): newSeed(data)
        case .recoverSeedName(let data): recoverSeedName(data)
        case .recoverSeedPhrase(let data): recoverSeedPhrase(data)
        case .deriveKey(let data): deriveKey(data)
        case .scan: scan
        case .transaction(let data): transaction(data)
        case .log(let data): log(data)
        case .logDetails(let data): logDetails(data)
        case .settings(let data): settings(data)
        case .verifier(let data): verifier(data)
        case .manageNetworks(let data): manageNetworks(data)
        case .networkDetails(let data): networkDetails(data)
        case .selectSeedForBackup(let data): selectSeedForBackup(data)
        case .signSufficientCrypto(let data): signContent(data)
        case .documents: documents
        case .airgapCheck(let data): airgapCheck(data)
        case .unlock(let data): unlock(data)
        case .splitRecover(let data): splitRecover(data)
        case .splitExport(let data): splitExport(data)
        case .keySetExport(let data): keySetExport(data)
        case .addressBook(let data): addressBook(data)
        case .contactDetails(let data): contactDetails(data)
        case .selfCheck(let data): selfCheck(data)
        case .networkPolicy(let data): networkPolicy(data)
        case .metadataFiles(let data): metadataFiles(data)
        case .protection(let data): protection(data)
        case .keyPreview(let data): keyPreview(data)
        }
    }

    private func sheet(_ modal: ModalData, over result: ActionResult) -> Page.Sheet {
        switch modal {
        case .backup(let data): backup(data)
        case .newSeedMenu: newSeedMenu
        case .newSeedBackup(let data): newSeedBackup(data)
        case .seedMenu(let data): seedMenu(data)
        case .networkSelector(let data): networkSelector(data)
        case .passwordConfirm(let data): passwordConfirm(data)
        case .signatureReady(let code): signatureReady(code, of: result.screen)
        case .enterPassword(let data): enterPassword(data)
        case .logComment: logComment
        case .logRight(let data): logRight(data)
        case .networkDetailsMenu: networkDetailsMenu(result.screen)
        case .manageMetadata(let data): manageMetadata(data)
        case .sufficientCryptoReady(let data): contentReady(data)
        case .keyDetailsAction: keyDetailsAction(result.screen)
        case .typesInfo(let data): typesInfo(data)
        case .selectSeed(let data): selectSeed(data)
        case .confirmRisk(let data): confirmRisk(data)
        case .confirmTyped(let data): confirmTyped(data)
        case .dynamicReady(let code): dynamicReady(code)
        case .splitShard(let data): splitShard(data)
        case .splitPassphrase(let data): splitPassphrase(data)
        case .exportSecret(let data): exportSecret(data)
        case .contactEdit(let data): contactEdit(data)
        case .madeFile(let data): madeFile(data)
        case .seedRename(let data): seedRename(data)
        case .recoveryCode(let data): recoveryCode(data)
        case .confirmProtection(let data): confirmProtection(data)
        }
    }

    private func alert(_ alert: AlertData, of position: Position) -> Page.AlertBox {
        switch alert {
        case .error(let failure): errorAlert(failure, isBroken: position.alert == .errorDisplay)
        case .shield(let data): shieldAlert(data)
        }
    }
}
