import TestSupport
import Testing
import TextForms

@Suite("Names that carry numbers")
struct NumberedNamesTests {
    @Test("numbers are compared as numbers, all else by its bytes")
    func order() {
        let names = [
            "", "1", "2", "007", "10", "100000000000000000000", "100000000000000000001", "a", "a1", "a1b", "a1b2",
            "a1b10", "a2", "a02", "a10", "b", "code9.png", "code10.png", "é1",
        ]
        let sorted = names.shuffled().sorted { NumberedNames.isOrdered($0, before: $1) }
        // Of two that are the same number the bytes decide.
        #expect(sorted == names.filter { $0 != "a02" }.flatMap { $0 == "a2" ? ["a02", "a2"] : [$0] })
    }

    @Test("it is an order: of two names exactly one is before the other, and three agree")
    func strict() {
        var generator = SplitMix64(state: 7)
        func name() -> String {
            let count = Int.random(in: 0...5, using: &generator)
            return String((0..<count).map { _ in "0019ab".randomElement(using: &generator) ?? "a" })
        }
        for _ in 0..<3000 {
            let (one, two, three) = (name(), name(), name())
            let (before, behind) = (
                NumberedNames.isOrdered(one, before: two), NumberedNames.isOrdered(two, before: one)
            )
            #expect(before != behind || one == two && !before)
            if before, NumberedNames.isOrdered(two, before: three) {
                #expect(NumberedNames.isOrdered(one, before: three), "\(one), \(two), \(three)")
            }
        }
    }
}
