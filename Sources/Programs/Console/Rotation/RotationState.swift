/// What `rotate --status` says of a vault: how much of it is still under old keys.
package struct RotationState: Encodable {
    package struct Place: Encodable {
        var place: String
        var total: Int
        var old: Int

        package init(_ place: String, total: Int, old: Int) {
            self.place = place
            self.total = total
            self.old = old
        }
    }

    var rotating: Bool
    /// The number of the active epoch.
    var epoch: UInt32
    var places: [Place]

    package init(isRotating: Bool, epoch: UInt32, places: [Place]) {
        rotating = isRotating
        self.epoch = epoch
        self.places = places
    }

    /// - Parameter command: that goes on with a rotation.
    package func text(goOnWith command: String) -> String {
        (rotating
            ? "A rotation to epoch \(epoch) is under way. Go on with: \(command)\n" : "Epoch \(epoch) is active.\n")
            + Table.text(["PLACE", "VALUES", "OLD"], places.map { [$0.place, "\($0.total)", "\($0.old)"] })
    }
}
