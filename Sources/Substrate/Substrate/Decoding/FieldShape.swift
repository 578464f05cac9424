/// A field of a composite or a variant.
struct FieldShape {
    let name: Range<Int>?
    let type: UInt32
    let docsOffset: Int
    let amount: AmountMark
    /// Named `remark` or `remark_with_event`: its bytes are meant to be read.
    let isRemark: Bool
    var text: String?

    /// What a field's type name says of its value.
    enum AmountMark {
        case unsaid, amount, other
    }

    init(from cursor: inout BlobCursor) throws(MetadataFault) {
        name = try cursor.isPresent() ? try cursor.text() : nil
        type = UInt32(try cursor.compact())
        if try cursor.isPresent() {
            let typeName = try cursor.text()
            amount = Self.amountTypeNames.contains { cursor.equals(typeName, $0) } ? .amount : .other
        } else {
            amount = .unsaid
        }
        docsOffset = cursor.position
        try cursor.skipTexts()
        isRemark = name.map { cursor.equals($0, "remark") || cursor.equals($0, "remark_with_event") } ?? false
    }

    /// Type names that make a number an amount of the native token (`signer-wire` section 6.2).
    private static let amountTypeNames: [StaticString] = [
        "Balance", "T::Balance", "BalanceOf<T>", "ExtendedBalance", "BalanceOf<T, I>", "DepositBalance",
        "PalletBalanceOf<T>",
    ]
}
