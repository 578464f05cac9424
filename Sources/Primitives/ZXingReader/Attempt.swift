import QRCode

/// One way to change a picture before it is searched.
struct Attempt {
    var change: Change = .none
    var isInverted = false
    var isSharpened = false
    var hasGlobalThreshold = false

    enum Change {
        case none, doubled, mirrored, turnedRight, turnedLeft
    }

    /// What reads most and costs least comes first.
    static let all = [
        Attempt(),
        Attempt(isInverted: true),
        Attempt(hasGlobalThreshold: true),
        Attempt(change: .doubled, isSharpened: true),
        Attempt(change: .mirrored),
        Attempt(change: .turnedRight),
        Attempt(change: .turnedLeft),
        Attempt(change: .doubled, isInverted: true, isSharpened: true),
    ]

    /// Pixels beyond which a changed picture is not made: a picture of 2000 by 2000, doubled.
    private static let pixelLimit = 16_000_000

    /// The codes found, with corners in the coordinates of `image`.
    func read(_ image: LumaImage) throws(QRReaderError) -> [QRReading] {
        var picture = image
        let placement = placement(in: image)
        if let placement {
            guard placement.width * placement.height <= Self.pixelLimit else { return [] }
            picture = image.resampled(placement)
        }
        if isSharpened { picture = picture.sharpened }
        if isInverted { picture = picture.inverted }
        let found = try ZXingCall.search(picture, globalThreshold: hasGlobalThreshold)
        guard let placement else { return found }
        return found.map { QRReading(bytes: $0.bytes, corners: $0.corners.map(placement.original)) }
    }

    private func placement(in image: LumaImage) -> Placement? {
        switch change {
        case .none: nil
        case .doubled: .doubling(image)
        case .mirrored: .mirroring(image)
        // About 23 degrees, away from the angles at which the search is weakest.
        case .turnedRight: .turning(image, sine: 5.0 / 13)
        case .turnedLeft: .turning(image, sine: -5.0 / 13)
        }
    }
}
