import Files
import Substrate

/// What a metadata portal offers: the updates of networks as films, for the signers of those who trust its verifier.
///
///     let portal = Portal(title: "Updates of Example", verifier: key, networks: [polkadot])
///     try portal.write(to: "/srv/portal")
public struct Portal: Hashable, Sendable {
    /// What stands above all pages.
    public var title: String
    /// Whose signature the films carry; nil if they carry none.
    public var verifier: MultiSigner?
    /// The networks, in the order in which they are shown.
    public var networks: [Network]

    /// - Parameters:
    ///   - title: what stands above all pages.
    ///   - verifier: whose signature the films carry; nil if they carry none.
    ///   - networks: in the order in which they are shown.
    public init(title: String, verifier: MultiSigner?, networks: [Network]) {
        self.title = title
        self.verifier = verifier
        self.networks = networks
    }

    /// A network, and what is offered of it.
    public struct Network: Hashable, Sendable {
        /// The network's record.
        public var specs: NetworkSpecs
        /// Versions of the runtime of which there are metadata.
        public var versions: [UInt32]
        /// Its films, in the order in which they are shown.
        public var films: [Film]

        /// - Parameters:
        ///   - specs: the network's record.
        ///   - versions: of the runtime, of which there are metadata.
        ///   - films: in the order in which they are shown.
        public init(specs: NetworkSpecs, versions: [UInt32], films: [Film]) {
            self.specs = specs
            self.versions = versions
            self.films = films
        }
    }

    /// An update as a picture that moves.
    public struct Film: Hashable, Sendable {
        /// What the update brings.
        public var content: Content
        /// Where it is: PNG or animated PNG, at most ``byteLimit``.
        public var file: FilePath

        /// Bytes of a film's file.
        public static let byteLimit = 64 << 20

        /// - Parameters:
        ///   - content: what the update brings.
        ///   - file: where it is.
        public init(_ content: Content, file: FilePath) {
            self.content = content
            self.file = file
        }
    }

    /// What an update brings.
    public enum Content: Hashable, Sendable {
        /// The network itself.
        case specs
        /// Metadata of a version of its runtime.
        case metadata(version: UInt32)
        /// The types of old networks.
        case types
    }
}

/// Why a portal is not written.
public enum PortalError: Error, Hashable, Sendable {
    /// A film cannot be read, or the folder not be written.
    case file(FileError)
    /// A film that is no PNG.
    case noPicture(path: String)
    /// There is nothing to offer.
    case noNetworks
}

extension PortalError: CustomStringConvertible {
    /// What happened, and what to do.
    public var description: String {
        switch self {
        case .file(let error): "\(error)"
        case .noPicture(let path):
            "\(path) is no PNG. Give the films that make and sign write as pictures, not their text."
        case .noNetworks: "A portal without networks offers nothing. Name the networks whose updates it is to show."
        }
    }
}
