import SCALE

extension FuzzTarget {
    /// Every read of the decoder, in the order that the input's own bytes choose.
    static let scale = FuzzTarget(
        name: "scale", seeds: [[0x00, 0x04, 0x08, 0xfd, 0x03], [9, 0x10, 0x61, 0x62, 0x63, 0x64]]
    ) { bytes in
        var decoder = ScaleDecoder(bytes)
        while let choice = try? decoder.uint8() {
            do {
                switch choice % 10 {
                case 0: _ = try decoder.compact(bits: 8)
                case 1: _ = try decoder.compact(bits: 64)
                case 2: _ = try decoder.compact(bits: 128)
                case 3: _ = try decoder.compact32()
                case 4: _ = try decoder.bool()
                case 5: _ = try decoder.option { decoder throws(ScaleError) in try decoder.uint32() }
                case 6: _ = try decoder.sequence { decoder throws(ScaleError) in try decoder.uint16() }
                case 7: _ = try decoder.character()
                case 8: _ = try decoder.uint128()
                default: _ = try decoder.string()
                }
            } catch { return }
        }
    }
}
