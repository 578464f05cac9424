#if os(Linux)
    import ForceFieldWorker
    import Glibc

    ForceFieldWorker.runIfRequested(roles)
    // Without a force field, the role is the first argument.
    guard CommandLine.arguments.count > 1, let service = roles[CommandLine.arguments[1]] else { exit(2) }
    ForceFieldWorker.run(service())
#endif
