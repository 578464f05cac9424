#if os(Linux)
    import ForceFieldWorker
    import Glibc

    ForceFieldWorker.runIfRequested(roles)
    // Without a force field, the role is the first argument; a second one asks for what programs of people get.
    guard CommandLine.arguments.count > 1, let service = roles[CommandLine.arguments[1]] else { exit(2) }
    if CommandLine.arguments.count > 2 { ForceFieldWorker.run(service()) }
    ForceFieldWorker.serve(service())
#endif
