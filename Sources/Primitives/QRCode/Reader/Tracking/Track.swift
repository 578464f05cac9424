/// A code that is followed through a film.
struct Track: Sendable {
    let isInverted: Bool
    private let isMirrored: Bool
    private let decoder: SymbolDecoder
    private var geometry: SymbolGeometry
    private var signature: SymbolSignature

    init(_ located: SwiftQRReader.Located) {
        let found = located.found
        isInverted = located.isInverted
        isMirrored = found.isMirrored
        decoder = SymbolDecoder(found.symbol.version)
        geometry = found.geometry
        signature = SymbolSignature(found.symbol, decoder, isMirrored: found.isMirrored)
    }

    enum Advance {
        /// The finders are not where they were.
        case lost
        /// The code is there and cannot be read.
        case unread
        case same
        case read(SwiftQRReader.Located)
    }

    /// - Parameter image: inverted if the code is.
    mutating func advance(_ image: LumaImage) -> Advance {
        guard let geometry = geometry.followed(to: image) else { return .lost }
        self.geometry = geometry
        if signature.matches(image, geometry) { return .same }
        let trial = SymbolTrial(image: image, geometry: geometry, decoder: decoder)
        guard let symbol = trial.readOnce(isMirrored: isMirrored) else { return .unread }
        signature = SymbolSignature(symbol, decoder, isMirrored: isMirrored)
        let found = SymbolSearch.Found(symbol: symbol, geometry: geometry, isMirrored: isMirrored)
        return .read(SwiftQRReader.Located(found: found, isInverted: isInverted))
    }
}
