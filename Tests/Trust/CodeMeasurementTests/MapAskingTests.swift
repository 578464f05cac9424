#if os(Linux)
    import CLinux
    import Files
    import Foundation
    import TestSupport
    import Testing

    @testable import CodeMeasurement

    private let kernelAnswers: Bool = {
        guard let maps = try? OpenFile(opening: "/proc/self/maps") else { return false }
        var found = clinux_mapping()
        var name = [CChar](repeating: 0, count: Int(PATH_MAX))
        return clinux_find_mapping(maps.number, 0, 1, &found, &name, name.count) == 0
    }()

    @Suite("Asking for single mappings", .enabled(if: kernelAnswers, "needs Linux 6.11"))
    struct MapAskingTests {
        private let folder: TemporaryFolder
        private let path: String
        private let child: Child
        private let text: String
        private let maps: OpenFile

        init() throws {
            folder = try TemporaryFolder()
            path = folder.path("a program")
            let shell = URL(filePath: "/bin/sh").resolvingSymlinksInPath().path
            try ExecutableCopy.make(of: shell, at: path)
            child = try Child(path, ["-c", "echo ready; read line"])
            text = String(decoding: try KernelFile.bytes("/proc/\(child.process)/maps"), as: UTF8.self)
            maps = try OpenFile(opening: "/proc/\(child.process)/maps")
        }

        private var lines: [String] { text.split(separator: "\n").map(String.init) }

        private func isShown(_ lines: [String], isCode: Bool) throws -> Bool {
            try MemoryMap(Array(lines.map { $0 + "\n" }.joined().utf8)).stillShowsCode(of: maps) { _ in isCode }
        }

        @Test("each mapping is found as the text of the map shows it", arguments: [false, true])
        func agrees(isCode: Bool) throws {
            #expect(lines.count > 10)
            #expect(try isShown(lines, isCode: isCode))
        }

        /// One line, with a word of it replaced: addresses, protection, offset, device, inode, name.
        private func changed(_ line: String, _ word: Int) throws -> String {
            var words = line.split(separator: " ", maxSplits: 5).map(String.init)
            if words.count == 5 { words.append("") }
            switch word {
            case 0:
                let range = words[0].split(separator: "-")
                let end = try #require(UInt64(range[1], radix: 16))
                words[0] = "\(range[0])-\(String(end - 1, radix: 16))"
            case 1: words[1] = words[1].hasSuffix("p") ? words[1].dropLast() + "s" : words[1].dropLast() + "p"
            case 2: words[2] = words[2] == "00001000" ? "00002000" : "00001000"
            case 3: words[3] = words[3] == "08:01" ? "08:02" : "08:01"
            case 4: words[4] += "1"
            default: words[5] = words[5].isEmpty ? "[anon:other]" : words[5] + "x"
            }
            return words.joined(separator: " ")
        }

        @Test("what is another mapping than the text shows is told, whatever it differs in", arguments: 0..<6)
        func differs(word: Int) throws {
            var seen = 0
            for (index, line) in lines.enumerated() where !line.hasSuffix("[vsyscall]") {
                var other = lines
                other[index] = try changed(line, word)
                let isExecutable = line.split(separator: " ")[1].contains("x")
                #expect(try !isShown(other, isCode: true), "\(other[index])")
                // What is no code may change.
                #expect(try isShown(other, isCode: false) == !isExecutable, "\(other[index])")
                seen += isExecutable ? 1 : 0
            }
            #expect(seen >= 3)
        }

        @Test("an executable mapping more or less than the text shows is told, the first and the last too")
        func missing() throws {
            let executable = lines.indices.filter {
                lines[$0].split(separator: " ")[1].contains("x") && !lines[$0].hasSuffix("[vsyscall]")
            }
            #expect(executable.count >= 3)
            for index in executable {
                var fewer = lines
                fewer.remove(at: index)
                #expect(try !isShown(fewer, isCode: false), "\(lines[index])")
            }
            #expect(try !isShown(["1000-2000 r-xp 00000000 00:00 0 "] + lines, isCode: false))
            let last = try #require(executable.last)
            let end = lines[last].split(separator: " ")[0].split(separator: "-")[1]
            var more = lines
            more.insert("\(end)-\(end)1 r-xp 00000000 00:00 0 ", at: last + 1)
            #expect(try !isShown(Array(more.prefix(last + 2)), isCode: false))
        }

        @Test("a file of code that was renamed, and memory that is gone, are told")
        func renamedOrGone() throws {
            #expect(rename(path, path + "x") == 0)
            #expect(try !isShown(lines, isCode: false))
            #expect(rename(path + "x", path) == 0)
            #expect(try isShown(lines, isCode: false))
            kill(child.process, SIGKILL)
            #expect(Child.wait { (try? !isShown(lines, isCode: false)) == true })
        }
    }
#endif
