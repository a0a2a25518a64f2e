/** Reads the content of files. Spec: `/read-file`; Limits, "Read". */
import { Context, Effect, Layer, Option } from "effect"
import { Base64 } from "effect/encoding"
import { allowed, type CurrentAccount } from "../accounts/CurrentAccount.ts"
import type { StoredFile } from "../files/StoredFile.ts"
import { VisibleFiles } from "../files/VisibleFiles.ts"
import * as Limits from "../limits/Limits.ts"
import { type MediaSource, MediaTools, textHeadBytes } from "../ports/MediaTools.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import { type InvalidField, NotFound, type Refused, type Unavailable, Unreadable } from "../shared/DriveError.ts"
import { FileViews } from "../views/FileViews.ts"
import * as EncodingEvidence from "./EncodingEvidence.ts"
import { FairTools } from "./FairTools.ts"
import * as ReadAnswer from "./ReadAnswer.ts"
import * as Source from "./Source.ts"
import * as TextEncoding from "./TextEncoding.ts"
import * as TextPiece from "./TextPiece.ts"

type Request = ReadAnswer.ReadRequest

const maxSide = Limits.readImageMaxSide
const maxBytes = Limits.readMaxBytes

export class Reading extends Context.Service<Reading, {
  /**
   * The content of a file that the caller can open: an image, or a frame of a video, as a JPEG of at most 1,568 pixels
   * a side; text of a PDF's whole pages; a piece of a text that ends on a whole character; of anything else a note. Text
   * is at most 100 KB (of 1,024 bytes), of the file and of UTF-8 alike. The picture a file is shown by is read as the file is.
   *
   * A call by anyone but the file's owner counts as one open. Fields that are not of the file's kind are ignored.
   *
   * Fails with `NotFound` for what the caller can't open, in trash too; with `InvalidField` for what is past the end
   * (`at`, `fromPage`, `offset`) or too much (`toPage`); with `Unreadable`; with `Unavailable` when storage does not answer,
   * or too many calls of the account wait.
   */
  readonly read: (
    request: Request
  ) => Effect.Effect<
    ReadAnswer.ReadAnswer,
    InvalidField | NotFound | Refused | Unavailable | Unreadable,
    CurrentAccount
  >
}>()("@filedrive/core/media/Reading") {
  static readonly layerNoDeps = Layer.effect(
    Reading,
    Effect.gen(function*() {
      const files = yield* VisibleFiles
      const store = yield* ObjectStore
      const tools = yield* MediaTools
      const fair = yield* FairTools
      const views = yield* FileViews

      const image = Effect.fnUntraced(function*(file: StoredFile) {
        const picture = yield* fair.still(file, { maxSide })
        return ReadAnswer.ofImage(picture, Base64.encode(picture.jpeg))
      })

      const frame = Effect.fnUntraced(function*(file: StoredFile, { at = null }: { readonly at?: number | null }) {
        const shown = yield* fair.frame(file, { atSeconds: at, maxSide })
        if (shown._tag === "PastEnd") return yield* ReadAnswer.atPastEnd(shown.durationSeconds)
        return ReadAnswer.ofFrame(shown, Base64.encode(shown.jpeg))
      })

      const pages = Effect.fnUntraced(function*(file: StoredFile, request: Request) {
        const wanted = yield* Effect.fromResult(ReadAnswer.pagesWanted(request))
        const found = yield* fair.pages(file, { ...wanted, maxBytes })
        if (found.total === 0) return yield* new Unreadable({ because: "The file has no pages." })
        return yield* Effect.fromResult(ReadAnswer.ofPages(found, request))
      })

      /** The file's first bytes, which tell the encoding, and those of the piece: by one request where they are near. */
      const fetch = Effect.fnUntraced(function*(source: MediaSource, offset: number) {
        const { sizeBytes } = source
        const headEnd = Math.min(textHeadBytes, sizeBytes) - 1
        const range = TextPiece.range(offset, sizeBytes, maxBytes)
        if (range.start <= headEnd) {
          const bytes = yield* Source.bytes(source, { start: 0, end: Math.max(range.end, headEnd) })
          return { head: bytes.subarray(0, headEnd + 1), window: { bytes, start: 0 } }
        }
        const [head, bytes] = yield* Effect.all(
          [Source.bytes(source, { start: 0, end: headEnd }), Source.bytes(source, range)],
          { concurrency: 2 }
        )
        return { head, window: { bytes, start: range.start } }
      })

      /** The encoding that the first bytes are in, unless those of the piece prove that they can't be. */
      const encodingOfPiece = Effect.fnUntraced(function*(
        first: TextEncoding.TextEncoding,
        head: Uint8Array,
        window: TextEncoding.Window
      ) {
        const evidence = EncodingEvidence.against(first, head, window)
        if (evidence === null) return first
        const label = yield* tools.encoding(evidence)
        return label === null ? first : Option.getOrElse(TextEncoding.find(label), () => first)
      })

      const text = Effect.fnUntraced(function*(file: StoredFile, source: MediaSource, { offset = 0 }: Request) {
        const { sizeBytes } = file
        if (sizeBytes === 0) {
          if (offset > 0) return yield* ReadAnswer.offsetPastEnd(sizeBytes)
          return ReadAnswer.ofText({ text: "", nextOffset: null }, { name: "", offset, sizeBytes })
        }
        const { head, window } = yield* fetch(source, Math.min(offset, sizeBytes))
        const label = yield* tools.encoding(head)
        if (label === null) return ReadAnswer.ofNothing(file)
        if (offset > sizeBytes) return yield* ReadAnswer.offsetPastEnd(sizeBytes)
        const first = TextEncoding.find(label)
        if (Option.isNone(first)) return yield* new Unreadable({ because: `Text in ${label} can't be read here.` })
        const encoding = yield* encodingOfPiece(first.value, head, window)
        const piece = TextPiece.read(encoding, window, { offset, sizeBytes, maxBytes })
        return ReadAnswer.ofText(piece, { name: encoding.name, offset, sizeBytes })
      })

      const contentOf = Effect.fn("Reading.contentOf")(function*(file: StoredFile, request: Request) {
        const way = ReadAnswer.wayOf(file)
        if (way === "Audio") return ReadAnswer.ofAudio
        if (way === "Text") return yield* text(file, Source.of(store, file), request)
        if (file.sizeBytes === 0) return yield* new Unreadable({ because: "The file is empty." })
        switch (way) {
          case "Image":
            return yield* image(file)
          case "Video":
            return yield* frame(file, request)
          case "Pdf":
            return yield* pages(file, request)
        }
      })

      const get = Effect.fnUntraced(function*({ fileId }: Request) {
        const found = yield* files.find(fileId)
        return Option.isSome(found) ? found.value : yield* new NotFound({ resource: "file", id: fileId })
      })

      const read = Effect.fn("Reading.read")(function*(request: Request) {
        const account = yield* allowed("read")
        return yield* Source.wherever(
          yield* get(request),
          get(request),
          Effect.fnUntraced(function*(file) {
            const content = yield* contentOf(file, request)
            if (!file.isPicture) {
              yield* file.accountId === account.id
                ? views.openedByOwner(file)
                : views.opened(file, { _tag: "User", id: account.id })
            }
            const { fileName, id, mimeType, sizeBytes, type } = file
            return { id, fileName, type, mimeType, fileSize: sizeBytes, ...content }
          })
        )
      })

      return Reading.of({ read })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(FairTools.layer))
}
