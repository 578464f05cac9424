import Substrate
import TextForms

/// Why the hot side refuses something. Nothing was written.
///
/// Names of errors are those of `signer-wire` section 8.
public enum HotSideError: Error, Sendable {
    // Database
    /// The file is no hot database.
    case noHotDatabase
    /// The database is of another version.
    case databaseOfAnotherVersion(found: UInt32, expected: UInt32)
    /// The database holds what it cannot hold.
    case databaseDamaged(reason: String)
    /// Another process writes.
    case databaseBusy(path: String)
    /// The file cannot be read or written.
    case storageUnavailable(path: String, reason: String)
    /// More than two versions of a network's metadata are stored.
    case overTwoEntries(name: String, count: Int)
    // What is asked for
    /// The combination of set flag and reference has no meaning.
    case notSupported(reason: String)
    /// No entry of the address book has the title.
    case titleNotFound(String)
    /// No entry of the address book has the network's name.
    case networkNotFound(name: String)
    /// No metadata of the network are stored.
    case metadataNotFound(name: String, version: UInt32?)
    /// No types are stored.
    case typesNotFound
    /// The address is in the address book.
    case urlInDatabase(url: String, title: String)
    /// The network is in the address book.
    case genesisInDatabase(title: String)
    /// Two networks are said to be at one address.
    case twoNamesForURL(url: String, names: [String])
    /// The network is stored just so.
    case specsInDatabase(title: String)
    /// A network of another genesis has the name.
    case nameTaken(name: String, genesis: String)
    /// A title is in use.
    case titleTaken(String)
    // Properties
    /// A rule of properties is broken.
    case properties(PropertiesFault)
    /// What a node tells of a network is not what is stored.
    case valuesChanged(what: String, old: String, new: String)
    /// No vault takes the record of the network.
    case specsMalformed(name: String, SpecsFault)
    // Metadata
    /// The bytes are no metadata.
    case metadataBroken(MetadataError)
    /// The metadata are older than the newest ones stored.
    case earlierVersion(name: String, stored: UInt32, fetched: UInt32)
    /// The metadata are others than those stored of the same version.
    case sameVersionDifferentMetadata(name: String, version: UInt32)
    /// The metadata are of another network.
    case otherNetwork(expected: String, found: String)
    /// Metadata 12 and 13 are not thinned out and packed.
    case notPackable(formatVersion: UInt8)
    // Updates
    /// The file is not what an update of the kind is made of.
    case payloadFileBroken(kind: String, reason: String)
    /// The signature is not the key's for this content.
    case badSignature
    /// A public key has another length than its scheme's.
    case publicKeyWrongLength(found: Int, expected: Int)
    /// A signature has another length than its scheme's.
    case signatureWrongLength(found: Int, expected: Int)
    /// The bytes are no record of a signature with its key.
    case sufficientCryptoBroken
    /// A key could not be made or could not sign.
    case key(KeyError)
    /// Zstandard has refused the work.
    case notCompressed(reason: String)
    // Paths
    /// A line is no derivation path, or has a password.
    case badPath(line: Int, reason: String)
}

/// A fault of the answer to `system_properties`.
public enum PropertiesFault: String, Error, CaseIterable, Sendable {
    /// The prefix is no integer that fits 16 bits.
    case base58PrefixFormatNotSupported = "Base58PrefixFormatNotSupported"
    /// Nobody states a prefix.
    case noBase58Prefix = "NoBase58Prefix"
    /// The metadata state another prefix.
    case base58PrefixMismatch = "Base58PrefixMismatch"
    /// The decimals are neither an integer below 256 nor a list of such.
    case decimalsFormatNotSupported = "DecimalsFormatNotSupported"
    /// The symbol is neither text nor a list of texts.
    case unitFormatNotSupported = "UnitFormatNotSupported"
    /// There are decimals without a symbol.
    case decimalsNoUnit = "DecimalsNoUnit"
    /// There is a symbol without decimals.
    case unitNoDecimals = "UnitNoDecimals"
    /// There are several decimals and one symbol.
    case decimalsArrayUnitsNot = "DecimalsArrayUnitsNot"
    /// There are not as many decimals as symbols.
    case decimalsUnitsArrayLength = "DecimalsUnitsArrayLength"
    /// There are several symbols and one number of decimals.
    case unitsArrayDecimalsNot = "UnitsArrayDecimalsNot"
    /// A token was named, and the network has one.
    case overrideIgnoredSingle = "OverrideIgnoredSingle"
    /// A token was named, and the network has none.
    case overrideIgnoredNone = "OverrideIgnoredNone"

    var text: String {
        switch self {
        case .base58PrefixFormatNotSupported: "ss58Format is no integer below 65536"
        case .noBase58Prefix: "neither the properties nor the metadata state a prefix of addresses"
        case .base58PrefixMismatch: "ss58Format and the metadata state different prefixes of addresses"
        case .decimalsFormatNotSupported: "tokenDecimals is neither an integer below 256 nor a list of such"
        case .unitFormatNotSupported: "tokenSymbol is neither text nor a list of texts"
        case .decimalsNoUnit: "there are decimals and no symbol of the token"
        case .unitNoDecimals: "there is a symbol of the token and no decimals"
        case .decimalsArrayUnitsNot: "there are several decimals and one symbol"
        case .decimalsUnitsArrayLength: "there are not as many decimals as symbols"
        case .unitsArrayDecimalsNot: "there are several symbols and one number of decimals"
        case .overrideIgnoredSingle:
            "the network has one token, so --token-decimals and --token-unit would contradict it; leave them out"
        case .overrideIgnoredNone:
            "the network has no token, so --token-decimals and --token-unit mean nothing; leave them out"
        }
    }
}

extension HotSideError {
    /// The stable name of the error.
    public var code: String {
        switch self {
        case .noHotDatabase: "NoHotDatabase"
        case .databaseOfAnotherVersion: "HotDatabaseVersion"
        case .databaseDamaged: "HotDatabaseDamaged"
        case .databaseBusy: "HotDatabaseBusy"
        case .storageUnavailable: "StorageUnavailable"
        case .overTwoEntries: "HotDatabaseMetadataOverTwoEntries"
        case .notSupported: "NotSupported"
        case .titleNotFound: "TitleNotFound"
        case .networkNotFound: "NetworkNotFound"
        case .metadataNotFound: "MetadataNotFound"
        case .typesNotFound: "TypesNotFound"
        case .urlInDatabase: "UKeyUrlInDb"
        case .genesisInDatabase: "UKeyHashInDb"
        case .twoNamesForURL: "TwoNamesForUrl"
        case .specsInDatabase: "SpecsInDb"
        case .nameTaken: "NameTaken"
        case .titleTaken: "TitleTaken"
        case .properties(let fault): fault.rawValue
        case .valuesChanged: "ValuesChanged"
        case .specsMalformed: "SpecsMalformed"
        case .metadataBroken: "MetadataBroken"
        case .earlierVersion: "EarlierVersion"
        case .sameVersionDifferentMetadata: "SameVersionDifferentMetadata"
        case .otherNetwork: "OtherNetwork"
        case .notPackable: "NotPackable"
        case .payloadFileBroken: "PayloadFileBroken"
        case .badSignature: "BadSignature"
        case .publicKeyWrongLength: "PublicKeyWrongLength"
        case .signatureWrongLength: "SignatureWrongLength"
        case .sufficientCryptoBroken: "SufficientCryptoBroken"
        case .key: "Key"
        case .notCompressed: "NotCompressed"
        case .badPath: "BadPath"
        }
    }
}

extension HotSideError: CustomStringConvertible {
    /// What happened, and what to do.
    public var description: String {
        switch self {
        case .noHotDatabase:
            "The file is no database of generate-message. Name another with --hot-db-path, or move it away."
        case .databaseOfAnotherVersion(let found, let expected):
            "The database is of version \(found), and this program reads version \(expected). Start anew with: generate-message restore-defaults"
        case .databaseDamaged(let reason):
            "The database is damaged: \(reason). What is in it can be fetched again. Start anew with: generate-message restore-defaults"
        case .databaseBusy(let path): "Another process is writing to \(path). Try again when it is done."
        case .storageUnavailable(let path, let reason): "\(path) cannot be used: \(reason)."
        case .overTwoEntries(let name, let count):
            "There are \(count) versions of the metadata of \(name), and two are kept. Remove some with: generate-message remove "
                + "spec-name-version \(name) VERSION"
        case .notSupported(let reason): "This is not supported: \(reason)."
        case .titleNotFound(let title):
            "The address book has no entry \(title). What there is: generate-message show networks"
        case .networkNotFound(let name):
            "The address book has no network named \(name). What there is: generate-message show networks"
        case .metadataNotFound(let name, let version):
            "There are no metadata of \(name)\(version.map { String($0) } ?? ""). Fetch them with: generate-message load-metadata -k -n \(name)"
        case .typesNotFound:
            "There is no table of types. They are needed for metadata 12 and 13 alone; bring one with: generate-message load-types "
                + "--types-file FILE"
        case .urlInDatabase(let url, let title):
            "\(url) is in the address book, as \(title). Name it by its title: -n \(title)"
        case .genesisInDatabase(let title):
            "The network at this address is in the address book, as \(title). Name it by its title: -n \(title)"
        case .twoNamesForURL(let url, let names):
            "\(url) is said to be the address of \(names.joined(separator: " and "))."
        case .specsInDatabase(let title): "The network \(title) is stored just so; nothing was changed."
        case .nameTaken(let name, let genesis):
            "Another network is named \(name), with the genesis \(genesis). Two networks of one name would share their metadata."
        case .titleTaken(let title): "Another network has the title \(title). Choose one with --title."
        case .properties(let fault): "The network's properties cannot be used: \(fault.text)."
        case .valuesChanged(let what, let old, let new):
            "The node gives another \(what) than is stored: \(new), and \(old) was known. A network never changes it. Nothing was written."
        case .specsMalformed(let name, let fault):
            "No vault takes the record of \(name): \(fault). Nothing was written."
        case .metadataBroken(let error): "The metadata cannot be used: \(error)."
        case .earlierVersion(let name, let stored, let fetched):
            "The node is behind or lies: it gives \(name) of version \(fetched), and version \(stored) is stored. Nothing was written."
        case .sameVersionDifferentMetadata(let name, let version):
            "The node gives other metadata for \(name)\(version) than are stored; one version has one. Compare with another node, and remove "
                + "the wrong ones with: generate-message remove spec-name-version \(name) \(version)"
        case .otherNetwork(let expected, let found):
            "The metadata are of \(found), and those of \(expected) were asked for. Nothing was written."
        case .notPackable(let format): "Metadata \(format) are not packed; this takes version 14 or newer."
        case .payloadFileBroken(let kind, let reason): "The file is not what \(kind) is made of: \(reason)."
        case .badSignature: "The signature is not for this content and key. Nothing was written."
        case .publicKeyWrongLength(let found, let expected): "The public key has \(found) bytes; it takes \(expected)."
        case .signatureWrongLength(let found, let expected): "The signature has \(found) bytes; it takes \(expected)."
        case .sufficientCryptoBroken:
            "This is no signature with its key, as 'casemate network sign' shows it: 97 bytes for ed25519 and sr25519, 99 for ecdsa."
        case .key(let error): "The key cannot be used: \(error)."
        case .notCompressed(let reason): "The metadata were not compressed: \(reason)."
        case .badPath(let line, let reason): "Line \(line) is no path that can be imported: \(reason)."
        }
    }
}
