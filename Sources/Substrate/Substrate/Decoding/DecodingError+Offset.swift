extension DecodingError {
    /// The byte that it is about, counted from the start of what was handed in; nil where it is about the metadata.
    package var offset: Int? {
        switch self {
        case .dataTooShort(let offset), .noCompact(let offset), .primitiveFailure(_, let offset),
            .unexpectedOptionVariant(_, let offset), .unexpectedEnumVariant(_, let offset), .era(let offset),
            .someDataNotUsedMethod(let offset, _), .wrappedCallLength(let offset, _, _),
            .someDataNotUsedExtensions(let offset, _), .genesisHashMismatch(let offset), .tooDeep(let offset),
            .tooManyCards(let offset), .metadataHashExpected(let offset), .blockHashExpected(let offset),
            .genesisHashExpected(let offset):
            offset
        default: nil
        }
    }
}
