import { assert, describe, it } from "@effect/vitest"
import { DateTime, Result } from "effect"
import * as PartPlan from "./PartPlan.ts"
import { next, type UploadEvent, type UploadState } from "./UploadState.ts"

const MiB = 1024 ** 2
const start = DateTime.makeUnsafe("2026-01-01T00:00:00Z")
const plan = PartPlan.make(100 * MiB)
const [first, last] = [{ partNumber: 1, sizeBytes: 64 * MiB }, { partNumber: 2, sizeBytes: 36 * MiB }]
const whole = [first, last]
const opened = (fileSizeBytes: number, stored: ReadonlyArray<PartPlan.PlacedPart>): UploadEvent => ({
  _tag: "Opened",
  plan: PartPlan.make(fileSizeBytes),
  stored
})
const completed = (stored: ReadonlyArray<PartPlan.PlacedPart>): UploadEvent => ({ _tag: "Completed", plan, stored })
const swept = (days: number): UploadEvent => ({
  _tag: "Swept",
  lastPartTime: start,
  now: DateTime.add(start, { days })
})

const rows: ReadonlyArray<readonly [row: string, from: UploadState, by: UploadEvent, to: UploadState | string]> = [
  ["opened again, parts fit", "open", opened(100 * MiB, [first]), "open"],
  ["opened again, nothing stored, another size", "open", opened(10 * MiB, []), "open"],
  ["opened again, a part too many", "open", opened(10 * MiB, [first]), "gone"],
  ["opened again, the last part of another size", "open", opened(101 * MiB, whole), "gone"],
  ["opened again once complete", "complete", opened(100 * MiB, whole), "complete"],
  ["opened again once complete, for a longer file", "complete", opened(128 * MiB, [first]), "gone"],
  ["complete with every part", "open", completed(whole), "complete"],
  ["complete with a part missing", "open", completed([last]), "parts_missing"],
  ["complete with a part of the wrong size", "open", completed([first, { ...last, sizeBytes: 1 }]), "parts_invalid"],
  [
    "complete with a part outside the plan",
    "open",
    completed([...whole, { partNumber: 3, sizeBytes: 1 }]),
    "parts_invalid"
  ],
  ["complete again", "complete", completed([]), "complete"],
  ["complete once gone", "gone", completed(whole), "upload_not_found"],
  ["abort", "open", { _tag: "Aborted" }, "gone"],
  ["abort again", "gone", { _tag: "Aborted" }, "gone"],
  ["abort once complete", "complete", { _tag: "Aborted" }, "complete"],
  ["swept 6 days after the last part", "open", swept(6), "open"],
  ["swept 7 days after the last part", "open", swept(7), "gone"],
  ["swept once complete", "complete", swept(70), "complete"]
]

/** Every state by every event, as the table of the module has them. */
const table: ReadonlyArray<readonly [UploadState, ...ReadonlyArray<UploadState | string>]> = [
  ["open", "open", "gone", "complete", "parts_missing", "gone", "gone", "open", "gone"],
  ["complete", "complete", "gone", "complete", "complete", "complete", "complete", "gone", "gone"],
  ["gone", "gone", "gone", "upload_not_found", "upload_not_found", "gone", "gone", "gone", "gone"]
]
const events: ReadonlyArray<UploadEvent> = [
  opened(100 * MiB, whole),
  opened(10 * MiB, whole),
  completed(whole),
  completed([last]),
  { _tag: "Aborted" },
  swept(7),
  { _tag: "Unclaimed" },
  { _tag: "Superseded" }
]
const cells = table.flatMap(([from, ...to]) =>
  events.map((by, i) => ({ name: `${from} × ${by._tag} ${i}`, from, by, to: to[i]! }))
)

// Spec: "States and transitions", Multipart upload.
describe("UploadState", () => {
  it.each(rows)("UP-50 %s", (_, from, by, to) => {
    assert.strictEqual(
      Result.match(next(from, by), { onFailure: (error) => error.code, onSuccess: (state) => state as string }),
      to
    )
  })

  it.each(cells)("UP-50 $name", ({ by, from, to }) => {
    assert.strictEqual(
      Result.match(next(from, by), { onFailure: (error) => error.code, onSuccess: (state) => state as string }),
      to
    )
  })

  it.each([
    { stored: [{ partNumber: 2, sizeBytes: 5 }], named: [2] },
    { stored: [last], named: [1] },
    { stored: [], named: [1, 2] }
  ])("UP-39 names the parts that are missing or wrong: $named", ({ named, stored }) => {
    const refused = next("open", completed(stored))
    assert.deepInclude(Result.isFailure(refused) ? refused.failure : {}, { partNumbers: named })
  })
})
