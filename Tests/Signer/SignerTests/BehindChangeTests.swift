import Foundation
import MainKey
import SecretMemory
import Testing

@testable import Signer

@Suite("Behind a change of what opens a vault")
struct BehindChangeTests {
    @Test("what fails is no failure of the change: the new PIN opens the vault, and the next change finds all in order")
    func behindChange() throws {
        let test = try TestVault(hasPIN: true)
        let key = try VaultKey(of: test.folder, test.unlocking)
        let new = try TestVault.secret("another one")
        // What has the name of the next file, and cannot be removed.
        let obstacles = ["keyring.mk.new", "lock.mk.new"].map { test.folder.appending(path: "key/\($0)/obstacle") }
        try key.changing {
            _ = try key.reopened()
            try key.marking(key.checkedMark(), becomingBound: false) {
                var options = VaultOptions()
                options.cost = TestVault.cost
                try key.engine.changePIN(from: test.pin, to: new, options)
                for obstacle in obstacles {
                    try FileManager.default.createDirectory(at: obstacle, withIntermediateDirectories: true)
                }
            }
            key.endSessionBehindChange()
        }
        for obstacle in obstacles { try FileManager.default.removeItem(at: obstacle.deletingLastPathComponent()) }
        test.person.pin = new
        #expect(try test.open(.read).networks().count == 4)
        try VaultKey(of: test.folder, test.unlocking).changePIN { test.pin }
        test.person.pin = test.pin
        #expect(try test.open(.read).networks().count == 4)
    }
}
