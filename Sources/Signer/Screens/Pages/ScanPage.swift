/// The camera.
extension Pages {
    var scan: Content {
        Content(
            title: "Scan",
            body: [
                .scanner(
                    Scanner(
                        purpose: .payload,
                        advice:
                            "Hold the code before the camera: transactions, updates, keys. Moving codes take a while."))
            ], bar: scanning)
    }

    /// How pictures come, and how a scan ends.
    var scanning: [Control] {
        [
            Control("camera", label: "Camera", icon: .camera, style: .suggested, does: .window(.startCamera)),
            Control("film", label: "Open pictures", icon: .film, does: .window(.openFilm)),
            Control("restart", label: "Begin anew", icon: .previous, does: .window(.restartScanning), isOfScan: true),
            Control("stop", label: "Give up", icon: .close, does: .window(.stopScanning), isOfScan: true),
        ]
    }
}
