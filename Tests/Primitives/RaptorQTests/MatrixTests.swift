import TestSupport
import Testing

@testable import RaptorQ

@Suite("The constraint matrix")
struct MatrixTests {
    static let known = Fixture.json("constraint-matrix")

    @Test("dense and sparse rows are the known ones", arguments: [10, 18])
    func rows(count: Int) throws {
        let parameters = try BlockParameters(sourceSymbolCount: count)
        let known = Self.known["\(count)"]["rows_hex"].array.compactMap(\.hex)
        let ids = Array(0..<UInt32(count))
        #expect(known.count == parameters.intermediateSymbolCount)
        #expect(ReferenceCode(parameters: parameters).matrix(ids) == known)

        let binary = BinaryRows(parameters, internalIDs: ids)
        let ldpc = parameters.ldpcSymbolCount
        for index in 0..<binary.count {
            var row = [UInt8](repeating: 0, count: parameters.intermediateSymbolCount)
            for column in binary.row(index) { row[Int(column)] ^= 1 }
            #expect(row == known[index < ldpc ? index : index + parameters.hdpcSymbolCount])
        }
    }

    @Test(
        "the HDPC recursion on bit planes gives the HDPC rows times the coefficients", arguments: [1, 10, 18, 101, 257])
    func hdpc(count: Int) throws {
        let parameters = try BlockParameters(sourceSymbolCount: count)
        let ids = Array(0..<UInt32(parameters.extendedSymbolCount))
        let matrix = BinaryRows(parameters, internalIDs: ids)
        guard let peeling = Peeling(matrix, parameters, inactiveLimit: .max) else {
            Issue.record("there is no limit")
            return
        }
        let system = InactiveSystem(matrix, peeling: peeling, parameters: parameters)
        let equations = system.hdpcEquations(HDPCRows(parameters))
        let dense = ReferenceCode(parameters: parameters).matrix([])[parameters.ldpcSymbolCount...]
        for (row, octets) in dense.enumerated() {
            for place in 0..<system.inactiveCount {
                let sum = octets.indices.reduce(0 as UInt8) { sum, column in
                    let own = system.place[column]
                    let isHeld =
                        own == InactiveSystem.pivoted
                        ? system.coefficients.bit(row: column, column: place) : own == place
                    return isHeld ? sum ^ octets[column] : sum
                }
                #expect(equations[row, place] == sum)
            }
        }
    }
}
