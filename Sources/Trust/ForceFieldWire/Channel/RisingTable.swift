/// Values by numbers that rise: what is open on a channel, in the order in which it was opened.
///
/// A dictionary would do as well, but a worker has just begun when it makes the first one, and Swift then takes a tenth
/// of a millisecond to find out how its keys are hashed. Inlinable so that the compiler fits it to its values in the
/// worker's module as well, where it would otherwise handle them by their descriptions.
package struct RisingTable<Value> {
    package struct Entry {
        package let number: UInt64
        package var value: Value

        @inlinable package init(number: UInt64, value: Value) {
            self.number = number
            self.value = value
        }
    }

    /// The entries in the order of their numbers.
    package var entries: [Entry] = []

    @inlinable package init() {}

    @inlinable package var count: Int { entries.count }
    @inlinable package var isEmpty: Bool { entries.isEmpty }

    /// The value of a number, nil if there is none. A number that is added is usually the highest, which takes no
    /// search.
    @inlinable package subscript(number: UInt64) -> Value? {
        get {
            let place = place(of: number)
            return isTaken(place, by: number) ? entries[place].value : nil
        }
        set {
            let place = place(of: number)
            switch (newValue, isTaken(place, by: number)) {
            case (let value?, true): entries[place].value = value
            case (let value?, false):
                if place == entries.count {
                    entries.append(Entry(number: number, value: value))
                } else {
                    entries.insert(Entry(number: number, value: value), at: place)
                }
            case (nil, true): entries.remove(at: place)
            case (nil, false): break
            }
        }
    }

    /// The place of a number among ``entries``, for changes in place; nil if there is none.
    @inlinable package func index(of number: UInt64) -> Int? {
        let place = place(of: number)
        return isTaken(place, by: number) ? place : nil
    }

    /// Takes a value out.
    @inlinable package mutating func remove(_ number: UInt64) -> Value? {
        let place = place(of: number)
        return isTaken(place, by: number) ? entries.remove(at: place).value : nil
    }

    @inlinable package func isTaken(_ place: Int, by number: UInt64) -> Bool {
        place < entries.count && entries[place].number == number
    }

    /// The first place whose number is not below; behind the last one if there is none.
    @inlinable package func place(of number: UInt64) -> Int {
        guard let last = entries.last, last.number >= number else { return entries.count }
        var (low, high) = (0, entries.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].number < number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension RisingTable: Sendable where Value: Sendable {}
extension RisingTable.Entry: Sendable where Value: Sendable {}
