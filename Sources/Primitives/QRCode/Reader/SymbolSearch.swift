/// Finds and reads the symbols of a picture that has been split into dark and light (`raptorq-qr` section 14, steps 2
/// to 7).
struct SymbolSearch {
    let image: LumaImage
    let binary: BinaryImage
    /// Times that alignment patterns may still be looked for or modules be sampled: what bounds the work for a picture
    /// of many false patterns.
    private var budget = 200
    /// Whether a symbol was seen that cannot be repaired.
    private(set) var hasDamaged = false

    init(_ image: LumaImage, _ binary: BinaryImage) {
        self.image = image
        self.binary = binary
    }

    /// A symbol and where it was read.
    struct Found: Sendable {
        let symbol: DecodedSymbol
        let geometry: SymbolGeometry
        let isMirrored: Bool
    }

    /// - Parameter finders: those of the picture, the surest first.
    mutating func run(_ finders: [Finder]) -> [Found] {
        var found: [Found] = []
        for triple in FinderTriple.candidates(finders) {
            guard budget > 0 else { break }
            // A finder belongs to one symbol.
            guard !triple.finders.contains(where: { finder in found.contains { $0.geometry.holds(finder.centre) } })
            else {
                continue
            }
            if hasFinders(triple), let symbol = read(triple) { found.append(symbol) }
        }
        return found
    }

    /// Correlation from which on grey pixels show a finder: true ones have at least 0.7, others 0.4 at the most.
    private static let finderThreshold: Float = 0.55

    /// Whether grey pixels too show finders, as three of them would be seen together.
    private func hasFinders(_ triple: FinderTriple) -> Bool {
        let side = Int(min(triple.side, 200))
        guard let homography = triple.homography(side: side) else { return false }
        let far = Double(side) - 3.5
        return [Place(3.5, 3.5), Place(far, 3.5), Place(3.5, far)].allSatisfy { module in
            let centre = homography(module)
            let fit = PatternTemplate.finder.correlation(
                image, at: centre, right: homography(module + Place(1, 0)) - centre,
                down: homography(module + Place(0, 1)) - centre)
            // At the picture's edge there may be no room to tell.
            return fit ?? 1 > Self.finderThreshold
        }
    }

    private mutating func read(_ triple: FinderTriple) -> Found? {
        for version in triple.versions(binary) {
            budget -= 1
            guard let homography = triple.homography(side: version.size),
                let geometry = AlignmentSearch(image: image, version: version, homography: homography)
                    .run(finders: triple.finders.map(\.centre))
            else { continue }
            switch read(geometry) {
            case .symbol(let symbol, let isMirrored):
                return Found(symbol: symbol, geometry: geometry, isMirrored: isMirrored)
            case .none: continue
            case .hopeless: return nil
            case .damaged:
                if geometry.isFourthCornerGuessed, let found = readMoved(geometry) { return found }
            }
        }
        return nil
    }

    /// A symbol whose fourth corner was only guessed.
    private mutating func readMoved(_ geometry: SymbolGeometry) -> Found? {
        let moved = FourthCornerSearch(image: image).run(geometry)
        guard case .symbol(let symbol, let isMirrored) = read(moved) else { return nil }
        return Found(symbol: symbol, geometry: moved, isMirrored: isMirrored)
    }

    /// Tries the offsets in turn; another version is worth a try only if these are no modules at all.
    private mutating func read(_ geometry: SymbolGeometry) -> SymbolTrial.Outcome {
        let trial = SymbolTrial(image: image, geometry: geometry, decoder: SymbolDecoder(geometry.version))
        var outcome = SymbolTrial.Outcome.none
        for offset in SymbolTrial.offsets {
            budget -= 1
            outcome = trial.read(offset: offset)
            switch outcome {
            case .symbol: return outcome
            case .damaged: hasDamaged = true
            case .hopeless:
                hasDamaged = true
                return outcome
            case .none: return offset == .zero ? .none : .damaged
            }
        }
        return outcome
    }
}
