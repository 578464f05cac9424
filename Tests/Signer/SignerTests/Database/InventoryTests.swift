import Foundation
import MainKey
import TestSupport
import Testing

@testable import Signer

@Suite("What the rows of a tree amount to")
struct InventoryTests {
    @Test("codes are added and taken away modulo 2²⁵⁶, in any order")
    func sums() throws {
        let codes = (0..<50).map { _ in RowCode((0..<32).map { _ in UInt8.random(in: .min ... .max) }) }
        let ones = RowCode([UInt8](repeating: 255, count: 32))
        var (one, other) = (Tally(), Tally())
        for code in codes + [ones] { one.add(code) }
        for code in [ones] + codes.reversed() { other.add(code) }
        #expect(one == other && one.count == 51)
        for code in codes { one.subtract(code) }
        var last = Tally()
        last.add(ones)
        #expect(one == last)
        one.subtract(ones)
        #expect(one == Tally())
        // 2²⁵⁶ - 1 and 1 are 0.
        var wrapped = Tally()
        wrapped.add(ones)
        wrapped.add(RowCode([1] + [UInt8](repeating: 0, count: 31)))
        wrapped.subtract(RowCode([UInt8](repeating: 0, count: 32)))
        wrapped.subtract(RowCode([UInt8](repeating: 0, count: 32)))
        #expect(wrapped == Tally())
    }

    @Test("it reads back as it was written, and names its state")
    func encoding() throws {
        var inventory = Inventory(epoch: 7, log: [UInt8](repeating: 3, count: 32))
        inventory[.addresses].add(RowCode([UInt8](repeating: 9, count: 32)))
        inventory[.verifiers].subtract(RowCode([UInt8](repeating: 9, count: 32)))
        #expect(try Inventory(scaleEncoded: inventory.scaleEncoded) == inventory)
        var other = inventory
        other[.history].add(RowCode([UInt8](repeating: 0, count: 32)))
        #expect(other.digest != inventory.digest && inventory.digest.count == 32)
    }

    @Test("each write keeps it as if all rows were counted anew")
    func incremental() throws {
        let database = try ColdDatabase.inMemory()
        var generator = SplitMix64(state: 105)
        for _ in 0..<200 {
            try database.write { trees in
                let tree = Tree.counted.randomElement(using: &generator)!
                let key = [UInt8.random(in: 0..<6, using: &generator)]
                switch Int.random(in: 0..<8, using: &generator) {
                case 0: try trees.removeAll(tree)
                case 1, 2: try trees.remove(tree, key)
                default:
                    try trees.put(
                        tree, key: key,
                        value: (0..<Int.random(in: 0..<40, using: &generator)).map { _ in
                            .random(in: .min ... .max, using: &generator)
                        })
                }
            }
            try database.read { try $0.check() }
        }
    }

    @Test("a pending item changes nothing of it, and needs no note of its own")
    func pending() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let before = try vault.database.read { try $0.inventory() }
        let item = try #require(
            test.files().first { $0.key.hasPrefix("key/items/") && $0.value.range(of: Data("files".utf8)) != nil })
        _ = try vault.propose(TestVault.transfer())
        try vault.dropPending()
        #expect(try vault.database.read { try $0.inventory() } == before)
        #expect(try test.files()[item.key] == item.value)
    }
}
