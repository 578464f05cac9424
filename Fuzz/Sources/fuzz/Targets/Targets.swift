/// Every parser of outside bytes, in the order of the floors.
let targets: [FuzzTarget] = [.scale]
