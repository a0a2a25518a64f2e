import { assert, describe, it } from "@effect/vitest"
import { Duration } from "effect"
import * as Limits from "./Limits.ts"

const hours = (lifetime: Duration.Duration) => Duration.toHours(lifetime)

/** The specification's words, and the number they stand for. */
describe("Limits", () => {
  it.each<[what: string, value: unknown, specified: unknown]>([
    ["File size: up to 2 TB", Limits.fileSizeMaxBytes, 2_199_023_255_552],
    ["Upload form lifetime: 2 days", hours(Limits.formLifetime), 48],
    ["Multipart token lifetime: 7 days", hours(Limits.uploadTokenLifetime), 168],
    ["Part size: 64 MiB", Limits.partSizeBytes, 67_108_864],
    ["larger only when more than 10,000 parts would be needed", Limits.partsMaxCount, 10_000],
    ["Signed part URL lifetime: 1 day", hours(Limits.partUrlLifetime), 24],
    ["Signed parts returned at open: first 100", Limits.signedPartsAtOpenCount, 100],
    ["Search page: `limit` 1 to 200, default 50", Limits.searchPage, { min: 1, max: 200, byDefault: 50 }],
    ["Parts per sign call: 1 to 1000", Limits.partsPerSignCall, { min: 1, max: 1000 }],
    ["Idle multipart upload: aborted after 7 days", hours(Limits.idleUploadLifetime), 168],
    ["Download link lifetime: 6 hours", hours(Limits.downloadUrlLifetime), 6],
    ["Session lifetime: 86400 seconds", Duration.toSeconds(Limits.sessionLifetime), 86_400],
    ["Files per call: trash and delete 1..100", Limits.filesPerTrashCall, { min: 1, max: 100 }],
    ["Files per call: tag, move, add-to 1..500", Limits.filesPerOrganizeCall, { min: 1, max: 500 }],
    ["Files per call: create lists up to 500", Limits.filesPerNewList, { max: 500 }],
    ["Files per call: reorder 1..10000", Limits.filesPerReorderCall, { min: 1, max: 10_000 }],
    ["Tags per /tag-files call: 1..20", Limits.tagsPerCall, { min: 1, max: 20 }],
    ["Folder depth: 32", Limits.folderMaxDepth, 32],
    ["Read: image: JPEG, max 1568 px a side", Limits.readImageMaxSide, 1568],
    ["Read: PDF: up to 20 pages, default 10", Limits.readPages, { max: 20, byDefault: 10 }],
    ["Read: text: up to 100 KB per call", Limits.readMaxBytes, 102_400],
    ["Cover image: up to 5 MB", Limits.coverMaxBytes, 5_242_880],
    ["a body over 4 MiB", Limits.requestBodyMaxBytes, 4_194_304],
    ["a file name of 1..1,024 bytes", Limits.fileNameMaxBytes, 1024],
    ["an objectKey of at most 1,024 bytes", Limits.objectKeyMaxBytes, 1024],
    ["a folder's name of 1..255 characters", Limits.folderNameLength, { min: 1, max: 255 }],
    ["Files per call: select-file-views 1..100", Limits.filesPerViewsCall, { min: 1, max: 100 }],
    ["Drive events page: 1..100, default 50", Limits.eventsPage, { min: 1, max: 100, byDefault: 50 }],
    ["select-file-views: limit 1..100, default 25", Limits.viewsPage, { min: 1, max: 100, byDefault: 25 }],
    ["select-file-views: since 30 days ago", Limits.viewsPeriodDays, 30],
    ["File request listing: at most 50", Limits.requestsPerCall, { min: 1, max: 50 }],
    ["File request title: 1..200", Limits.requestTitleLength, { min: 1, max: 200 }],
    ["File request message: up to 2000", Limits.requestMessageMaxLength, 2000],
    ["archives are kept 7 days", hours(Limits.archiveLifetime), 168],
    ["Review message: up to 2000 characters", Limits.reviewMessageMaxLength, 2000],
    ["File review listing: at most 50", Limits.reviewsPerCall, { min: 1, max: 50 }],
    ["reviewer 1..100", Limits.reviewerNameLength, { min: 1, max: 100 }],
    ["text of a note 1..4,000", Limits.reviewNoteLength, { min: 1, max: 4_000 }],
    ["select-review-notes: limit 1..500", Limits.reviewNotesPage.max, 500],
    ["select-drive-events: since 24 hours ago", hours(Limits.eventsPeriod), 24]
  ])("LIM-1 %s", (_, value, specified) => {
    assert.deepStrictEqual(value, specified)
  })
})
