/** What an app that embeds the core may not pass to its services: it doesn't compile. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TokenName } from "../src/accounts/AccountInput.ts"
import { AccountsAdmin } from "../src/accounts/AccountsAdmin.ts"
import { ApiTokenText } from "../src/accounts/ApiToken.ts"
import { ApiTokens } from "../src/accounts/ApiTokens.ts"
import { unlimited } from "../src/accounts/CurrentAccount.ts"
import { Quota } from "../src/accounts/Quota.ts"
import { SessionToken } from "../src/accounts/Session.ts"
import { Sessions } from "../src/accounts/Sessions.ts"
import { ArchiveTitle } from "../src/archives/Archive.ts"
import { Archives } from "../src/archives/Archives.ts"
import { Events } from "../src/events/Events.ts"
import * as FileDetail from "../src/files/FileDetail.ts"
import { FileDetails } from "../src/files/FileDetails.ts"
import { Files } from "../src/files/Files.ts"
import { ObjectKey } from "../src/files/ObjectKey.ts"
import { Trash } from "../src/files/Trash.ts"
import { ImportUrl } from "../src/imports/Import.ts"
import { Imports } from "../src/imports/Imports.ts"
import { NewThumbnail } from "../src/media/Cover.ts"
import { Covers } from "../src/media/Covers.ts"
import { ReadRequest } from "../src/media/ReadAnswer.ts"
import { Reading } from "../src/media/Reading.ts"
import { SimilarLimit, Soundprints } from "../src/media/Soundprints.ts"
import { FolderTree } from "../src/organize/FolderTree.ts"
import { ListLimit, ListOffset, ListTitle } from "../src/organize/List.ts"
import { ListContents } from "../src/organize/ListContents.ts"
import { Lists } from "../src/organize/Lists.ts"
import { TagText } from "../src/organize/Tag.ts"
import { Tags } from "../src/organize/Tags.ts"
import { Search } from "../src/search/Search.ts"
import { SearchQuery } from "../src/search/SearchQuery.ts"
import { FolderName, Path } from "../src/shared/FolderPath.ts"
import { AccountId, FileId, FolderId, ListId, SessionId, TagId } from "../src/shared/Ids.ts"
import { SharedFilesPage } from "../src/shares/Share.ts"
import { Shares } from "../src/shares/Shares.ts"
import { FileInput } from "../src/uploads/FileInput.ts"
import { FormEnds } from "../src/uploads/FormEnds.ts"
import { Forms } from "../src/uploads/Forms.ts"
import { PartNumber } from "../src/uploads/PartPlan.ts"
import { UploadToken } from "../src/uploads/Upload.ts"
import { Uploads } from "../src/uploads/Uploads.ts"
import { Views } from "../src/views/Views.ts"
import { ViewsQuery } from "../src/views/ViewsQuery.ts"

const uuid = "019845e1-682f-7b02-a706-3b2422d13aec"
const [file, folder, list, tag] = [FileId.make(uuid), FolderId.make(uuid), ListId.make(uuid), TagId.make(uuid)]
const input = {
  type: "Other" as const,
  fileName: FileDetail.FileName.make("a.txt"),
  fileSize: FileDetail.FileSize.make(5),
  objectKey: ObjectKey.make(`users/${uuid}/a.txt`)
}
const token = UploadToken.make("fdu_x")
const account = AccountId.make(uuid)
const apiToken = ApiTokenText.make("x".repeat(32))
const newToken = { name: TokenName.make("a"), limits: unlimited, expireTime: null }

/** What each of a noun's values may not be. */
const refused: ReadonlyArray<readonly [schema: Schema.Codec<unknown, unknown>, wrong: ReadonlyArray<unknown>]> = [
  [FileDetail.FileName, ["", " ", "a\u0000", "a\ud800", "a\r\nb", "x".repeat(5_000), 7, undefined]],
  [FileDetail.FileSize, [-1, 1.5, NaN, Infinity, "5", Number.MAX_SAFE_INTEGER]],
  [FileDetail.MimeType, ["text/plain\r\nx: y", "a", 7]],
  [FileDetail.Description, ["a\u0000", "x".repeat(10_001), 7, undefined]],
  [ObjectKey, ["users/x\u0000", "a", 7, undefined]],
  [FileInput, [{ ...input, type: "Nothing" }, { ...input, fileSize: undefined }]],
  [PartNumber, [0, -1, 1.5, "1"]],
  [ImportUrl, ["", "a\nb", "x".repeat(9_000)]],
  [Path, ["a", "/a\n", "/a\u0000", "/a//b", `/${"x".repeat(300)}`, "/a".repeat(33), 7]],
  [FolderName, ["", "a/b", "a\n", "x".repeat(300)]],
  [TokenName, ["", "a\n", "x".repeat(201), 7]],
  [SessionId, ["", uuid, "A".repeat(64), "0".repeat(63), 7]],
  [TagText, ["", " ", "a\u0000", "x".repeat(101)]],
  [ListTitle, ["", "a\n", "x".repeat(201)]],
  [ListLimit, [0, 201, 1.5, "1"]],
  [ListOffset, [-1, 2 ** 31, 0.5]],
  [ArchiveTitle, ["", "a\n", "x".repeat(201)]],
  [SearchQuery, [{ text: "a\u0000" }, { folder: "a" }, { key: "H" }, { minSize: 1.5 }, { limit: 0 }, { sort: "size" }]],
  [ViewsQuery, [{ since: "2026-02-30" }, { limit: 101 }, { folder: "a" }, { fileIds: [] }]],
  [SharedFilesPage, [{ limit: 0 }, { cursor: 7 }]],
  [ReadRequest, [{ fileId: uuid, at: -1 }, { fileId: uuid, fromPage: 0 }, { fileId: uuid, offset: 0.5 }]],
  [NewThumbnail, [{ videoId: uuid, timestampSeconds: NaN }, { videoId: uuid, timestampSeconds: -1 }]],
  [SimilarLimit, [0, 101, 1.5]]
]

describe("checked types", () => {
  it("HOST-33 HOST-45 make no value of what the routes refuse", () => {
    for (const [schema, wrong] of refused) {
      const read = Schema.decodeUnknownOption(schema)
      for (const value of wrong) assert.strictEqual(read(value)._tag, "None", JSON.stringify(value)?.slice(0, 60))
      assert.throws(() => schema.make(wrong[0]))
    }
  })

  it("HOST-33 raw values of files and uploads don't compile", () => {
    // Never run: the compiler reads it.
    const calls = () => [
      FileDetails.use((details) =>
        Effect.all([
          // @ts-expect-error a name is a FileName
          details.rename(file, "a.txt"),
          // @ts-expect-error a description is a Description
          details.describe(file, "words")
        ])
      ),
      Forms.use((forms) =>
        Effect.all([
          // @ts-expect-error a name is a FileName
          forms.create({ ...input, fileName: "a.txt" }),
          // @ts-expect-error a size is a FileSize
          forms.create({ ...input, fileSize: 5 }),
          // @ts-expect-error a media type is a MimeType
          forms.create({ ...input, mimeType: "text/plain" }),
          // @ts-expect-error a key is an ObjectKey
          forms.cancel("users/a/b")
        ])
      ),
      Uploads.use((uploads) =>
        Effect.all([
          // @ts-expect-error a token is an UploadToken
          uploads.complete("fdu_x"),
          // @ts-expect-error a part is a PartNumber
          uploads.signParts(token, [1])
        ])
      ),
      Imports.use((imports) =>
        Effect.all([
          // @ts-expect-error a link is an ImportUrl
          imports.start({ url: "https://a.example/b" })
        ])
      )
    ]
    assert.isFunction(calls)
  })

  it("HOST-45 raw values of everything else don't compile", () => {
    const calls = () => [
      FolderTree.use((tree) =>
        Effect.all([
          // @ts-expect-error a path is a FolderPath.Path
          tree.create("/a"),
          // @ts-expect-error a name is a FolderName
          tree.rename(folder, "a"),
          // @ts-expect-error a destination's path is one too
          tree.move(folder, { path: "/a", field: "folder" }, "folder")
        ])
      ),
      Tags.use((tags) =>
        Effect.all([
          // @ts-expect-error a tag's text is a TagText
          tags.change([file], ["a"], "add"),
          // @ts-expect-error a tag's text is a TagText
          tags.rename(tag, "a")
        ])
      ),
      Lists.use((lists) =>
        Effect.all([
          // @ts-expect-error a title is a ListTitle
          lists.create("playlist", { title: "a" }),
          // @ts-expect-error a title is a ListTitle
          lists.rename("gallery", list, "a"),
          // @ts-expect-error a description is a Description
          lists.describe("gallery", list, "a")
        ])
      ),
      ListContents.use((contents) =>
        Effect.all([
          // @ts-expect-error a limit is a ListLimit
          contents.page("gallery", list, { limit: 1 }, null as never),
          // @ts-expect-error an offset is a ListOffset
          contents.page("gallery", list, { offset: 1 }, null as never)
        ])
      ),
      // @ts-expect-error a title is an ArchiveTitle
      Archives.use((archives) => archives.create({ fileIds: [file], title: "a" })),
      // @ts-expect-error a search is made by SearchQuery
      Search.use(({ search }) => search({ text: "a" })),
      // @ts-expect-error a question for views is made by ViewsQuery
      Views.use((views) => views.select({ limit: 1 })),
      // @ts-expect-error a page of shared files is made by SharedFilesPage
      Shares.use((shares) => shares.sharedWithMe({ limit: 1 })),
      // @ts-expect-error a limit of events is checked
      Events.use((events) => events.select({ limit: 1 })),
      // @ts-expect-error a folder of events is a FolderPath.Path
      Events.use((events) => events.follow({ folder: "/a" })),
      // @ts-expect-error what to read is made by ReadRequest
      Reading.use((reading) => reading.read({ fileId: file, at: 1 })),
      // @ts-expect-error a thumbnail is made by NewThumbnail
      Covers.use((covers) => covers.setVideoThumbnail({ videoId: file, timestampSeconds: 1 })),
      // @ts-expect-error a limit is a SimilarLimit
      Soundprints.use((soundprints) => soundprints.similar(file, 5))
    ]
    assert.isFunction(calls)
  })

  it("HOST-45 raw ids and tokens don't compile, nor those of another kind", () => {
    const calls = () => [
      Sessions.use((sessions) =>
        Effect.all([
          // @ts-expect-error a user's id is an AccountId
          sessions.open(uuid),
          // @ts-expect-error a token's id is an ApiTokenId
          sessions.openFor(uuid),
          // @ts-expect-error a token is a SessionToken
          sessions.resolve("x"),
          // @ts-expect-error an API token is no session's
          sessions.resolve(apiToken),
          // @ts-expect-error a token is a SessionToken
          sessions.idOf("x"),
          // @ts-expect-error a session's id is a SessionId
          sessions.alive(["x"]),
          // @ts-expect-error a token is a SessionToken
          sessions.end("x"),
          // @ts-expect-error a session's id is a SessionId
          sessions.endById(account, "x")
        ])
      ),
      ApiTokens.use((tokens) =>
        Effect.all([
          // @ts-expect-error a token's name is a TokenName
          tokens.create({ name: "a", limits: unlimited, expireTime: null }),
          // @ts-expect-error a token's text is an ApiTokenText
          tokens.register(account, "x", newToken),
          // @ts-expect-error a token's text is an ApiTokenText
          tokens.configure([{ accountId: account, text: "x", token: newToken }]),
          // @ts-expect-error a token's text is an ApiTokenText
          tokens.exchange("x"),
          // @ts-expect-error a session's token is no API token
          tokens.exchange(SessionToken.make("x")),
          // @ts-expect-error a token's id is an ApiTokenId
          tokens.revoke(uuid)
        ])
      ),
      AccountsAdmin.use((admin) =>
        Effect.all([
          // @ts-expect-error a user's id is an AccountId
          admin.find(uuid),
          // @ts-expect-error a user's id is an AccountId
          admin.suspend(uuid)
        ])
      ),
      // @ts-expect-error a user's id is an AccountId
      Quota.use((quota) => quota.balance(uuid)),
      // @ts-expect-error a file's id is a FileId
      FileDetails.use((details) => details.rename(uuid, input.fileName)),
      // @ts-expect-error a folder's id is no file's
      Trash.use((trash) => trash.put([folder])),
      Files.use((files) =>
        Effect.all([
          // @ts-expect-error a key is an ObjectKey
          files.findByObjectKey(account, `users/${uuid}/a`),
          // @ts-expect-error a key is an ObjectKey
          files.findHolder(account, unlimited, `users/${uuid}/a`)
        ])
      ),
      // @ts-expect-error a folder's id is a FolderId
      FolderTree.use((tree) => tree.rename(uuid, FolderName.make("a"))),
      // @ts-expect-error a tag's id is a TagId
      Tags.use((tags) => tags.rename(uuid, TagText.make("a"))),
      // @ts-expect-error a list's id is a ListId
      Lists.use((lists) => lists.rename("gallery", uuid, ListTitle.make("a"))),
      // @ts-expect-error an archive's id is an ArchiveId
      Archives.use((archives) => archives.delete(uuid)),
      // @ts-expect-error an import's id is an ImportId
      Imports.use((imports) => imports.select([uuid])),
      // @ts-expect-error a user's id is an AccountId
      Shares.use((shares) => shares.share([file], [uuid])),
      // @ts-expect-error a form's id is a FormId
      FormEnds.use((ends) => ends.clear([{ id: uuid, accountId: account, storeKey: "x", sizeBytes: 1 }]))
    ]
    assert.isFunction(calls)
  })
})
