import Testing

/// Tests with real workers. One after the other: some look at what the whole process holds.
@Suite("Running workers", .serialized)
enum RunningTests {}
