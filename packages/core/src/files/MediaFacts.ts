/** Records what was found inside files, and lets them be found by it. Contract: "Files", FileRecord's `media`. */
import { Context, Effect, Layer } from "effect"
import { Catalog } from "../catalog/Catalog.ts"
import { Database } from "../database/Database.ts"
import type { AccountId, FileId } from "../shared/Ids.ts"
import type { FoundMedia } from "./FileMedia.ts"

/** What was found inside a file; what is left out was not found. */
export interface FileFacts extends Partial<FoundMedia> {
  readonly fileId: FileId
}

/** Characters kept of a text found inside a file. */
const textMaxLength = 1_000

/** Artists kept of a track. */
const artistsMaxCount = 100

export class MediaFacts extends Context.Service<MediaFacts, {
  /**
   * Records what was found inside files of the account, in place of what was before; the search follows. Texts are
   * cut at 1,000 characters, and what no database holds in them is left out. Ids of other accounts' files are left
   * alone.
   *
   * Only inside `AccountTransaction.run`. A number out of range is a defect.
   */
  readonly record: (accountId: AccountId, facts: ReadonlyArray<FileFacts>) => Effect.Effect<void>
}>()("@filedrive/core/files/MediaFacts") {
  static readonly layer = Layer.effect(
    MediaFacts,
    Effect.gen(function*() {
      const { sql, tables: t } = yield* Database
      const catalog = yield* Catalog

      const record = Effect.fn("MediaFacts.record")(
        function*(accountId: AccountId, facts: ReadonlyArray<FileFacts>) {
          const given = JSON.stringify(facts.map(({ fileId, ...found }) => ({
            ...found,
            file_id: fileId,
            title: storable(found.title),
            artists: (found.artists ?? []).slice(0, artistsMaxCount).map(storable),
            album: storable(found.album),
            genre: storable(found.genre),
            camera: storable(found.camera)
          })))
          const columns = sql.literal(`title, artists, album, genre, duration, tempo, tagged_tempo, key, width, height,
            taken_time, latitude, longitude, camera`)
          yield* sql`
            INSERT INTO ${t.file_media} (file_id, account_id, ${columns})
            SELECT f.id, f.account_id, ${columns}
            FROM jsonb_to_recordset(${given}::jsonb) AS g (file_id uuid, title text, artists text[], album text,
              genre text, duration float8, tempo float8, tagged_tempo float8, key smallint, width int, height int,
              taken_time timestamptz, latitude float8, longitude float8, camera text)
            JOIN ${t.files} f ON f.id = g.file_id AND f.account_id = ${accountId}
            ON CONFLICT (file_id) DO UPDATE SET title = excluded.title, artists = excluded.artists,
              album = excluded.album, genre = excluded.genre, duration = excluded.duration, tempo = excluded.tempo,
              tagged_tempo = excluded.tagged_tempo, key = excluded.key, width = excluded.width,
              height = excluded.height, taken_time = excluded.taken_time, latitude = excluded.latitude,
              longitude = excluded.longitude, camera = excluded.camera
          `
          yield* catalog.onEdited(accountId, facts.map(({ fileId }) => fileId))
        },
        Effect.orDie
      )

      return MediaFacts.of({ record })
    })
  )
}

const storable = (text: string | null | undefined): string | null =>
  text?.replaceAll("\u0000", "").slice(0, textMaxLength).toWellFormed() ?? null
