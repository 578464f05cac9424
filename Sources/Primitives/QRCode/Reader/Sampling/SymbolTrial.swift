/// Attempts to read a symbol whose place is known.
struct SymbolTrial {
    let image: LumaImage
    let geometry: SymbolGeometry
    /// The decoder for the geometry's version.
    let decoder: SymbolDecoder

    /// Modules that the middles may be off, the likeliest first.
    static let offsets = [
        Place(0, 0), Place(0.25, 0.25), Place(-0.25, -0.25), Place(-0.25, 0.25), Place(0.25, -0.25),
    ]

    /// Shares of each neighbour that blur has added to a module, the likeliest first.
    private static let sharpenings: [Float] = [0.1, 0.25, 0]

    enum Outcome {
        case symbol(DecodedSymbol, isMirrored: Bool)
        /// There is a symbol, but it cannot be repaired.
        case damaged
        /// The symbol is so damaged that nothing will help.
        case hopeless
        /// The modules are not those of a symbol.
        case none
    }

    /// Takes the modules once, and reads them with each sharpening.
    ///
    /// - Parameters:
    ///   - offset: in modules.
    func read(offset: Place) -> Outcome {
        let samples = ModuleSamples(image, geometry, offset: offset)
        var isHopeless = true
        for sharpening in Self.sharpenings {
            let split = (sharpening > 0 ? samples.sharpened(sharpening) : samples).split()
            guard split.grid.hasTiming else { return .none }
            let orientations = split.grid.orientations
            if orientations.isEmpty { return .none }
            for isMirrored in orientations {
                do throws(QRDecodingError) {
                    return .symbol(try decode(split, isMirrored), isMirrored: isMirrored)
                } catch {
                    isHopeless = isHopeless && error == .hopeless
                }
            }
        }
        return isHopeless ? .hopeless : .damaged
    }

    /// A quick attempt for films, where most symbols that cannot be read are two mixed, and the next picture comes
    /// soon.
    func readOnce(isMirrored: Bool) -> DecodedSymbol? {
        let grid = ModuleSamples(image, geometry, offset: .zero).sharpened(Self.sharpenings[0]).split().grid
        return try? decoder.decode(isMirrored ? grid.transposed : grid)
    }

    /// Tries without doubts first, since they cost time and certainty.
    private func decode(
        _ split: ModuleSamples.Split, _ isMirrored: Bool
    ) throws(QRDecodingError) -> DecodedSymbol {
        let grid = isMirrored ? split.grid.transposed : split.grid
        do throws(QRDecodingError) {
            return try decoder.decode(grid)
        } catch {
            guard case .uncorrectable = error else { throw error }
        }
        let margins = split.margins
        return try decoder.decode(grid, margins: isMirrored ? margins.transposed(size: grid.size) : margins)
    }
}

extension ModuleGrid {
    /// Whether three in four modules of the timing patterns are as they should be.
    fileprivate var hasTiming: Bool {
        let places = 8..<size - 8
        let right = places.count { self[$0, 6] == ($0 % 2 == 0) } + places.count { self[6, $0] == ($0 % 2 == 0) }
        return right * 4 >= places.count * 2 * 3
    }

    /// Whether the symbol is mirrored, as its format tells: the likelier first, both if they are nearly as likely.
    fileprivate var orientations: [Bool] {
        let distances = [self, transposed].map { FormatInformation.candidates($0).first?.distance ?? .max }
        guard let nearest = distances.min(), nearest < .max else { return [] }
        let isMirroredFirst = distances[1] < distances[0]
        return [isMirroredFirst, !isMirroredFirst].filter { distances[$0 ? 1 : 0] <= nearest + 1 }
    }
}

extension [UInt8] {
    /// The modules with rows and columns exchanged.
    fileprivate func transposed(size: Int) -> [UInt8] {
        indices.map { self[$0 % size * size + $0 / size] }
    }
}
