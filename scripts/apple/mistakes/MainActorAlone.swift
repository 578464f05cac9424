// both: main actor-isolated
import ExtensionFoundation

@available(macOS 26, iOS 26, *)
func start<Extension: AppExtension>(_ type: Extension.Type) -> Extension { type.init() }
