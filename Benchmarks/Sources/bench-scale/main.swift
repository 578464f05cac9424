import Foundation

// usage: bench-scale film make|encode|decode PATH SIZE
//        bench-scale vault make|open|verify-log|list-log|list-keys|propose|sign FOLDER [KEYS ENTRIES]
//        bench-scale file make|encrypt|decrypt|read FOLDER SIZE
// One operation on something of one size, in a process of its own: a line of JSON {"op", "us", "kB"} with the processor
// time of the best run, and the memory that the first one took beyond what was there before. What it works on is made
// by `make`.

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 3 else {
    print("usage: bench-scale film|vault|file OPERATION PLACE [SIZE...]")
    exit(64)
}
let (kind, operation, place) = (arguments[0], arguments[1], URL(filePath: arguments[2]))
let sizes = arguments[3...].compactMap { Int($0) }
switch kind {
case "film": try Films(place: place, byteCount: sizes[0]).run(operation)
case "vault": try Vaults(folder: place).run(operation, sizes)
case "file": try LongFiles(folder: place, byteCount: sizes[0]).run(operation)
default: exit(64)
}
