import TestSupport

typealias Folder = TemporaryFolder
