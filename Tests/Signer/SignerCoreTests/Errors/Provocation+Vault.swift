import Airgap
import Foundation
import Navigator
import NetworkDetector
import Substrate
import TestSupport
import Testing
import TextForms

@testable import Signer
@testable import SignerCore

extension Provocation {
    /// What is wrong between a yes and a signature.
    static let ofSigning: [Provocation] = [
        Provocation(.wrongPassword, ["attemptsLeft": "2"]) {
            let test = try alice(hasMetadata: true)
            try test.act(.newKey)
            try test.act(.checkPassword, "//a///" + password)
            guard case .keys(let page) = try test.act(.goForward, "//a///" + password).screen else {
                throw NotRefused()
            }
            let key = try #require(page.keys.first { $0.path == "//a" })
            try test.act(.navbarKeys)
            try test.act(.navbarScan)
            try test.act(.transactionFetched, transfer.replacing(westendKey, with: key.publicKey))
            try test.act(.goForward)
            return try alert(test.act(.goForward, "wrong"))
        },
        Provocation(.seedPhraseMismatch, ["seed": "Alice"]) {
            try signing { try $0.act(.goForward, "", secret: other) }
        },
        Provocation(.noSeedPhrase) { try signing { try $0.act(.goForward, "", secret: "") } },
        Provocation(.seedsNumMismatch, ["given": "2", "needed": "1"]) {
            try signing { try $0.act(.goForward, "", secret: TestCore.phrase + "\n" + TestCore.phrase) }
        },
        Provocation(.checksumMismatch) {
            try signing { test in
                let vault = try openVault(test)
                _ = try vault.deriveKey(
                    seed: "Alice", path: "//meanwhile", password: nil, network: vault.network(named: "westend"))
                return try test.act(.goForward)
            }
        },
        Provocation(.nothingPending) {
            let core = try makeCore().core
            return try thrown { _ = try core.backupPhrase() }
        },
        Provocation(.txActionNotSign) {
            let vault = try openVault(alice())
            var proposal = try vault.propose(specs(orion))
            return try thrown { _ = try vault.sign(&proposal, comment: "") }
        },
        Provocation(.riskNotAcknowledged) {
            let test = try alice(hasMetadata: true, confirmsDangers: true)
            try test.act(.goBack)
            try test.act(.navbarScan)
            try test.act(.transactionFetched, transfer)
            try test.act(.goForward)
            return try alert(test.act(.goForward, "yes"))
        },
    ]

    /// What is wrong with the vault itself.
    static let ofVault: [Provocation] = [
        Provocation(.dbNotInitialized, ["folder": "/nowhere/vault"]) {
            try thrown { _ = try open(URL(filePath: "/nowhere/vault")) }
        },
        Provocation(.dbSchemaMismatch, ["expected": "3", "found": "9"]) {
            try inFile { bytes in
                let version = try #require(bytes.firstRange(of: Array("schema_version".utf8) + [3, 0, 0, 0]))
                bytes[version.upperBound - 4] = 9
            }
        },
        Provocation(.databaseDamaged, ["reason": "Tree", "tree": "settings"]) {
            try inFile { bytes in
                while let name = bytes.firstRange(of: Array("settings".utf8)) {
                    bytes.replaceSubrange(name, with: Array("sittings".utf8))
                }
            }
        },
        Provocation(.storageUnavailable, ["path": anything, "reason": anything]) {
            try thrown { _ = try ColdDatabase.create(at: "/dev/null/vault.sqlite") }
        },
        Provocation(.historyEntryNotFound, ["order": "99"]) {
            let test = try alice()
            try test.act(.goBack)
            try test.act(.navbarLog)
            return try alert(test.act(.showLogDetails, "99"))
        },
        Provocation(.typesNotFound) {
            let test = try networks()
            try test.act(.rightButtonAction)
            return try alert(test.act(.removeTypes))
        },
        Provocation(.networkSpecsNotFound, ["key": "00"]) { try alert(networks().act(.goForward, "00")) },
        Provocation(.metaValuesNotFound, ["version": "1"]) {
            let test = try networks()
            try test.act(.goForward, TestCore.westend)
            return try alert(test.act(.manageMetadata, "1"))
        },
        Provocation(.wrongCredential, ["wait": "0"]) {
            let test = try TestCore(isOnboarded: false)
            try test.act(.start)
            try test.act(.goForward, "", secret: "long enough")
            try test.act(.lock)
            return try alert(test.act(.goForward, "", secret: "other than it"))
        },
        Provocation(.credentialTooWeak, ["reason": "it has fewer than 8 characters"]) {
            let test = try TestCore(isOnboarded: false)
            try test.act(.start)
            return try alert(test.act(.goForward, "", secret: "short"))
        },
        Provocation(.confirmationMismatch) {
            let test = try networks()
            try test.act(.goForward, TestCore.westend)
            try test.act(.rightButtonAction)
            try test.act(.blockNetwork)
            return try alert(test.act(.goForward, "westend"))
        },
        Provocation(.ackNotPossible) {
            let host = try makeCore().host
            return try thrown { try host.acknowledgeDanger(in: nil) }
        },
        Provocation(.detectorNotSafe) {
            let test = try alice()
            try test.act(.rightButtonAction)
            try test.act(.backupSeed)
            test.host.setDetector(.connected)
            return try thrown { _ = try test.core.backupPhrase() }
        },
    ]

    private static let other = "legal winner thank year wave sausage worth useful legal winner thank yellow"

    private static func signing(_ act: (TestCore) throws -> ActionResult) throws -> CoreFailure {
        let test = try alice(hasMetadata: true)
        try test.act(.goBack)
        try test.act(.navbarScan)
        try test.act(.transactionFetched, transfer)
        return try alert(act(test))
    }

    private static func networks() throws -> TestCore {
        let test = try makeCore()
        try test.act(.start)
        try test.act(.navbarSettings)
        try test.act(.manageNetworks)
        return test
    }

    private static func open(_ folder: URL) throws -> Vault {
        try Vault.open(folder, for: .publicData, unlocking: Unlocking { _ in throw NotRefused() })
    }

    /// What a vault says whose file was changed.
    private static func inFile(_ change: (inout [UInt8]) throws -> Void) throws -> CoreFailure {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "vault.sqlite")
        try ColdDatabase.create(at: file.path).write { trees in
            try trees.putSchemaVersion()
            try HistoryLog.append([.databaseInitiated], at: Date(timeIntervalSince1970: 0), to: trees)
        }
        var bytes = Array(try Data(contentsOf: file))
        try change(&bytes)
        try Data(bytes).write(to: file)
        return try thrown { _ = try ColdDatabase(opening: file.path, readOnly: true) }
    }
}
