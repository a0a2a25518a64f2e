/** What owners and senders may still do while the disk of the database is full: by the purposes of what is written. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Statement } from "effect/sql"
import { byAnyone, dropFile, drops, startDrop } from "../../test/DropsTest.ts"
import { newRequest } from "../../test/RequestsTest.ts"
import { as } from "../../test/TestAccounts.ts"
import { signedIn, testHttp } from "../../test/TestHttp.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import { RequestId } from "../shared/Ids.ts"
import { SenderName } from "./Drop.ts"
import { DropDeletions } from "./DropDeletions.ts"
import { PublicRequests } from "./PublicRequests.ts"
import { Requests } from "./Requests.ts"

/** The purposes of the statements that write. */
const purposes = Effect.fnUntraced(function*<A, E, R>(effect: Effect.Effect<A, E, R>) {
  const found = new Set<WritePurpose.Purpose>()
  yield* effect.pipe(
    Effect.provideService(Statement.CurrentTransformer, (statement) =>
      Effect.withFiber((fiber) => {
        if (/\b(?:INSERT|UPDATE|DELETE) /.test(statement.compile()[0])) {
          found.add(fiber.getRef(WritePurpose.WritePurpose))
        }
        return Effect.succeed(statement)
      }))
  )
  return [...found]
})

layer(testHttp({ rateLimits: false }))("file requests on a full disk", (it) => {
  const underWay = Effect.gen(function*() {
    const { token, userId } = yield* signedIn
    const id = RequestId.make((yield* newRequest(token, { password: "p" })).id)
    yield* Requests.use((requests) => requests.update({ requestId: id, password: null })).pipe(as(userId))
    const sender = yield* startDrop(id)
    yield* drops((all) => all.createForm(sender.token, dropFile(10)))
    return { id, userId }
  })

  it.effect("REQ-16 closing and deleting a request free room", () =>
    Effect.gen(function*() {
      const { id, userId } = yield* underWay
      const requests = yield* Requests
      assert.deepStrictEqual(yield* purposes(as(userId)(requests.setOpen(id, false))), ["frees"])
      assert.deepStrictEqual(yield* purposes(as(userId)(requests.setOpen(id, true))), ["adds"])
      assert.deepStrictEqual(yield* purposes(as(userId)(requests.delete(id))), ["frees"])
    }))

  it.effect("REQ-16 deleting a delivery frees room", () =>
    Effect.gen(function*() {
      const { id, userId } = yield* underWay
      const remove = DropDeletions.use((all) => all.remove({ requestId: id, senderName: SenderName.make("Grace") }))
      assert.deepStrictEqual(yield* purposes(as(userId)(remove)), ["frees"])
    }))

  it.effect("REQ-16 a link with a password is opened as a file is read", () =>
    Effect.gen(function*() {
      const { token } = yield* signedIn
      const { id } = yield* newRequest(token, { password: "p" })
      const opening = PublicRequests.use((requests) => requests.open(id, "p"))
      assert.deepStrictEqual(yield* purposes(byAnyone(opening)), ["serves"])
    }))
})
