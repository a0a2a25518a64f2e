/**
 * Media tools that decode nothing: a test sets the content of a file
 * by its name. Each call reads the first bytes of its file, as the real ones do,
 * so a store that is away is noticed.
 */
import { type DriveError, MediaTools as Port } from "@filedrive/core"
import { Context, Effect, Layer, Stream } from "effect"
import * as Faults from "./objectstore/Faults.ts"

type Tools = Port.MediaTools["Service"]

/** A method that can be made to fail. */
export type MediaMethod = keyof Tools

type Failing = DriveError.Unreadable

/** The content of a file; what is left out is as {@link TestMediaTools} says. An error makes the call fail. */
export interface TestMedia {
  readonly facts?: Partial<Port.ProbeResult> | Failing
  /** The picture of an image, a video or a track's art. Null: a track without art. */
  readonly picture?: Port.Picture | Failing | null
  readonly sound?: Partial<Port.Sound> | Failing
  readonly pages?: Port.Pages
  /** How it is encoded. */
  readonly streams?: Partial<Port.Streams> | Failing
  /** Null: no sound. */
  readonly peaks?: ReadonlyArray<number> | Failing | null
  /** The pieces of its preview, between which its progress is told; the first is the index. */
  readonly preview?: ReadonlyArray<Uint8Array> | Failing
}

const encoder = new TextEncoder()

/** A picture whose bytes are a text that says what it shows; not a JPEG. */
export const testPicture = (text: string): Port.Picture => ({ jpeg: encoder.encode(text), width: 4, height: 3 })

const isFailing = (value: unknown): value is Failing =>
  typeof value === "object" && value !== null && "_tag" in value && value._tag === "Unreadable"

export class TestMediaTools extends Context.Service<TestMediaTools, {
  /** Sets the content of files with this name from now on. */
  readonly say: (fileName: string, media: TestMedia) => Effect.Effect<void>
  /** Plants `fault` in the next `times` (default 1) calls of a method, after those already planted. */
  readonly plant: (method: MediaMethod, fault: Faults.Fault, times?: number) => Effect.Effect<void>
  /** The calls so far, in order: `probe a.png`. */
  readonly calls: Effect.Effect<ReadonlyArray<string>>
}>()("@filedrive/testing/TestMediaTools") {
  /**
   * For other files: no facts, a picture that is the text `still a.png 512` (`frame v.mp4 1.5`), no art,
   * no sound facts, no pages; neither pictures nor sound to play, so no peaks; every text is UTF-8.
   */
  static readonly layer: Layer.Layer<Port.MediaTools | TestMediaTools> = Layer.effectContext(Effect.sync(() => {
    const said = new Map<string, TestMedia>()
    const calls: Array<string> = []
    const faults = Faults.make<MediaMethod>()

    const answer = <A>(method: MediaMethod, source: Port.MediaSource, of: (media: TestMedia) => A | Failing) =>
      faults.guard(
        method,
        Effect.gen(function*() {
          calls.push(`${method} ${source.fileName}`)
          if (source.sizeBytes > 0) {
            yield* Stream.runDrain(source.read({ start: 0, end: Math.min(source.sizeBytes, 16) - 1 }))
          }
          const answered = of(said.get(source.fileName) ?? {})
          return isFailing(answered) ? yield* answered : answered
        })
      )

    const duration = ({ facts }: TestMedia) =>
      facts === undefined || isFailing(facts) ? null : facts.durationSeconds ?? null

    const tools = Port.MediaTools.of({
      probe: (source) =>
        answer(
          "probe",
          source,
          ({ facts }) => facts !== undefined && isFailing(facts) ? facts : { ...Port.noFacts, ...facts }
        ),
      still: (source, { maxSide }) =>
        answer("still", source, ({ picture }) => picture ?? testPicture(`still ${source.fileName} ${maxSide}`)),
      frame: (source, { atSeconds }) =>
        answer("frame", source, (media): Port.Frame | Port.PastEnd | Failing => {
          const durationSeconds = duration(media)
          const at = atSeconds ?? (durationSeconds ?? 0) / 10
          if (durationSeconds !== null && at > durationSeconds) return { _tag: "PastEnd", durationSeconds }
          const picture = media.picture ?? testPicture(`frame ${source.fileName} ${at}`)
          return isFailing(picture) ? picture : { _tag: "Frame", ...picture, atSeconds: at, durationSeconds }
        }),
      cover: (source) => answer("cover", source, ({ picture }) => picture ?? null),
      listen: (source) =>
        answer(
          "listen",
          source,
          ({ sound }) => sound !== undefined && isFailing(sound) ? sound : { ...Port.noSound, ...sound }
        ),
      pages: (source, { from }) =>
        answer("pages", source, ({ pages }) => pages ?? { text: "", from, to: from, total: 0, hasPictures: false }),
      streams: (source) =>
        answer("streams", source, ({ streams }) =>
          streams !== undefined && isFailing(streams)
            ? streams
            : { container: "mp4", durationSeconds: null, video: null, audio: null, ...streams }),
      peaks: (source) => answer("peaks", source, ({ peaks }) => peaks ?? null),
      preview: (source, sink) =>
        Effect.gen(function*() {
          const pieces = yield* answer("preview", source, ({ preview }) => preview ?? [encoder.encode("index ")])
          const [head = new Uint8Array(), ...rest] = pieces
          for (const [at, piece] of rest.entries()) {
            yield* sink.write(piece)
            yield* sink.progress((at + 1) / rest.length)
            // One that is read on while nothing moves: a file may be deleted meanwhile.
            yield* Effect.yieldNow
          }
          return { head, mimeType: "video/mp4" as const }
        }),
      encoding: () => Effect.succeed("utf-8")
    })

    return Context.make(Port.MediaTools, tools).pipe(
      Context.add(
        TestMediaTools,
        TestMediaTools.of({
          say: (fileName, media) => Effect.sync(() => void said.set(fileName, media)),
          plant: (method, fault, times = 1) => Effect.sync(() => faults.plant(method, fault, times)),
          calls: Effect.sync(() => [...calls])
        })
      )
    )
  }))
}
