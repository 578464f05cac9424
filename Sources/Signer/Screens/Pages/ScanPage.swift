/// The page of the camera, from which transactions and updates come.
extension Pages {
    var scan: Content {
        Content(
            title: "Scan",
            body: [
                .scanner(
                    Scanner(
                        purpose: .payload,
                        advice:
                            "Hold the code before the camera: transactions, updates, keys. Moving codes take a while.")),
                .fold(
                    title: "Without a code",
                    [
                        .text(
                            "What is in a file, or typed, is shown as a scanned payload is. Nothing is signed by that."),
                        .field(
                            Field(
                                "payload", label: "Payload as hexadecimal digits", kind: .text(""),
                                hint: "With or without 0x. Longer ones than 60,000 digits are opened as a file.")),
                        .buttons([
                            Control(
                                "read-payload", label: "Look at it", icon: .forward, does: .core([typedPayload])),
                            Control("open-payload", label: "Open a file", icon: .document, does: .window(.openPayload)),
                        ]),
                    ]),
            ], bar: scanning)
    }

    /// Takes the payload that is typed.
    var typedPayload: CoreCall {
        CoreCall(
            .transactionFetched, .payload("payload"),
            needs: [
                CoreCall.Need(
                    .isPayload("payload"),
                    otherwise:
                        "The payload is not hex: an even number of the digits 0-9 and a-f, up to 60,000, is expected.")
            ])
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
