#if canImport(CAdwaita)
    import Adwaita
    import Glibc

    // Programs with widgets have to run on their main thread, which no test does; so tests start this one.
    let arguments = CommandLine.arguments.dropFirst()
    let application = Application(name: "casemate-test")
    exit(application.run { HostTests.run(Array(arguments), in: $0) })
#else
    print("built without GTK")
#endif
