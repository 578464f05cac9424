import ArgumentParser
import Files
import InstalledSigner
import Signer
import SignerCore
import Substrate
import TextForms

/// A metadata file on the command line.
struct MetadataFile: ParsableArguments {
    @Argument(help: "Raw metadata, a file that begins with 'meta'.", completion: .file())
    var input: String

    func blob() throws -> [UInt8] { try Self.contents(of: input) }

    /// Metadata from version 14 on, whose types can be described one by one.
    func runtimeMetadata() throws -> RuntimeMetadata {
        let blob = try blob()
        return try named { try RuntimeMetadata(blob) }
    }

    /// Runs `body`, and puts the file's name in front of what is wrong with the metadata in it.
    func named<R>(_ body: () throws -> R) throws -> R {
        do { return try body() } catch let error as MetadataError {
            throw Failure.metadataFile(path: input, reason: "\(error)")
        } catch let error as MerkleizationError {
            throw Failure.metadataFile(path: input, reason: "\(error)")
        }
    }

    /// A file of at most the size of the largest metadata.
    static func contents(of path: String) throws -> [UInt8] {
        try InputFile.content(of: FilePath(path), limit: MetadataLimits.blobByteCount)
    }
}

/// What a metadata hash says beside the types: from options, or from the network record of the metadata's name.
struct ExtraInfoOptions: ParsableArguments {
    @Option(help: "Decimal places of the token. Default: those of the network with the metadata's name.")
    var decimals: UInt8?

    @Option(help: "Symbol of the token. Default: that of the network with the metadata's name.")
    var unit: String?

    @Option(help: "Address prefix. Default: the one that the metadata state, or the network's.")
    var prefix: UInt16?

    @OptionGroup var vault: VaultFolderOptions

    func extraInfo(_ metadata: RuntimeMetadata) throws -> MetadataExtraInfo {
        guard let info = try knownExtraInfo(metadata) else {
            throw Failure.tokenUnknown(network: metadata.specName)
        }
        return info
    }

    /// - Returns: nil where neither options nor a network tell the token.
    func knownExtraInfo(_ metadata: RuntimeMetadata) throws -> MetadataExtraInfo? {
        let token = TokenOverride(decimals: decimals, unit: unit, prefix: prefix)
        return try Network.opened(vault).extraInfo(of: metadata, token)
    }
}

extension MetadataHash.Token {
    var text: String {
        "\(ScreenText.escape(specName))\(specVersion), prefix \(prefix), \(decimals) decimals, token \(ScreenText.escape(unit))"
    }
}
