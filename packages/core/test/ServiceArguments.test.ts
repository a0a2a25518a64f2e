/** What an app that embeds the core may not pass to its services: it is refused as over HTTP. */
import { assert, layer } from "@effect/vitest"
import { testDatabase } from "@filedrive/testing"
import { Context, Duration, Effect, Exit, Layer, Option } from "effect"
import { inspect } from "node:util"
import { AccountTransaction } from "../src/accounts/AccountTransaction.ts"
import { ApiTokens } from "../src/accounts/ApiTokens.ts"
import { Archives } from "../src/archives/Archives.ts"
import { Database } from "../src/database/Database.ts"
import * as Drive from "../src/Drive.ts"
import { Events } from "../src/events/Events.ts"
import { Downloads } from "../src/files/Downloads.ts"
import { FileAccess } from "../src/files/FileAccess.ts"
import { Trash } from "../src/files/Trash.ts"
import { Imports } from "../src/imports/Imports.ts"
import { Library } from "../src/library/Library.ts"
import { Covers } from "../src/media/Covers.ts"
import { Extraction } from "../src/media/Extraction.ts"
import { Reading } from "../src/media/Reading.ts"
import { Soundprints } from "../src/media/Soundprints.ts"
import { FolderMoves } from "../src/organize/FolderMoves.ts"
import { FolderTree } from "../src/organize/FolderTree.ts"
import { ListContents } from "../src/organize/ListContents.ts"
import { Lists } from "../src/organize/Lists.ts"
import { Tags } from "../src/organize/Tags.ts"
import { Search } from "../src/search/Search.ts"
import { InvalidField } from "../src/shared/DriveError.ts"
import { Shares } from "../src/shares/Shares.ts"
import { Forms } from "../src/uploads/Forms.ts"
import { Uploads } from "../src/uploads/Uploads.ts"
import { Views } from "../src/views/Views.ts"
import { as, TestAccounts } from "./TestAccounts.ts"
import { Ports } from "./TestHttp.ts"

const EmbeddedDrive = Drive.layer.pipe(
  Layer.provideMerge(TestAccounts.layer),
  Layer.provideMerge(Ports),
  Layer.provideMerge(testDatabase()),
  Layer.orDie
)

const nobody = "019845e1-682f-7b02-a706-3b2422d13aec"
const many = Array.from({ length: 200_001 }, () => nobody)

/** What none of a kind may be. */
const id = [undefined, null, "", "7", 7, NaN, {}, [], `${nobody}\u0000`, "\ud800"]
const someIds = [undefined, null, "x", 7, {}, [null], ["7"], [7], [nobody, `${nobody}\u0000`], many]
const ids = [...someIds, []]
/** Over HTTP only the body's size bounds these. */
const anyNumber = ids.filter((value) => value !== many)
const text = [undefined, null, 7, {}, [], "a\u0000", "a\ud800"]
const long = "x".repeat(200_000)
const name = [...text, "", long, "a\nb"]
const path = [...text, "a", "/a\n", `/${long}`]
const choice = [undefined, null, "x", 7, {}, "a\u0000"]
const yesNo = [undefined, null, "yes", 1, {}]
const amount = [-1, NaN, Infinity, "1", {}, null]
const count = [...amount, 1.5, 1e12]
const part = [...amount, 1.5]
const given = [undefined, null, 7, "x", []]
const optional = (values: ReadonlyArray<unknown>) => values.filter((value) => value !== undefined)

const to = (paths: ReadonlyArray<unknown>) => paths.map((path) => ({ path, field: "folder" }))

/** Where nothing can go, whatever it is. The top of the drive is `null`, so a missing id is none. */
const noPlace = [
  undefined,
  null,
  {},
  7,
  ...id.filter((value) => value !== null).map((id) => ({ id })),
  ...to(optional(text))
]

/** With paths that are none, which some calls only read once they have found what is to move. */
const place = [...noPlace, ...to(optional(path))]

type Services = Layer.Success<typeof EmbeddedDrive>
type Row = readonly [
  what: string,
  service: Context.Key<Services, unknown>,
  method: string,
  args: ReadonlyArray<unknown>,
  wrong: ReadonlyArray<ReadonlyArray<unknown>>
]

/** A call that would be fine, and what each of its arguments may not be. */
const row = <Id extends Services, Shape, Name extends keyof Shape & string>(
  service: Context.Key<Id, Shape>,
  method: Name,
  ...wrong: ReadonlyArray<readonly [good: unknown, bad: ReadonlyArray<unknown>]>
): Row => [
  `${service.key.split("/").at(-1)}.${method}`,
  service as never,
  method,
  wrong.map(([good]) => good),
  wrong.map(([, bad]) => bad)
]

/** The fields of an object, each beside others that are fine. */
const fieldsOf = (
  good: object,
  bad: Readonly<Record<string, ReadonlyArray<unknown>>>
): readonly [unknown, ReadonlyArray<unknown>] => [
  good,
  [...given, ...Object.entries(bad).flatMap(([field, values]) => values.map((value) => ({ ...good, [field]: value })))]
]

const top = { id: null }
const aList = [nobody, id] as const

const rows: ReadonlyArray<Row> = [
  row(Trash, "put", [[nobody], ids]),
  row(Trash, "restore", [[nobody], anyNumber]),
  row(Trash, "delete", [[nobody], ids]),
  row(Downloads, "link", [nobody, id]),
  row(
    Downloads,
    "publicLink",
    [nobody, id],
    fieldsOf({ address: "::1", userAgent: "a" }, { address: text, userAgent: text })
  ),
  row(FileAccess, "toggle", [nobody, id]),
  row(Forms, "cancel", ["users/a/b", text]),
  row(Uploads, "signParts", ["t", text], [[1], [undefined, null, [], [0], [1.5], ["1"], [NaN], [-1], many]]),
  row(Uploads, "complete", ["t", text]),
  row(Uploads, "abort", ["t", text]),
  row(
    Imports,
    "start",
    fieldsOf({ url: "https://a.example/b" }, {
      url: [...text, long, "ftp://a"],
      fileName: optional(name),
      description: [7, {}, "a\u0000", long],
      to: optional(place)
    })
  ),
  row(Imports, "select", [[nobody], ids]),
  row(
    Archives,
    "create",
    fieldsOf({ fileIds: [nobody] }, {
      fileIds: optional(ids),
      galleryId: optional(id),
      playlistId: optional(id),
      title: optional(text)
    })
  ),
  row(Archives, "select", [[nobody], ids]),
  row(Archives, "delete", aList),
  row(ApiTokens, "revoke", aList),
  row(FolderMoves, "files", [[nobody], ids], [top, noPlace]),
  row(FolderMoves, "fromFolder", aList, [top, noPlace]),
  row(FolderTree, "create", ["/a", path]),
  row(FolderTree, "rename", aList, ["a", name]),
  row(FolderTree, "move", aList, [top, noPlace], ["folder", []]),
  row(FolderTree, "delete", aList, ["parent", choice]),
  row(Tags, "change", [[nobody], ids], [["a"], [
    undefined,
    null,
    "a",
    [],
    [7],
    ["a\u0000"],
    ["\ud800"],
    [long],
    Array(5_000).fill("a")
  ]], [
    "add",
    choice
  ]),
  row(Tags, "changeOne", [[nobody], ids], aList, ["add", choice]),
  row(Tags, "rename", aList, ["a", name]),
  row(Tags, "delete", aList),
  ...["playlist", "gallery"].flatMap((kind) => [
    row(
      Lists,
      "create",
      [kind, choice],
      fieldsOf({ title: "a" }, {
        title: name,
        description: [7, {}, "a\u0000", long],
        isPublic: optional(yesNo),
        fileIds: optional(someIds),
        featuredIds: optional(someIds).filter((value) => value !== null)
      })
    ),
    row(Lists, "add", [kind, choice], aList, [[nobody], ids], [
      [nobody],
      optional(someIds).filter((value) => value !== null)
    ]),
    row(Lists, "reorder", [kind, choice], aList, [[nobody], ids], [
      null,
      optional(someIds).filter((value) => value !== null)
    ]),
    row(Lists, "remove", [kind, choice], aList, [[nobody], ids]),
    row(Lists, "rename", [kind, choice], aList, ["a", name]),
    row(Lists, "describe", [kind, choice], aList, ["a", [...text, long]]),
    row(Lists, "setPublic", [kind, choice], aList, [true, yesNo]),
    row(Lists, "delete", [kind, choice], aList),
    row(ListContents, "page", [kind, choice], aList, [{}, [
      ...count.map((limit) => ({ limit })),
      ...count.map((offset) => ({ offset }))
    ]], [
      Option.none(),
      optional(given)
    ])
  ]),
  row(Lists, "setCover", aList, aList),
  row(Shares, "share", [[nobody], ids], [[nobody], ids]),
  row(Shares, "unshare", [[nobody], ids], [[nobody], ids]),
  row(Shares, "select", [[nobody], ids]),
  row(Shares, "sharedWithMe", fieldsOf({}, { cursor: optional(text), limit: count })),
  row(Library, "list", ["files", choice]),
  row(
    Search,
    "search",
    fieldsOf({}, {
      text: [7, "a\u0000", long],
      types: [["x"], "x", [7]],
      tags: [[7], ["a\u0000"]],
      folder: ["a", "/a\u0000", 7],
      isPublic: optional(yesNo),
      uploadedAfter: ["2026-01-01T00:00:00Z", new Date(NaN), 7],
      minDuration: amount,
      maxSize: [...amount, 1.5],
      key: ["H", "a\u0000", 7],
      within: [{}, 7, { south: -91, west: 0, north: 0, east: 0 }, { south: NaN, west: 0, north: 0, east: 0 }],
      sort: ["size", 7, null],
      limit: count,
      offset: [...amount, 1.5]
    })
  ),
  row(
    Views,
    "select",
    fieldsOf({}, { fileIds: optional(ids), since: ["x", 7, "2026-02-30"], limit: count, folder: ["a", "/\u0000", 7] })
  ),
  row(
    Events,
    "select",
    fieldsOf({}, { since: ["x", "a\u0000", 7], kinds: [[], ["x"], "x"], limit: count, fileId: optional(id) })
  ),
  row(
    Events,
    "follow",
    fieldsOf({}, { since: ["x", "a\u0000", 7], kinds: [[], ["x"], "x"], folder: ["a", "/\u0000", 7] }),
    [undefined, ["garbage", null, 7, Duration.zero, Duration.seconds(-1)]],
    [undefined, ["garbage", null, 7, {}]]
  ),
  row(
    Reading,
    "read",
    fieldsOf({ fileId: nobody }, { fileId: id, at: amount, fromPage: part, toPage: part, offset: part })
  ),
  row(
    Covers,
    "set",
    fieldsOf({ imageId: nobody, trackId: nobody }, { imageId: id, trackId: id, playlistId: optional(id) })
  ),
  row(
    Covers,
    "setVideoThumbnail",
    fieldsOf({ videoId: nobody, timestampSeconds: 1 }, { videoId: id, timestampSeconds: amount, imageId: optional(id) })
  ),
  row(Extraction, "request", [[nobody], anyNumber]),
  row(Soundprints, "similar", aList, [20, optional(count)])
]

/** An error that names the field in a sentence; the body itself where the operation's body is a list. */
const isRefused = (error: unknown): boolean =>
  error instanceof InvalidField && ["invalid_field", "missing_field"].includes(error.code)
  && /^(?:The body|[\w.[\]]+)(?: (?:must|is)|:) .*[^.]\.$/.test(error.message)

layer(EmbeddedDrive)("core's services", (it) => {
  /** How many rows each table of the drive has. */
  const stored = Effect.gen(function*() {
    const { schema, sql } = yield* Database
    const tables = yield* sql<{ readonly name: string }>`
      SELECT table_name AS name FROM information_schema.tables WHERE table_schema = ${schema} ORDER BY table_name
    `
    return yield* Effect.forEach(tables, ({ name }) =>
      Effect.map(
        sql<{ readonly rows: number }>`SELECT count(*)::int AS rows FROM ${sql(schema)}.${sql(name)}`,
        ([found]) => [name, found?.rows]
      ))
  })

  it.effect("HOST-45 whatever is passed is refused naming the field, as over HTTP, and nothing is stored", () =>
    Effect.gen(function*() {
      const me = yield* (yield* TestAccounts).add()
      yield* (yield* AccountTransaction).open(me)
      const services = yield* Effect.context<Services>()
      const before = yield* stored
      const unlike: Array<string> = []
      for (const [what, service, method, args, wrong] of rows) {
        const shape = Context.getUnsafe(services, service) as Record<
          string,
          (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown>
        >
        for (const [at, values] of wrong.entries()) {
          for (const value of values) {
            const exit = yield* Effect.exit(
              Effect.suspend(() => shape[method]!(...args.with(at, value))).pipe(as(me))
            )
            const call = `${what}(${
              inspect(args.with(at, value), { depth: 4, maxArrayLength: 2, maxStringLength: 40 })
            })`
            const error = Exit.isFailure(exit) ? Option.getOrUndefined(Exit.findErrorOption(exit)) : "was taken"
            if (!isRefused(error)) unlike.push(`${call}: ${inspect(error ?? exit).slice(0, 300)}`)
          }
        }
      }
      assert.deepStrictEqual(unlike, [])
      assert.deepStrictEqual(yield* stored, before)
    }))
})
