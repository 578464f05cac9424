#if os(Linux)
    import ArgumentParser
    import CodeMeasurement
    import Console
    import ExecutableImage
    import TextForms
    import Vigil

    struct MeasureSelf: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "self",
            abstract: "Print text2 of this program itself, from its memory and from its file.",
            discussion: """
                With neither option both are printed, and the exit code is 1 if they differ. A program that is patched \
                can print what it likes: this tells whether the machine measures memory as it does files, and nothing \
                about the program.
                """)

        @Flag(help: "Only as it is in memory.")
        var memory = false

        @Flag(help: "Only as it is in its file.")
        var file = false

        @OptionGroup var output: OutputOptions

        private struct Answer: Encodable {
            var path: String
            var memory: String?
            var file: String?
        }

        func run() throws {
            let path = try SelfMeasurement.executablePath()
            var answer = Answer(path: path)
            if memory || !file {
                // Below the root there may be libraries as well; the program is the one of its own path.
                let measurement = try SelfMeasurement()
                let name = String(path.dropFirst(measurement.bundleRoot.count + 1))
                answer.memory = try measurement.digests([.text2]).first { $0.path == name }?.digests.text2?.description
            }
            if file || !memory {
                answer.file = try MeasuredFile.measure(path, kinds: [.text2], architecture: RunningArchitecture.name) {
                    (measured: MeasuredFile) throws(ImageFailure) in measured.digests.images.first?.text2?.description
                }
            }
            let shown = ScreenText.escape(path)
            try output.show(
                answer,
                text: [(answer.memory, "memory"), (answer.file, "file")].compactMap { digest, place in
                    digest.map { "\($0)  \(shown) (\(place))" }
                }.joined(separator: "\n"))
            if let memory = answer.memory, let file = answer.file, memory != file { throw ExitCode(1) }
        }
    }
#endif
