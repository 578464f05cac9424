#if os(Linux)
    import ForceFieldTestMethods
    import ForceFieldWorker
    import Foundation

    /// A worker that links Foundation, whose `UUID()` is the same every time where there is no `/dev/urandom`.
    var service = Service()
    service.handle(TestMethods.configured) { _, _ in UUID().uuidString }
    service.acceptsConstantUUID = CommandLine.arguments.count > 1
    ForceFieldWorker.run(service)
#endif
