/// The constants of a block in the width in which ``LTTuple`` computes.
struct LTCode {
    let w, p, p1: UInt32
    let tupleFactor, tupleOffset: UInt32

    init(_ parameters: BlockParameters) {
        w = UInt32(parameters.ltSymbolCount)
        p = UInt32(parameters.piSymbolCount)
        p1 = UInt32(parameters.piPrime)
        tupleFactor = (53591 + 997 * UInt32(parameters.systematicIndex)) | 1
        tupleOffset = 10267 * UInt32(parameters.systematicIndex + 1)
    }

    /// Writes the intermediate symbols of an encoding symbol, which are distinct.
    ///
    /// - Parameter columns: room for ``LTTuple/maximumColumns``.
    /// - Returns: how many were written.
    @inline(__always)
    func writeColumns(_ internalID: UInt32, to columns: UnsafeMutablePointer<UInt16>) -> Int {
        let tuple = LTTuple(self, internalID: internalID)
        var count = 0
        var b = tuple.start
        for _ in 0..<tuple.degree {
            columns[count] = UInt16(truncatingIfNeeded: b)
            count += 1
            b += tuple.step
            if b >= w { b -= w }
        }
        var b1 = tuple.piStart
        for _ in 0..<tuple.piDegree {
            while b1 >= p { b1 = (b1 + tuple.piStep) % p1 }
            columns[count] = UInt16(truncatingIfNeeded: w + b1)
            count += 1
            b1 = (b1 + tuple.piStep) % p1
        }
        return count
    }
}
