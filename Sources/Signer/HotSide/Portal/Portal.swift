import Files
import Substrate

/// What a metadata portal offers: the updates of networks as films, for the signers of those who trust its verifier.
///
///     let portal = Portal(title: "Updates of Example", verifier: key, networks: [polkadot])
///     try portal.write(to: "/srv/portal")
package struct Portal: Hashable, Sendable {
    /// What stands above all pages.
    package var title: String
    /// Whose signature the films carry; nil if they carry none.
    package var verifier: MultiSigner?
    /// The networks, in the order in which they are shown.
    package var networks: [Network]

    /// - Parameters:
    ///   - title: what stands above all pages.
    ///   - verifier: whose signature the films carry; nil if they carry none.
    ///   - networks: in the order in which they are shown.
    package init(title: String, verifier: MultiSigner?, networks: [Network]) {
        self.title = title
        self.verifier = verifier
        self.networks = networks
    }

    /// A network, and what is offered of it.
    package struct Network: Hashable, Sendable {
        /// The network's record.
        package var specs: NetworkSpecs
        /// Versions of the runtime of which there are metadata.
        package var versions: [UInt32]
        /// Its films, in the order in which they are shown.
        package var films: [Film]

        /// - Parameters:
        ///   - specs: the network's record.
        ///   - versions: of the runtime, of which there are metadata.
        ///   - films: in the order in which they are shown.
        package init(specs: NetworkSpecs, versions: [UInt32], films: [Film]) {
            self.specs = specs
            self.versions = versions
            self.films = films
        }
    }

    /// An update as a picture that moves.
    package struct Film: Hashable, Sendable {
        /// What the update brings.
        package var content: Content
        /// Where it is: PNG or animated PNG, at most ``byteLimit``.
        package var file: FilePath

        /// Bytes of a film's file.
        package static let byteLimit = 64 << 20

        /// - Parameters:
        ///   - content: what the update brings.
        ///   - file: where it is.
        package init(_ content: Content, file: FilePath) {
            self.content = content
            self.file = file
        }
    }

    /// What an update brings.
    package enum Content: Hashable, Sendable {
        /// The network itself, by a record that may be another than the page's: each scheme has one.
        case specs(NetworkSpecs)
        /// Metadata of a version of its runtime.
        case metadata(version: UInt32)
        /// The types of old networks.
        case types
    }
}

/// Why a portal is not written.
package enum PortalError: Error, Hashable, Sendable {
    /// A film cannot be read, or the folder not be written.
    case file(FileError)
    /// A film that is no PNG.
    case noPicture(path: String)
    /// There is nothing to offer.
    case noNetworks
}

extension PortalError: CustomStringConvertible {
    /// What happened, and what to do.
    package var description: String {
        switch self {
        case .file(let error): "\(error)"
        case .noPicture(let path):
            "\(path) is no PNG. Give the films that make and sign write as pictures, not their text."
        case .noNetworks: "A portal without networks offers nothing. Name the networks whose updates it is to show."
        }
    }
}
