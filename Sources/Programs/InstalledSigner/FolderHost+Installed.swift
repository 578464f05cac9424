import Console
import MainKey
import Signer
import SignerCore

extension FolderHost.Settings {
    /// How a program of this installation lives over a vault: with its validator, its reader of pictures and its checks
    /// of the machine.
    ///
    /// - Parameters:
    ///   - opening: how the vault's key is opened.
    ///   - pictures: how metadata that come compressed are expanded.
    package static func installed(
        opening: OpenOptions, pictures: PictureOptions
    ) throws -> FolderHost.Settings {
        var settings = FolderHost.Settings(opening: opening, bundle: try .shipped())
        settings.vigil = InstalledValidator.current
        settings.metadataExpander = pictures.expander
        settings.machineCheck = { InstalledMachine.lines() }
        return settings
    }
}
