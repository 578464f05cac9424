#if os(Linux)
    import ArgumentParser
    import BasicFoundation
    import CodeMeasurement
    import Console
    import ExecutableImage
    import Files
    import TextForms
    import Vigil

    struct MeasureProcess: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "pid",
            abstract: "Look at a running program as a validator does, by the file that it runs.",
            discussion: """
                No manifest is asked: whether the file itself is the right one is told by its text2. Levels, as a mask:
                  0x02  the file is hashed
                  0x04  the memory map has its shape
                  0x08  no page of code is a private copy
                  0x10  the code in memory is hashed and compared with the file
                  0x20  the rules of behaviour that are always on: no debugger,
                        no preloading, nothing writable and executable
                  0x40  this program itself may open all of that
                With each of 0x08, 0x10 and 0x20, 0x04 is taken as well.

                Exits with 1 if something is found, with 4 if the process cannot be looked at, \
                or not by each level that was asked for.
                """)

        @Argument(help: "The number of the process.")
        var process: Int32

        @Option(help: "Which levels are taken, as a mask.", transform: Self.levels)
        var levels = Levels.requiredByDefault

        @OptionGroup var output: OutputOptions

        private struct Answer: Encodable {
            var pid: Int32
            var executable: String
            var text2: String?
            /// The levels that were taken.
            var levels: UInt8
            var reason: String
            var finding: Finding?
        }

        private static func levels(_ text: String) throws -> Levels {
            let digits = text.lowercased().hasPrefix("0x") ? String(text.dropFirst(2)) : nil
            guard let mask = digits.map({ UInt8($0, radix: 16) }) ?? UInt8(text),
                Levels(rawValue: mask).isSubset(of: .all)
            else { throw ValidationError("--levels takes a mask from 0 to 0x7f.") }
            return Levels(rawValue: mask)
        }

        func run() throws {
            let answer: Answer
            do {
                answer = try measure()
                if answer.finding == nil { try check(Levels(rawValue: answer.levels)) }
            } catch {
                throw Failure.process(process, error)
            }
            try output.show(answer, text: text(answer))
            if answer.finding != nil { throw ExitCode(1) }
        }

        private func text(_ answer: Answer) -> String {
            let path = ScreenText.escape(answer.executable)
            let levels = "levels 0x" + String(answer.levels, radix: 16)
            guard let finding = answer.finding else { return "\(answer.text2 ?? "-")  \(path) (\(levels))" }
            let place = [
                finding.path.map { ScreenText.escape($0) }, finding.segment.map { "segment \($0)" },
                finding.pages.isEmpty ? nil : "page " + finding.pages.map(String.init).joined(separator: ", "),
            ].compactMap { $0 }.joined(separator: ", ")
            return "\(answer.text2 ?? "-")  \(path) (\(levels))\n\(answer.reason): \(ScreenText.escape(finding.text))"
                + (place.isEmpty ? "" : " (\(place))")
        }

        /// Why others than this kernel may decide what the file holds, as a validator judges it; nil if none do.
        private static func objection(to executable: OpenFile, at path: String) -> String? {
            var status = stat()
            let isHere =
                lstat(path, &status) == 0 && FileKey(status) == (try? FileKey(descriptor: executable.number))
            return FileSystemKind.objection(
                toMeasuring: executable, isRoots: isHere && TrustedPath.isRoots(status, at: path))
        }

        private func measure() throws(MeasurementRefusal) -> Answer {
            let observed = try ObservedProcess(process)
            var policy = MeasurementPolicy()
            policy.levels = levels
            var measurement = try ProcessMeasurement(of: observed, policy: policy)
            let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")) ?? "?"
            guard let executable = measurement.handles.executable else {
                throw MeasurementRefusal(
                    .unmeasurable, "its file may not be read; only root may look into this process")
            }
            if let objection = Self.objection(to: executable, at: path) {
                throw MeasurementRefusal(.unmeasurable, Finding("\(path): \(objection)", path: path))
            }
            do throws(ImageFailure) {
                let number = fcntl(executable.number, F_DUPFD_CLOEXEC, 0)
                guard number >= 0 else { throw .unreadable(offset: nil, reason: String(cString: strerror(errno))) }
                let opened = try OpenedFile(taking: number)
                let parsed = try ExecutableFile(parsing: opened)
                guard let image = parsed.images.first,
                    let main = try? MeasuredImage(path: path, descriptor: executable.number, image)
                else { throw .refused(.badMagic, offset: 0) }
                let wantsDigest = !levels.isDisjoint(with: [.files, .contents])
                let digest =
                    wantsDigest ? try parsed.digests([.text2], of: [image]).images.first?.text2 : nil
                let program = MeasuredProgram(main: main)
                let contents: ProcessMeasurement.ContentCheck = { (memory, biases) throws(ImageFailure) in
                    let found = try image.digests([.text2], in: memory, slide: biases.first.flatMap { $0 } ?? 0).text2
                    return found?.bytes == digest?.bytes
                        ? nil : Finding("the code in memory is not that of the file", path: path)
                }
                let outcome = measurement.look(at: program, contents: levels.contains(.contents) ? contents : nil)
                let taken = outcome.levels.union(digest == nil ? [] : .files)
                return Answer(
                    pid: process, executable: path, text2: digest?.description, levels: taken.rawValue,
                    reason: "\(outcome.reason)", finding: outcome.finding)
            } catch {
                throw MeasurementRefusal(.unmeasurable, "\(path): \(error)")
            }
        }

        /// Whether every level was taken that was asked for: what was not looked at is not as it has to be.
        private func check(_ taken: Levels) throws(MeasurementRefusal) {
            // What the process says of itself is told to a validator alone.
            let missing = levels.subtracting(taken).subtracting(.selfReported)
            guard missing.isEmpty else {
                throw MeasurementRefusal(
                    .unmeasurable, Finding("the levels 0x\(String(missing.rawValue, radix: 16)) cannot be taken"))
            }
        }
    }
#endif
