import CGaloisKernels
import TestSupport
import Testing

@testable import RaptorQ

@Suite("Kernels of every instruction set")
struct KernelTests {
    static let lengths = [0, 1, 7, 8, 15, 16, 17, 31, 33, 63, 64, 65, 127, 128, 255, 256, 257, 1071]

    @Test(
        "every level multiplies like the field, for all constants and odd lengths", arguments: GaloisKernels.available)
    func multiplyAdd(kernels: GaloisKernels) {
        let source = stream(seed: 1, count: 1100)
        let target = stream(seed: 2, count: 1100)
        for factor in 0..<256 {
            for length in Self.lengths {
                let start = factor % 7
                var found = target
                found.withUnsafeMutableBufferPointer { found in
                    source.withUnsafeBufferPointer {
                        kernels.multiplyAdd(
                            found.baseAddress! + start, from: $0.baseAddress! + 3, times: UInt8(factor), count: length)
                    }
                }
                let expected = target.indices.map { index in
                    (start..<start + length).contains(index)
                        ? target[index] ^ Octet.product(UInt8(factor), by: source[index - start + 3]) : target[index]
                }
                #expect(found == expected)
            }
        }
    }

    @Test("every level adds alike", arguments: GaloisKernels.available)
    func xor(kernels: GaloisKernels) {
        let source = stream(seed: 3, count: 1100)
        for length in Self.lengths {
            var found = stream(seed: 4, count: 1100)
            let expected = found.indices.map { found[$0] ^ ($0 < length ? source[$0 + 1] : 0) }
            found.withUnsafeMutableBufferPointer { found in
                source.withUnsafeBufferPointer {
                    kernels.xor(found.baseAddress!, from: $0.baseAddress! + 1, count: length)
                }
            }
            #expect(found == expected)
        }
    }

    @Test(
        "gathering adds the rows of an instruction", arguments: GaloisKernels.available, [64, 128, 192, 256, 320, 576])
    func gather(kernels: GaloisKernels, width: Int) {
        let slab = stream(seed: 5, count: 8 * width)
        let datum = stream(seed: 6, count: width + 5)
        // target, datum, head, whole, sources
        let program: [UInt16] = [0, 1, 2, 5, 3, 1, 4, 7, 6] + [1, 0, 3, 3, 0, 2, 5] + [2, 1, 0, 0] + [3, 0, 0, 1, 6]
        func row(_ index: Int) -> [UInt8] { Array(slab[index * width..<(index + 1) * width]) }
        func sum(_ rows: [[UInt8]]) -> [UInt8] {
            rows.reduce([UInt8](repeating: 0, count: width)) { zip($0, $1).map { $0 ^ $1 } }
        }
        let symbol = Array(datum[5...])
        let expected = [
            (GK_HEAD, [sum([symbol, row(3), row(1)]), sum([row(0), row(2), row(5)]), symbol, sum([])]),
            (
                GK_WHOLE,
                [
                    sum([symbol, row(3), row(1), row(4), row(7), row(6)]), sum([row(0), row(2), row(5)]), symbol,
                    row(6),
                ]
            ),
        ]
        for (depth, rows) in expected {
            var out = [UInt8](repeating: 0, count: 4 * (width + 1))
            datum.withUnsafeBufferPointer { datum in
                let data = [nil, datum.baseAddress]
                gk_gather(kernels.level, program, 4, depth, data, 5, slab, width, &out, width + 1)
            }
            for (index, row) in rows.enumerated() {
                #expect(Array(out[index * (width + 1)..<index * (width + 1) + width]) == row)
            }
        }
    }

    @Test(
        "Horner's sums and matrix products are those of single octets", arguments: GaloisKernels.available,
        [64, 192, 256, 320])
    func horner(kernels: GaloisKernels, width: Int) {
        let columns = 40
        let slab = stream(seed: 7, count: columns * width)
        let buckets = (0..<columns - 1).map { UInt8($0 * 7 % 5) }
        var out = stream(seed: 8, count: 9 * width)
        gk_horner(kernels.level, slab, width, columns, buckets, 5, 4, &out)
        for index in 0..<width {
            var y: UInt8 = 0
            var sums = [UInt8](repeating: 0, count: 9)
            for column in 0..<columns {
                y = Octet.product(2, by: y) ^ slab[column * width + index]
                if column < columns - 1 { sums[Int(buckets[column])] ^= y }
            }
            for power in 0..<4 { sums[5 + power] = Octet.product(Octet.powers[power], by: y) }
            #expect(sums == (0..<9).map { out[$0 * width + index] })
        }
    }

    @Test("matrix products are those of single octets", arguments: GaloisKernels.available, [64, 192, 256, 320])
    func matrix(kernels: GaloisKernels, width: Int) {
        let (targets, sources): ([UInt16], [UInt16]) = ([0, 9, 2, 11, 4, 7], [1, 3, 5, 10, 8])
        let matrix = stream(seed: 9, count: 30)
        let before = stream(seed: 10, count: 12 * width)
        var after = before
        gk_multiply_matrix(kernels.level, &after, width, matrix, targets, 6, sources, 5)
        var expected = before
        for (i, target) in targets.enumerated() {
            for (j, source) in sources.enumerated() {
                for index in 0..<width {
                    expected[Int(target) * width + index] ^= Octet.product(
                        matrix[i * 5 + j], by: before[Int(source) * width + index])
                }
            }
        }
        #expect(after == expected)
    }

    @Test("the scalar level is always there, and the selected one is available")
    func selection() {
        #expect(GaloisKernels.available.map(\.description).first == "scalar")
        #expect(GaloisKernels.available.contains(.selected))
    }
}
