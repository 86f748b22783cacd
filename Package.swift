// swift-tools-version: 6.1
import CompilerPluginSupport
import PackageDescription

// Homebrew keeps its ncurses apart from the system's, so there pkg-config must say where. On Debian it is where every
// header is, and pkg-config would only bring flags that SwiftPM warns of.
#if os(macOS)
  let ncursesPackage: String? = "ncursesw"
#else
  let ncursesPackage: String? = nil
#endif

// What reads many megabytes byte by byte, and draws, is optimised in a debug build, too: the model, JSON, archives, revision trees, the
// files, and the terminal's text. That costs a minute of a clean build and saves three of one run of the tests. What stands on them is
// not: to optimise the stores, too, would cost 81 s and save 27. Nor is any of it in an app's build, which checks packages out into a
// folder of this name: older versions of SwiftPM build no dependency with such flags.
let isDependency = Context.packageDirectory.contains("/checkouts/")
let optimised: [SwiftSetting] = isDependency ? [] : [.unsafeFlags(["-O"], .when(configuration: .debug))]

// The 100,000 places that a loader has to fill in take a thirtieth of the room when they are packed (glibc 2.36, Debian 12): 3 MB less
// to read and to hold for whoever opens the program. And nobody looks in it for its functions by name, which Swift would have told all.
let packed: [LinkerSetting] = [
  .unsafeFlags(
    [
      "-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs", "-Xlinker", "--icf=safe",
      "-Xlinker", "--no-export-dynamic",
    ],
    .when(platforms: [.linux], configuration: .release))
]
// What an app chooses by the trait `Macros`, and what of swift-syntax, which takes minutes to build, is used for nothing else.
let withMacros = TargetDependencyCondition.when(traits: ["Macros"])
func ofSwiftSyntax(_ product: String) -> Target.Dependency {
  .product(name: product, package: "swift-syntax", condition: withMacros)
}

// What Parley itself stands on, and none of the libraries for apps. SwiftPM fetches what some target needs by a trait that is on: an
// app that asks for `traits: []` has none of these in its graph, and its own versions of them.
let ofTheDesk = TargetDependencyCondition.when(traits: ["Desk"])
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift", condition: ofTheDesk)
let grdbSQLite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift", condition: ofTheDesk)
let yams = Target.Dependency.product(name: "Yams", package: "Yams", condition: ofTheDesk)
let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser", condition: ofTheDesk)

// Which target stands above which is drawn in Sources/README.md. `TargetImportTests` compare both with what the files import: SwiftPM lets
// an import pass of what a dependency depends on.
// Versions are pinned exactly: a build must not change because somebody else released something.
let package = Package(
  name: "parley",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .executable(name: "parley", targets: ["parley"]),
    .library(name: "Merging", targets: ["Merging"]),
    .library(name: "ArchivedRows", targets: ["ArchivedRows"]),
    // Empty without the trait `Macros`.
    .library(name: "MergeableMacro", targets: ["MergeableMacro"]),
    // For the tests, which preload it into the program: as a product, for nothing may link with it.
    .library(name: "faults", type: .dynamic, targets: ["FaultShim"]),
  ],
  traits: [
    .default(enabledTraits: ["Desk"]),
    .trait(
      name: "Desk",
      description:
        "Parley, the program, and its tests: GRDB, Yams and swift-argument-parser. An app turns it off."),
    .trait(
      name: "Macros",
      description: "The macro @Mergeable, which lists the fields of a row's type. Builds swift-syntax."),
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    // Fetched with the trait only. Not pinned: an app has the version that its other macros ask for, and SwiftPM allows one.
    .package(url: "https://github.com/swiftlang/swift-syntax", "602.0.0"..<"604.0.0"),
  ],
  targets: [
    .target(name: "Merging", dependencies: ["ExactJSON"], swiftSettings: optimised),
    .target(
      name: "MergeableMacro",
      dependencies: ["Merging", .target(name: "MergeableExpansion", condition: withMacros)]),
    .macro(
      name: "MergeableExpansion",
      dependencies: [
        "SwiftCompilerPlugin", "SwiftDiagnostics", "SwiftSyntax", "SwiftSyntaxBuilder", "SwiftSyntaxMacros",
      ].map(ofSwiftSyntax)),
    .target(name: "CTerminal"),
    .target(
      name: "Terminal",
      dependencies: ["CTerminal", yams],
      resources: [
        "auto", "night", "paper", "contrast", "mono", "solarized-dark", "solarized-light", "gruvbox", "nord",
        "dracula", "tokyo-night", "catppuccin",
      ].map { .embedInCode("../../Themes/\($0).yaml") }, swiftSettings: optimised),
    .systemLibrary(
      name: "CNcurses", pkgConfig: ncursesPackage, providers: [.apt(["libncurses-dev"]), .brew(["ncurses"])]),
    .target(name: "Curses", dependencies: ["Terminal", "CNcurses", "CTerminal"]),
    // Every Debian and every Mac has it, and it decodes attachments that a replication left compressed.
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "ExactJSON", swiftSettings: optimised),
    // What of SQLite's interface Swift cannot call, and GRDB does not hand on.
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    // Every Mac has CryptoKit instead.
    .systemLibrary(name: "CCrypto", providers: [.apt(["libssl-dev"])]),
    .target(
      name: "Digests", dependencies: [.target(name: "CCrypto", condition: .when(platforms: [.linux]))]),
    .target(
      name: "StoreInterface",
      dependencies: ["Digests", "Merging", "ExactJSON"], swiftSettings: optimised),
    .target(
      name: "Telling", dependencies: ["Digests", "Merging", "StoreInterface", "ExactJSON"]),
    .target(
      name: "SQLiteFiles",
      dependencies: [
        "Merging", "StoreInterface", "ExactJSON", "CSQLite", grdb, grdbSQLite,
      ], swiftSettings: optimised),
    .target(
      name: "Journals",
      dependencies: [
        "Digests", "Merging", "StoreInterface", "Telling", "ExactJSON", "SQLiteFiles",
        grdb,
      ]),
    .target(
      name: "RowJournals",
      dependencies: [
        "Digests", "ExactJSON", "Merging", "StoreInterface", "SQLiteFiles", "Journals",
        grdb,
      ]),
    .target(name: "KeyedArchives", exclude: ["FORMAT.md"], swiftSettings: optimised),
    // For apps, and apart from the model, which reads no format.
    .target(name: "ArchivedRows", dependencies: ["Merging", "KeyedArchives", "StoreInterface"]),
    .target(
      name: "RevisionTrees",
      dependencies: ["CZlib", "Digests", "Merging", "StoreInterface", "ExactJSON"], swiftSettings: optimised),
    .target(
      name: "SQLiteDataStores",
      dependencies: [
        "Merging", "StoreInterface", "Telling", "ExactJSON", "SQLiteFiles", "Journals", "RowJournals",
        "KeyedArchives",
        grdb,
      ], exclude: ["FOR-APPS.md", "FOR-SUPPORT.md", "FORMAT.md"]),
    .target(
      name: "CloudantStores",
      dependencies: [
        "Digests", "Merging", "StoreInterface", "ExactJSON", "SQLiteFiles", "Journals", "RowJournals",
        "RevisionTrees",
        "CZlib",
        grdb, grdbSQLite,
      ], exclude: ["README.md", "FORMAT.md"]),
    .target(
      name: "SMSyncStores",
      dependencies: [
        "Digests", "Merging", "StoreInterface", "ExactJSON", "SQLiteFiles", "Journals", "RowJournals",
        "KeyedArchives",
        grdb,
      ], exclude: ["README.md", "FORMAT.md"]),
    // Every Mac has libcurl, and every Debian that has curl or git.
    .target(name: "CCurl"),
    .target(name: "HTTP", dependencies: ["CCurl"]),
    // A server takes longer to answer than this to ask: it is not optimised either.
    .target(
      name: "CouchDBStores",
      dependencies: [
        "Digests", "HTTP", "Merging", "StoreInterface", "ExactJSON", "SQLiteFiles", "Journals",
        "RevisionTrees",
        grdb,
      ], exclude: ["README.md", "FORMAT.md"]),
    // A server for the tests and the demo, and no part of any store. To optimise it costs 17 s of a clean build.
    .target(name: "CouchDBServers", dependencies: ["Digests", "ExactJSON", "RevisionTrees"]),
    .target(name: "MemoryStores", dependencies: ["Merging", "StoreInterface"]),
    .target(
      name: "Samples",
      dependencies: [
        "Digests", "Merging", "ExactJSON", "SQLiteFiles", "KeyedArchives", "RevisionTrees",
        "StoreInterface", "SQLiteDataStores",
        "CloudantStores", "CouchDBServers", "SMSyncStores",
        grdb,
      ]),
    // For apps, to be copied: see its only file. Nothing of ours imports it but the test that runs it.
    .target(name: "ParleyOutbox", dependencies: [grdb]),
    // Makes the pages of the libraries above.
    .plugin(
      name: "GenerateDocumentation", capability: .command(intent: .documentationGeneration()),
      path: "Sources/GenerateDocumentation"),
    .target(name: "Simulation", dependencies: ["Merging"]),
    .target(
      name: "Desk",
      dependencies: ["Merging", "StoreInterface", "Telling", "ExactJSON", "Simulation", "Terminal"],
      exclude: ["README.md"]),
    .executableTarget(
      name: "parley",
      dependencies: [
        "Merging", "StoreInterface", "Telling", "ExactJSON", "Simulation", "Terminal", "Curses",
        "SQLiteFiles",
        "Journals",
        "SQLiteDataStores",
        "CloudantStores", "CouchDBStores", "SMSyncStores", "RevisionTrees", "MemoryStores", "Samples",
        "Desk",
        argumentParser, yams,
      ], resources: [.embedInCode("OUTPUT.md")], linkerSettings: packed),
    .testTarget(
      name: "MergingTests",
      dependencies: ["Merging", "ExactJSON", "StoreInterface", "Telling", "TerminalTestSupport"]),
    .testTarget(name: "ArchivedRowsTests", dependencies: ["ArchivedRows", "Merging", "KeyedArchives"]),
    .testTarget(
      name: "MergeableMacroTests", dependencies: ["MergeableMacro", "Merging", "TerminalTestSupport"]),
    .testTarget(name: "SimulationTests", dependencies: ["Simulation", "Merging", "StoreInterface"]),
    .testTarget(name: "TerminalTests", dependencies: ["Terminal"]),
    .target(name: "TerminalTestSupport", path: "Tests/TerminalTestSupport"),
    .target(name: "FaultShim", path: "Tests/FaultShim", publicHeadersPath: "include"),
    .executableTarget(name: "curses-probe", dependencies: ["Curses", "Terminal"], path: "Tests/CursesProbe"),
    .testTarget(
      name: "CursesTests",
      dependencies: ["Curses", "CNcurses", "Terminal", "TerminalTestSupport", "curses-probe"]),
    .testTarget(
      name: "StoresTests",
      dependencies: [
        "TerminalTestSupport", "Digests", "Merging", "StoreInterface", "Telling", "ExactJSON", "SQLiteFiles",
        "Journals",
        "RowJournals",
        "KeyedArchives",
        "RevisionTrees", "SQLiteDataStores", "CloudantStores", "CouchDBServers", "CouchDBStores",
        "SMSyncStores", "HTTP",
        "MemoryStores", "Samples",
        "BenchmarkStores", "ParleyOutbox", "ArchivedRows",
        grdb, grdbSQLite,
      ]),
    .testTarget(
      name: "DeskTests",
      dependencies: [
        "Desk", "Simulation", "Terminal", "Merging", "StoreInterface", "ExactJSON", "Telling", "SMSyncStores",
        "Samples",
      ],
      exclude: ["Golden"]),
    .testTarget(
      name: "ParleyTests",
      dependencies: [
        "parley", "Digests", "Merging", "StoreInterface", "Telling", "ExactJSON", "SQLiteFiles", "Journals",
        "SQLiteDataStores",
        "CloudantStores", "SMSyncStores", "MemoryStores",
        "Samples", "BenchmarkStores", "TerminalTestSupport", "Desk", "Terminal",
        grdb, grdbSQLite, argumentParser,
      ]),
    // Large stores, and what is timed on them: for the benchmark and its own tests.
    .target(
      name: "BenchmarkStores",
      dependencies: [
        "Merging", "StoreInterface", "SQLiteFiles", "KeyedArchives", "SQLiteDataStores", "CloudantStores",
        "CouchDBServers", "Samples", "CMerge",
        grdb,
      ], path: "Tests/BenchmarkStores"),
    // What merging is measured against, in C.
    .target(name: "CMerge", path: "Tests/CMerge"),
    .executableTarget(
      name: "desk-benchmark", dependencies: ["BenchmarkStores", "TerminalTestSupport"],
      path: "Tests/DeskBenchmark"),
  ],
  swiftLanguageModes: [.v6]
)
