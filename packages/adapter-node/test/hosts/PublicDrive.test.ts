/** The operations of public links in a host's own code. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { DriveError } from "@filedrive/adapter-node"
import { temporaryDrive, userOf } from "./hosts.ts"

/** A tenth of a second of silence. */
const wav = Buffer.concat([
  Buffer.from(
    "RIFF\u0064\u0006\0\0WAVEfmt \u0010\0\0\0\u0001\0\u0001\0\u0040\u001f\0\0\u0080\u003e\0\0\u0002\0\u0010\0data\u0040\u0006\0\0",
    "latin1"
  ),
  Buffer.alloc(1_600)
])

const unknownId = "5e0c1a7d-93b4-4f28-a6d1-c07e94b2385f"

describe("drive.public", () => {
  let host: Awaited<ReturnType<typeof temporaryDrive>>
  let userId: string

  beforeAll(async () => {
    host = await temporaryDrive({ url: "http://drive.test" })
    userId = (await userOf(host.drive)()).userId
  })
  afterAll(() => host.close())

  const refusalOf = async (call: Promise<unknown>) => {
    const error = await call.then(() => undefined, (error: unknown) => error)
    assert.instanceOf(error, DriveError)
    const { code, field, message, retryAfterSeconds, status } = error
    return { code, field, message, retryAfterSeconds, status }
  }

  it("LINK-8 has the operations of public links, and a user's drive has none of them", async () => {
    assert.isFunction(host.drive.public.openFileRequest)
    assert.notProperty(host.drive.public, "createFileRequest")
    assert.notProperty(host.drive.as(userId), "openFileRequest")
    assert.isFunction(host.drive.as(userId).createFileRequest)
  })

  it("LINK-8 opens a link by its password, and then by its access token", async () => {
    const { id } = await host.drive.as(userId).createFileRequest({ title: "Photos", password: "correct horse" })
    const needed = await refusalOf(host.drive.public.openFileRequest({ requestId: id }))
    assert.deepInclude(needed, { code: "password_needed", status: 403 })
    const { accessToken, title } = await host.drive.public.openFileRequest({ requestId: id, password: "correct horse" })
    assert.strictEqual(title, "Photos")
    const again = await host.drive.public.openFileRequest({ requestId: id }, { access: accessToken! })
    assert.strictEqual(again.title, "Photos")
    const wrong = await refusalOf(host.drive.public.openFileRequest({ requestId: id, password: "wrong" }))
    assert.deepStrictEqual(
      wrong,
      await refusalOf(host.drive.public.openFileRequest({ requestId: unknownId, password: "wrong" }))
    )
    assert.deepInclude(wrong, { code: "not_found", status: 404 })
    const misspelt = host.drive.public.openFileRequest({ requestId: id }, { token: accessToken } as never)
    assert.deepInclude(await refusalOf(misspelt), { code: "unknown_field", field: "token" })
  })

  describe("followFileReview", () => {
    const reviewed = async (password?: string) => {
      const own = host.drive.as(userId)
      const { id: fileId } = await own.files.put(wav, { fileName: "song.wav" })
      const { id } = await own.createFileReview({ fileId, ...password !== undefined && { password } })
      return { id, own }
    }
    const note = (reviewId: string, text: string, access: string | null = null) =>
      host.drive.public.leaveReviewNote({ reviewId, reviewer: "Grace", seconds: 1, text }, { access })

    it("LINK-8 gives the notes of a review as they come, and ends when it closes", async () => {
      const { id, own } = await reviewed()
      const { followAfter } = await host.drive.public.openFileReview({ reviewId: id })
      const first = await note(id, "Louder")
      const news = host.drive.public.followFileReview({ reviewId: id, after: followAfter })[Symbol.asyncIterator]()
      const heard = (await news.next()).value
      assert.deepInclude(heard, { kind: "note" })
      assert.deepInclude(heard.note, { id: first.id, text: "Louder" })
      const second = news.next()
      await own.replyToReviewNote({ noteId: first.id, text: "Done" })
      const answered = (await second).value
      assert.strictEqual(answered.note.replies[0].text, "Done")
      const third = news.next()
      await host.drive.public.deleteOwnReviewNote({ noteId: first.id, reviewerToken: first.reviewerToken })
      const { cursor, ...deleted } = (await third).value
      assert.deepStrictEqual(deleted, { kind: "deleted", noteId: first.id })
      await note(id, "Softer")
      for await (const next of host.drive.public.followFileReview({ reviewId: id, after: cursor })) {
        assert.deepInclude(next, { kind: "note" })
        break
      }
      assert.strictEqual((await news.next()).value.note.text, "Softer")
      const last = news.next()
      await own.updateFileReview({ reviewId: id, open: false })
      assert.deepStrictEqual(await last, { done: true, value: undefined })
    })

    it("LINK-8 needs the access token of a link with a password, ends with a signal, and refuses what a route does", async () => {
      const { id } = await reviewed("correct horse")
      const first = (...args: Parameters<typeof host.drive.public.followFileReview>) =>
        host.drive.public.followFileReview(...args)[Symbol.asyncIterator]().next()
      assert.deepInclude(await refusalOf(first({ reviewId: id })), { code: "password_needed", status: 403 })
      assert.deepInclude(await refusalOf(first({ reviewId: unknownId })), { code: "not_found", status: 404 })
      const { accessToken } = await host.drive.public.openFileReview({ reviewId: id, password: "correct horse" })
      const access = accessToken!
      assert.deepInclude(await refusalOf(first({ reviewId: id, after: "x" }, { access })), { field: "after" })
      assert.deepInclude(await refusalOf(first({ reviewId: id }, { token: access } as never)), { field: "token" })
      assert.deepInclude(await refusalOf(first({} as never)), { field: "reviewId" })
      const caller = new AbortController()
      const waiting = first({ reviewId: id }, { access, signal: caller.signal })
      caller.abort()
      assert.deepStrictEqual(await waiting, { done: true, value: undefined })
    })
  })

  it("LINK-8 limits wrong passwords by link, and by the address that the host names", async () => {
    const { id } = await host.drive.as(userId).createFileRequest({ title: "Photos", password: "correct horse" })
    const guess = (requestId: string, address?: string) =>
      refusalOf(host.drive.public.openFileRequest({ requestId, password: "wrong" }, { address: address ?? null }))
    const guesses = await Promise.all(Array.from({ length: 11 }, () => guess(id)))
    const statuses = guesses.map(({ status }) => status).toSorted()
    assert.deepStrictEqual(statuses, [...Array.from({ length: 10 }, () => 404), 429])
    const refused = await guess(id, "192.0.2.1")
    assert.deepInclude(refused, { code: "rate_limited", status: 429 })
    assert.isAtLeast(refused.retryAfterSeconds ?? 0, 1)
    assert.strictEqual((await guess(unknownId)).status, 404)
  })
})
