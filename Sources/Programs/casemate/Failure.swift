import Airgap
import Console
import InstalledSigner
import MainKey
import QRCode
import Signer
import SplitBackup
import Substrate

/// What goes wrong on the way to the libraries, in words that say the next step.
enum Failure: Error {
    case noPayload
    case notHex
    case picture(path: String, reason: String)
    case noQRCode(path: String)
    case severalQRCodes(path: String, count: Int)
    case notSignable(reason: String)
    case dangerNotConfirmed([String])
    case tokenUnknown(network: String)
    case notATransaction
    case folderTaken(path: String)
    case notAnExport
    case notAnUpdate
    case metadataHashDiffers(found: String, wanted: String)
    case proofRefused(path: String, MetadataProofError)
    case metadataFile(path: String, reason: String)
    case notADigest
    case addressOfSeveralNetworks(String, networks: [String])
    case noVigil
    case userShared
    /// What was scanned is a share, and a payload was asked for.
    case shareOfABackup
    case noShare
    /// Shares have a title, as it is shown, that cannot be the seed's name, and no other was given.
    case titleIsNoName(String)
    case noPlaceForShares
    case shareFileExists(path: String)
    /// The person stopped while shares were shown.
    case sharesNotSeen(last: Int, total: Int)
    case notStarted(command: String, reason: String)
    /// A file of JSON is no JSON, or holds something else.
    case json(path: String, place: String, reason: String)
    case demo(String)
    /// Lines of the self check that failed, by their codes.
    case selfCheck([String])
}

extension Failure: CustomStringConvertible {
    var description: String {
        switch self {
        case .noPayload: "There is no payload. Give one with --hex, --file or --qr, or on standard input."
        case .notHex: "The payload is not hex: an even number of the digits 0-9 and a-f is expected."
        case .picture(let path, let reason): "\(path): \(reason)"
        case .noQRCode(let path):
            "No QR code was found in \(path). Take the picture closer, straighter and sharp, with the whole code in it."
        case .severalQRCodes(let path, let count):
            "There are \(count) different QR codes in \(path). Show one at a time."
        case .notSignable(let reason): "This cannot be signed. \(reason)"
        case .dangerNotConfirmed(let rules):
            "This is dangerous (\(rules.joined(separator: ", "))) and was not confirmed: type what is asked for, or give it with "
                + "--confirm. Nothing was signed."
        case .tokenUnknown(let network):
            "This vault knows no network named \(network), so decimals and symbol of its token are not known. Give them: --decimals 12 "
                + "--unit UNIT"
        case .notAnExport: "The payload is no export of derived keys."
        case .notAnUpdate: "The payload is no update of networks, metadata or types. Look at it with: casemate inspect"
        case .notATransaction: "The payload is no single transaction, so there is nothing to prove."
        case .proofRefused(let path, let error): "\(path) is no proof that can be trusted: \(error)."
        case .metadataFile(let path, let reason): "\(path) cannot be used: \(reason)."
        case .metadataHashDiffers(let found, let wanted):
            "The proof amounts to the metadata hash \(found), and not to \(wanted), with which it was compared."
        case .notADigest: "A metadata hash is 64 hex digits, as 'casemate metadata digest' prints it."
        case .addressOfSeveralNetworks(let address, let networks):
            "\(address) is the address of a key in several networks. Say which is meant: "
                + networks.map { "--network \($0)" }.joined(separator: " or ")
        case .noVigil:
            "No validator is installed with this program: there is no etc/vigil-app.json beside its bin/, and CASEMATE_VIGIL names none. "
                + "Install it with: make install-signed; of Debian's packages: casemate-vigil-user add NAME"
        case .userShared:
            "Vault and validator run as one user, and nobody was there to say yes. Nothing was bound. Install the validator as root, which "
                + "gives it a user of its own, or add --shared-user."
        case .shareOfABackup:
            "This code is a share of a split backup and asks for no signature. Recover the seed with: casemate seed join"
        case .noShare: "No share of a split backup was found. Nothing was stored. Scan one, or give a picture of one."
        case .titleIsNoName(let title):
            "The title of these shares, \(title), cannot be a seed's name, and nothing was stored. Give one: --name NAME"
        case .noPlaceForShares:
            "Shares are to be shown and there is no terminal to show them on. Have them written as pictures: --out FOLDER"
        case .shareFileExists(let path):
            "\(path) is there already, and shares never take the place of a file. Nothing was split. Name another folder, or move it."
        case .sharesNotSeen(let last, let total):
            "Stopped before all was seen: \(last) of \(total) shares were. Destroy what you have of them, and split again when you want to."
        case .selfCheck(let codes):
            "The self check failed: \(codes.joined(separator: ", ")). Read these lines, and use the vault for nothing before you know why."
        case .notStarted(let command, let reason):
            "\(command) cannot be started: \(reason). Give its whole path: PATH is not looked at."
        case .json(let path, let place, let reason):
            "\(path) cannot be used: \(place.isEmpty ? "" : "at \(place): ")\(reason)"
        case .folderTaken(let path):
            "\(path) holds something else already, and nothing was made. Name another folder: --vault FOLDER"
        case .demo(let reason): "The demonstration stopped: \(reason)"
        }
    }
}

extension Failure {
    /// Runs what reads JSON; says of what does not decode where it stands.
    static func explainingJSON<R>(of path: String, _ read: () throws -> R) throws -> R {
        do { return try read() } catch let error as Swift.DecodingError {
            let context =
                switch error {
                case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
                    .dataCorrupted(let context):
                    context
                @unknown default: Swift.DecodingError.Context(codingPath: [], debugDescription: "\(error)")
                }
            throw Failure.json(
                path: path,
                place: context.codingPath.map { key in key.intValue.map(String.init) ?? key.stringValue }.joined(
                    separator: "."),
                reason: context.debugDescription)
        }
    }
}

/// The exit codes of the program, as `casemate --help` lists them.
enum ExitStatus: Int32, NamedStatus, CaseIterable {
    case failure = 1
    case payloadRefused = 2
    case notSignable = 3
    case declined = 4
    case dangerNotConfirmed = 5
    case proofRefused = 6
    case wrongCredential = 10
    case wrongPassword = 11
    case unknownNetwork = 12
    case metadataMissing = 13
    case noVault = 14
    case damaged = 15
    case notFound = 16
    case pictureUnreadable = 17
    case notVouched = 18
    case noPictureReader = 19
    case networkNotSafe = 20
    case selfCheckFailed = 21
    case notIsolated = 22

    static let help = """
        0 done · 1 failed · 2 payload refused · 3 can be read, not signed · 4 declined · 5 danger not confirmed · 6 \
        metadata proof refused · 10 wrong PIN or recovery code, or no attempt allowed now · 11 wrong password or \
        passphrase · 12 unknown network · 13 metadata missing or of another version · 14 no vault · 15 damaged data · \
        16 no such seed, key, network, contact or entry of the log · 17 no QR code in the picture · 18 the validator \
        does not vouch for this program · 19 no picture reader, or no sandbox for it · 20 the machine is, or was, \
        connected to a network · 21 the self check failed · 22 no network namespace to be had, or the PROGRAM after \
        isolated not started · 64 wrong usage
        """

    init(_ error: any Error) {
        self =
            switch error {
            case let error as Failure: Self(error)
            case let error as InstallationError: Self(error)
            case let error as NetworkGate.Refusal: error.hasNothingToAcknowledge ? .failure : .networkNotSafe
            case is NetworkGate.StaleAcknowledgement: .networkNotSafe
            case let error as InteractionError: Self(error)
            case let error as RefusedPayload: Self(error)
            case let error as SignerError: Self(error)
            case let refusal as VigilRefusal: Self(SignerError.vigil(refusal))
            case let error as MainKeyError: Self(error)
            case let error as ShareError: Self(error)
            case is TransferError, is PayloadError: .payloadRefused
            case is QRReaderError: .pictureUnreadable
            default: .failure
            }
    }

    private init(_ failure: Failure) {
        self =
            switch failure {
            case .notHex, .noPayload, .notATransaction, .notAnExport, .notAnUpdate, .shareOfABackup:
                .payloadRefused
            case .metadataHashDiffers, .proofRefused: .proofRefused
            case .picture, .noQRCode, .severalQRCodes, .noShare: .pictureUnreadable
            case .notSignable: .notSignable
            case .dangerNotConfirmed: .dangerNotConfirmed
            case .userShared, .sharesNotSeen: .declined
            case .notStarted: .notIsolated
            case .noVigil: .notVouched
            case .selfCheck: .selfCheckFailed
            default: .failure
            }
    }

    private init(_ error: InstallationError) {
        self =
            switch error {
            case .unreadableCodes: .pictureUnreadable
            case .pictureReader: .noPictureReader
            case .notProvisioned: .notVouched
            case .notIsolated: .notIsolated
            case .notHardened: .failure
            }
    }

    private init(_ error: ShareError) {
        self =
            switch error {
            case .decodingFailed: .wrongPassword
            case .confirmationMismatch: .declined
            case .splitLimits, .memory: .failure
            default: .payloadRefused
            }
    }

    private init(_ error: InteractionError) {
        self = error == .cancelled || error == .declined ? .declined : .failure
    }

    private init(_ refused: RefusedPayload) {
        self =
            switch refused {
            case .unknownNetwork, .networkForImport: .unknownNetwork
            case .noMetadata, .metadata: .metadataMissing
            case .noSeedFound: .notFound
            case .bulkMember(_, let refused): Self(refused)
            case .allExtensionsParsingFailed(_, let attempts) where attempts.allSatisfy(\.isVersion): .metadataMissing
            default: .payloadRefused
            }
    }

    private init(_ error: MainKeyError) {
        self =
            switch error {
            case .wrongCredential, .throttled, .attemptsExhausted, .noSuchSlot, .hardwareLockout: .wrongCredential
            case .tampered, .rolledBack, .badMagic, .malformed, .truncated, .unsupportedVersion: .damaged
            default: .failure
            }
    }

    private init(_ error: SignerError) {
        self =
            switch error {
            case .vaultKey(let error): Self(error)
            case .wrongPassword, .wrongKeyPassword: .wrongPassword
            case .wrongRecoveryCode: .wrongCredential
            case .riskNotConfirmed: .dangerNotConfirmed
            case .vigil(.wrongPIN): .wrongCredential
            case .vigil(.recordDamaged), .vigil(.bindingDiffers): .damaged
            case .vigil(.noVerdict), .vigil(.noValidator), .vigil(.otherValidator), .vigil(.notProvisioned),
                .vigil(.noGrant):
                .notVouched
            case .dbNotInitialized: .noVault
            case .databaseDamaged, .dbSchemaMismatch, .logDiffers: .damaged
            case .seedNotFound, .keyNotFound, .networkNotFound, .contactNotFound, .historyEntryNotFound,
                .metadataNotFound, .typesNotFound:
                .notFound
            default: .failure
            }
    }
}

extension RefusedPayload.Attempt {
    /// Whether the version is all that does not fit.
    fileprivate var isVersion: Bool {
        if case .wrongNetworkVersion = error { true } else { false }
    }
}
