/// Says in words what structured arguments are: XCM locations, assets and programs, votes.
///
///     let reader = ArgumentReader(cards: cards, network: specs)
///     let reading = reader.read(beneficiary, as: .location, sentTo: destination)
///
/// Works on the cards of an argument, which are alike for every version of metadata and for proofs. Total: any cards
/// give a reading or nil, in time and lines that the number of cards bounds. Nothing is left out of a reading: what a
/// person does not read may be the one instruction that counts.
struct ArgumentReader {
    let cards: UnsafeBufferPointer<Card>
    let network: NetworkSpecs
    /// nil for a chain that this program does not know.
    let chain: KnownChain?

    enum Limits {
        /// How many programs may stand inside each other.
        static let programDepth = 8
    }

    init(cards: UnsafeBufferPointer<Card>, network: NetworkSpecs) {
        self.cards = cards
        self.network = network
        chain = KnownChain.withGenesis(network.genesisHash)
    }

    /// - Parameters:
    ///   - range: the cards of an argument's value.
    ///   - destination: the cards of the argument that names the chain on which the value is understood, for what is
    ///     sent away (the beneficiary of a transfer, a message); nil for this chain.
    ///   - bringsAssets: whether a program is sent along with assets.
    /// - Returns: nil where the cards do not have the shape of the kind: the reader then knows nothing about them.
    func read(
        _ range: Range<Int>, as kind: StructuredKind, sentTo destination: Range<Int>? = nil, bringsAssets: Bool = false
    ) -> ArgumentReading? {
        var place = Location.here
        if let destination {
            guard let found = location(in: destination) else { return nil }
            place = found
        }
        var cursor = CardCursor(cards, range)
        let course = ProgramReader.Course(holdsAssets: bringsAssets)
        guard let reading = read(&cursor, as: kind, at: place, begins: course), cursor.isAtEnd else { return nil }
        return reading
    }

    private func read(
        _ cursor: inout CardCursor, as kind: StructuredKind, at place: Location, begins course: ProgramReader.Course
    ) -> ArgumentReading? {
        switch kind {
        case .location: readLocation(&cursor, at: place)
        case .beneficiary: readBeneficiary(&cursor, at: place)
        case .locations: readLocations(&cursor, at: place)
        case .assetID: readAssetIDs(&cursor, isList: false)
        case .assetIDs: readAssetIDs(&cursor, isList: true)
        case .asset, .assets: readAssets(&cursor, at: place)
        case .program: readProgram(&cursor, at: place, begins: course)
        case .transferType: readTransferType(&cursor)
        case .vote: readVote(&cursor)
        case .conviction: readConviction(&cursor)
        case .approval: readApproval(&cursor)
        case .payee: readPayee(&cursor)
        case .origin: readOrigin(&cursor)
        case .moment: readMoment(&cursor)
        case .callReference: readCallReference(&cursor)
        case .wideNumber: WideNumber(&cursor).map { ArgumentReading(lines: [[.number($0.text)]]) }
        }
    }
}
