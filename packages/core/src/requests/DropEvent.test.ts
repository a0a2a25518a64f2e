import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { AccountId, DropId, FileId, RequestId } from "../shared/Ids.ts"
import type { Drop } from "./Drop.ts"
import * as DropEvent from "./DropEvent.ts"

const uuid = "01999a10-3c00-7a41-9d2e-5b8f0c6e7a11"
const time = DateTime.makeUnsafe("2026-09-28T12:00:00.000Z")
const drop: Drop = {
  id: DropId.make(uuid),
  accountId: AccountId.make(uuid),
  requestId: RequestId.make(uuid),
  senderName: "Grace",
  note: null,
  fileCount: 2_000,
  activeTime: time,
  expireTime: time,
  finishTime: time
}

const files = (fileName: string) =>
  Array.from({ length: 2_000 }, () => ({
    id: FileId.make(uuid),
    type: "Image" as const,
    fileName,
    fileSize: 1,
    mimeType: "image/jpeg"
  }))

const payloadOf = (fileName: string) => {
  const event = DropEvent.of(drop, { folderId: null, title: "Photos" }, files(fileName))
  assert(event.kind === "drop")
  return event.payload
}

describe("DropEvent", () => {
  it("REQ-69 an event names as many files as 256 KiB have room for, and counts all", () => {
    const usual = payloadOf("IMG_20260928_120000.jpg")
    assert.isAtLeast(usual.files.length, 1_500)
    const long = payloadOf("\u{1f600}".repeat(256))
    assert.isAtMost(new TextEncoder().encode(JSON.stringify(long.files)).length, 256 * 1024 + 2)
    assert.isAtLeast(long.files.length, 200)
    assert.deepStrictEqual([usual.fileCount, long.fileCount], [2_000, 2_000])
  })
})
