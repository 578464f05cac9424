import ForceFieldWire
import TestSupport
import Testing

@Suite("Values by numbers that rise")
struct RisingTableTests {
    @Test("values are found, replaced and taken out, whatever their order was")
    func values() {
        var table = RisingTable<String>()
        #expect(table.isEmpty)
        #expect(table[1] == nil)
        for number: UInt64 in [3, 7, 5, 1, .max] { table[number] = "\(number)" }
        #expect(table.entries.map(\.number) == [1, 3, 5, 7, .max])
        #expect(table[5] == "5")
        #expect(table[4] == nil)
        #expect(table[.max] == "\(UInt64.max)")
        table[5] = "five"
        #expect(table[5] == "five")
        #expect(table.count == 5)
        let (first, second) = (table.remove(3), table.remove(3))
        #expect(first == "3")
        #expect(second == nil)
        table[4] = nil
        table[1] = nil
        #expect(table.entries.map(\.value) == ["five", "7", "\(UInt64.max)"])
    }

    @Test("it does what a dictionary does")
    func dictionary() {
        var (table, dictionary) = (RisingTable<Int>(), [UInt64: Int]())
        var random = SplitMix64(state: 23)
        for step in 0..<2_000 {
            let number = UInt64.random(in: 0..<40, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                table[number] = step
                dictionary[number] = step
            case 1:
                let (one, other) = (table.remove(number), dictionary.removeValue(forKey: number))
                #expect(one == other)
            default:
                table[number]? += 1
                dictionary[number]? += 1
            }
            #expect(table.count == dictionary.count)
            #expect(table[number] == dictionary[number])
        }
        #expect(table.entries.map(\.number) == dictionary.keys.sorted())
    }
}
