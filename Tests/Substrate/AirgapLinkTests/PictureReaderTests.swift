#if os(Linux)
    import ForceField
    import Foundation
    import PictureService
    import TestSupport
    import Testing

    @testable import AirgapLink

    @Suite("Pictures are read in a process of their own", .serialized)
    struct PictureReaderTests {
        private let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        /// Each picture is searched, so that the worker of the tests sees it.
        private static let terms = Workers.terms("PictureTestWorker") { $0.use = .search }

        /// The codes of pictures, and what is said of other items.
        private func items(
            _ films: [[UInt8]], _ change: (inout PictureReader.Terms) -> Void = { _ in }
        ) throws -> [String] {
            var terms = Self.terms
            change(&terms)
            for (index, film) in films.enumerated() { try folder.write(film, to: "\(index).pgm") }
            var input = LinkInput([folder.path], reader: PictureReader(terms))
            var items: [String] = []
            while let item = try input.next() { items.append(Self.text(item)) }
            return items
        }

        private static func text(_ item: LinkItem) -> String {
            switch item {
            case .picture(let seen): "\(seen.codes.map(\.content))"
            case .unread(_, let failure): "\(failure)"
            case .content, .nothing: "no picture"
            }
        }

        @Test(
            "a picture that ends its reader is lost alone, with what happened in plain words",
            arguments: [
                (133, "was ended by SIGABRT"), (134, "was ended by SIGSEGV"),
                (136, "was ended for a forbidden system call (setuid)"), (137, "ended by itself, with code 3"),
            ])
        func deadly(width: Int, words: String) throws {
            let film = try Sample.pgm([1]) + Sample.pgm([2], width: width) + Sample.pgm([3])
            #expect(
                try items([film, Sample.pgm([4])]) == [
                    "[[1]]", "The picture reader \(words); picture 2 is lost, and the others are not.", "[[3]]",
                    "[[4]]",
                ])
        }

        @Test("a reader that tells what cannot be is not believed, and ended")
        func lie() throws {
            let film = try Sample.pgm([1]) + Sample.pgm([2], width: 138) + Sample.pgm([3])
            let items = try items([film])
            #expect(items.count == 3 && items[0] == "[[1]]" && items[2] == "[[3]]")
            #expect(items[1].contains("corners that no code has") && items[1].contains("picture 2 is lost"))
        }

        @Test("a picture that takes too long is lost; the time is that of a picture, whoever needs it")
        func hanging() throws {
            let film = try Sample.pgm([1], width: 135)
            #expect(
                try items([film, film]) { $0.timeLimit = .seconds(5) }
                    == Array(
                        repeating: "The picture reader was ended after 5 s; picture 1 is lost, and the others are not.",
                        count: 2))
        }

        @Test("a film ends so many readers and no more; the next film is read")
        func bound() throws {
            let deadly = try Sample.pgm([1], width: 134)
            let film = Array(repeatElement(deadly, count: 9).joined())
            let items = try items([film, Sample.pgm([7])]) { $0.lossLimit = 3 }
            #expect(items.count == 4 && items[3] == "[[7]]")
            #expect(items[1].hasSuffix("picture 2 is lost, and the others are not."))
            #expect(items[2].hasSuffix("picture 3 is lost, and what comes behind it is not read."))
        }

        /// Pictures of one pixel each.
        private static func manySmall(_ count: Int) -> [UInt8] {
            Array("YUV4MPEG2 W1 H1 F30:1 Cmono\n".utf8)
                + repeatElement(Array("FRAME\n".utf8) + [0xeb], count: count).joined()
        }

        @Test("a film of more pictures than it may have is read so far, by name, and the next film is read")
        func pictureBudget() throws {
            let items = try items([Self.manySmall(5_000), Sample.pgm([7])]) { $0.budget.pictures = 100 }
            #expect(items.count == 102 && items[101] == "[[7]]")
            #expect(
                items[100]
                    == "The film has used up its budget of 100 pictures; what comes behind picture 100 is not read.")
        }

        @Test("a film of more pixels than it may have is read so far")
        func pixelBudget() throws {
            let film = Array(repeatElement(try Sample.pgm([1]), count: 9).joined())
            let items = try items([film]) { $0.budget.pixels = 3 * 200 * 200 }
            #expect(
                items == ["[[1]]", "[[1]]", "[[1]]"] + [
                    "The film has used up its budget of 120000 pixels; what comes behind picture 3 is not read."
                ])
        }

        @Test("the work of all readers of a film counts, also of those that end over it")
        func timeBudget() throws {
            let film = try Sample.pgm([1], width: 135)
            let items = try items([film + film + film + film, Sample.pgm([7])]) {
                $0.timeLimit = .seconds(10)
                $0.lossLimit = 100
                $0.budget.time = .seconds(13)
            }
            // Two readers use it up, or one that a busy machine ends late.
            try #require(3...4 ~= items.count, "\(items)")
            #expect(items.last == "[[7]]", "\(items)")
            #expect(items[items.count - 2].contains("budget of 13 s of its readers' work"))
        }

        @Test("pictures that are damaged, or said to be, count as well")
        func damagedPictures() throws {
            // JPEG files behind each other, none of which is whole.
            let film = Array(repeatElement([0xff, 0xd8, 0xff, 0xd9] as [UInt8], count: 400).joined())
            let items = try items([film]) { $0.budget.pictures = 50 }
            #expect(items.count == 51 && items[50].contains("budget of 50 pictures"), "\(items.count)")
        }

        @Test("the budget's parts are in proportion to its minutes, which have bounds")
        func budget() {
            let five = FilmBudget()
            #expect(five.time == .seconds(300) && five.pictures == 500_000 && five.pixels == 80 << 30)
            #expect(FilmBudget(minutes: 10).pictures == 1_000_000)
            #expect(FilmBudget(minutes: 0) == FilmBudget(minutes: 1))
            #expect(FilmBudget(minutes: .max).processorSeconds == 86_400)
            var spending = FilmSpending()
            #expect(spending.exceeded(of: five) == nil && spending.share(of: five) == 0)
            for _ in 0..<20 { spending.addPixels(width: 1 << 16, height: 1 << 15) }
            #expect(spending.exceeded(of: five) == nil && spending.share(of: five) == 0.5)
            for _ in 0..<20 { spending.addPixels(width: 1 << 16, height: 1 << 15) }
            #expect(spending.exceeded(of: five) == .pixels)
        }

        @Test("each film has a reader that has seen no other")
        func freshReaders() throws {
            let film = try Sample.pgm([9], width: 139)
            #expect(try items([film, film, film]) == Array(repeating: "[[1]]", count: 3))
        }

        @Test("a film that comes through a pipe is read, and given again to a new reader")
        func pipe() throws {
            let pipe = folder.path("film")
            try #require(mkfifo(pipe, 0o600) == 0)
            let film = try Data(Sample.pgm([1]) + Sample.pgm([2], width: 134) + Sample.pgm([3]))
            let writer = Thread { try? FileHandle(forWritingAtPath: pipe)?.write(contentsOf: film) }
            writer.start()
            var input = LinkInput([pipe], reader: PictureReader(Self.terms))
            var items: [String] = []
            while let item = try input.next() { items.append(Self.text(item)) }
            #expect(items.count == 3 && items.first == "[[1]]" && items.last == "[[3]]")
        }

        @Test("a program that is missing, that is no reader, or that is refused, reads nothing and says what to do")
        func programs() throws {
            let picture = folder.path("picture.pgm")
            try Data(Sample.pgm([1])).write(to: URL(filePath: picture))
            func refusal(_ terms: PictureReader.Terms) throws -> String {
                var input = LinkInput([picture], reader: PictureReader(terms))
                do throws(LinkError) { _ = try input.next() } catch { return error.description }
                return "read"
            }
            let missing = try refusal(Workers.terms("no-such-worker"))
            #expect(missing.contains("no-such-worker") && missing.contains("make install-signed"))
            struct Other: Error, CustomStringConvertible { let description = "it is another one" }
            let refused = try refusal(Workers.terms { $0.measure = { _ in throw Other() } })
            #expect(refused.contains("it is another one"))
            #expect(try refusal(Workers.terms()) == "read")
        }

        @Test("without a picture no worker is needed")
        func hexLines() throws {
            let lines = folder.path("lines.hex")
            try Data("0102\n".utf8).write(to: URL(filePath: lines))
            var input = LinkInput([lines], reader: PictureReader(Workers.terms("no-such-worker")))
            guard case .content([1, 2]) = try input.next() else { return #expect(Bool(false)) }
        }
    }
#endif
