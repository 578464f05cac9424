import Airgap
import Navigator
import Signer
import Substrate
import Testing
import TextForms

@testable import SignerCore

extension Provocation {
    /// What is wrong with seeds, keys and contacts.
    static let ofKeys: [Provocation] = ofSeeds + ofNewKeys + ofImports + ofContacts

    private static let ofSeeds: [Provocation] = [
        Provocation(.emptySeed) { try alert(recover(named: "Portia", phrase: "")) },
        Provocation(.emptySeedName) { try alert(recover(named: " ", phrase: "")) },
        Provocation(.seedNameInvalid) { try alert(recover(named: "a,b", phrase: "")) },
        Provocation(.seedNameTaken, ["name": "Alice"]) {
            try alert(recover(named: "Alice", phrase: "", after: alice()))
        },
        Provocation(.seedAlreadyExists, ["name": "Alice"]) {
            try alert(recover(named: "Portia", phrase: TestCore.phrase, after: alice()))
        },
        Provocation(.invalidMnemonic, ["words": "2"]) { try alert(recover(named: "Portia", phrase: "bottom drive")) },
        Provocation(.seedNotFound, ["name": "Nobody"]) {
            let test = try alice()
            try test.act(.goBack)
            return try alert(test.act(.selectSeed, "Nobody"))
        },
        Provocation(.noRootKeyForSeed, ["seed": "demo"]) {
            let vault = try Vault.lookOnly(TestCore.bundle(hasMetadata: false), keys: [stored(1, path: "//a")])
            return try thrown { _ = try vault.keySetsExport(ofSeeds: ["demo"]) }
        },
        Provocation(.secretExposedMismatch, ["seed": "demo", "path": "//a//b"]) {
            let keys = [stored(1, path: "//a", isExposed: true), stored(2, path: "//a//b")]
            let vault = try Vault.lookOnly(TestCore.bundle(hasMetadata: false), keys: keys)
            return try thrown { _ = try vault.keys() }
        },
        Provocation(.noNetworksAvailable) {
            let test = try alice()
            let vault = try openVault(test)
            for network in try vault.networks() { try vault.removeNetwork(network.genesisHash) }
            try test.act(.goBack)
            return try alert(test.act(.selectSeed, "Alice"))
        },
    ]

    private static let ofNewKeys: [Provocation] = [
        Provocation(.invalidDerivation, ["reason": anything]) { try derive("a") },
        Provocation(.lostPwd) {
            let test = try alice()
            try test.act(.newKey)
            return try alert(test.act(.checkPassword, "//a"))
        },
        Provocation(.passwordConfirmMismatch) { try derive("//a///" + password) },
        Provocation(.derivationExists, ["path": "//westend", "network": "Westend"]) { try derive("//westend") },
        Provocation(.keyCollision, ["seed": "Alice", "path": "//1"]) { try derive("//01", after: ["//1"]) },
        Provocation(.keyNotFound, ["key": "00"]) { try alert(alice().act(.selectKey, "00")) },
        Provocation(.networkNotEnabledForKey, ["path": "//westend"]) {
            let vault = try openVault(alice())
            let key = try #require(try vault.keys().first { $0.details.path == "//westend" })
            let other = try shipped("polkadot").specs.key
            return try thrown { try vault.removeKeys([key.signer], from: other) }
        },
        Provocation(.incrementCount) { try increment("//westend", by: "0") },
        Provocation(.incrementOverflow) { try increment("//westend", by: "1", after: ["//westend//4294967295"]) },
        Provocation(.incrementPassworded) {
            let test = try alice()
            try test.act(.newKey)
            try test.act(.checkPassword, "//a///" + password)
            try test.act(.goForward, "//a///" + password)
            return try increment("//a", by: "1", in: test)
        },
    ]

    private static let ofImports: [Provocation] = [
        Provocation(.keyCollisionBatch, ["seed": "Alice", "path": "//1"]) {
            let test = try alice()
            _ = try? scan(paths(["//1", "//01"]), in: test)
            try test.act(.goForward)
            return try alert(test.act(.goForward, "Alice"))
        },
        Provocation(.noKnownSeeds) {
            let test = try makeCore()
            _ = try? scan(paths(["//1"]), in: test)
            return try alert(test.act(.goForward))
        },
        Provocation(
            .networkForDerivationsImport, ["genesis": String(repeating: "07", count: 32), "encryption": "sr25519"]
        ) { try scan(PathImport(network: orion.key, paths: ["//1"]).payload, in: makeCore()) },
        Provocation(.importPasswordNotAllowed, ["index": "1", "path": "//2"]) {
            try scan(paths(["//1", "//2///" + password]), in: makeCore())
        },
        Provocation(.importAddressMismatch, ["path": "//Bob"]) {
            let test = try alice()
            let genesis = try shipped("westend").specs.genesisHash
            // The address of whoever made the export.
            let planted = DerivationsExport.Key(
                address: try pair(3).publicKey, path: "//Bob", scheme: .sr25519, genesisHash: genesis)
            let seed = DerivationsExport.Seed(name: "x", root: .sr25519(Hex.decode(root) ?? []), keys: [planted])
            _ = try? scan(DerivationsExport(seeds: [seed], features: nil).payload, in: test)
            return try alert(test.act(.goForward))
        },
        Provocation(.noSeedForKeyPair, ["root": root]) { try scan(hex: "53ffdf0001" + root + "00", in: makeCore()) },
    ]

    private static let ofContacts: [Provocation] = [
        Provocation(.contactAddressInvalid, ["address": "5Fnobody"]) { try contact("Bob", "5Fnobody") },
        Provocation(.contactNameInvalid) { try contact("a,b", bob) },
        Provocation(.contactNameTaken, ["name": "bob", "other": "Bob"]) {
            try contact("bob", "5DAAnrj7VHTznn2AWBemMuyBwZWs6FNFjdyVXUeYum3PTXFy", after: "Bob")
        },
        Provocation(.contactExists, ["name": "Bob"]) { try contact("Robert", bob, after: "Bob") },
    ]

    // MARK: Steps

    private static func recover(named name: String, phrase: String, after: TestCore? = nil) throws -> ActionResult {
        let test = try after ?? makeCore()
        try test.act(.start)
        if after != nil { try test.act(.rightButtonAction) }
        try test.act(.recoverSeed)
        let named = try test.act(.goForward, name)
        guard named.alert == nil else { return named }
        return try test.act(.goForward, "false", secret: phrase)
    }

    /// - Parameter paths: made before.
    private static func derive(_ path: String, after paths: [String] = []) throws -> CoreFailure {
        let test = try alice()
        for path in paths {
            try test.act(.newKey)
            try test.act(.goForward, path)
        }
        try test.act(.newKey)
        return try alert(test.act(.goForward, path))
    }

    private static func increment(
        _ path: String, by count: String, after paths: [String] = [], in core: TestCore? = nil
    ) throws -> CoreFailure {
        let test = try core ?? alice()
        for path in paths {
            try test.act(.newKey)
            try test.act(.goForward, path)
        }
        guard case .keys(let page) = try test.act(.nothing).screen else { throw NotRefused() }
        let key = try #require(page.keys.first { $0.path == path })
        try test.act(.swipe, key.addressKey)
        return try alert(test.act(.increment, count))
    }

    private static func paths(_ paths: [String]) throws -> [UInt8] {
        PathImport(network: try shipped("westend").specs.key, paths: paths).payload
    }

    private static let bob = "5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty"

    private static func contact(_ name: String, _ address: String, after known: String? = nil) throws -> CoreFailure {
        let test = try makeCore()
        try test.act(.start)
        try test.act(.navbarSettings)
        try test.act(.openAddressBook)
        for (name, address) in (known.map { [($0, bob)] } ?? []) + [(name, address)] {
            try test.act(.newContact)
            let result = try test.act(.goForward, #"{"name":"\#(name)","address":"\#(address)"}"#)
            if result.alert != nil { return try alert(result) }
        }
        throw NotRefused()
    }

    /// A key of the seed `demo` in no network.
    private static func stored(_ byte: UInt8, path: String, isExposed: Bool = false) -> StoredKey {
        StoredKey(
            signer: .sr25519([UInt8](repeating: byte, count: 32)),
            details: AddressDetails(
                seedName: "demo", path: path, hasPassword: false, networks: [], scheme: .sr25519,
                secretExposed: isExposed))
    }
}
