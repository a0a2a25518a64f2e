/**
 * Takes upload forms for engines that can't: R2, B2, Swift and others know no
 * POST policy. A form is sent to the drive's own route, which applies the same
 * rules, and passes its bytes on in one PUT as they arrive; none are kept here.
 */
import { Context, DateTime, Duration, Effect, type Scope } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { Readable } from "node:stream"
import { begin, ResponseWriter } from "../../http/ResponseWriter.ts"
import { digestsOf } from "../Digests.ts"
import { boundaryOf, closing } from "../disk/FormHead.ts"
import { readHead, refuseByLength } from "../disk/PostForm.ts"
import { corsHeaders, header, parseTarget, refuse, type Reply, type S3Exchange } from "../disk/S3Exchange.ts"
import * as StallWatch from "../disk/StallWatch.ts"
import { StorageError } from "../disk/StorageError.ts"
import { type VerifiedForm, verifyForm } from "../disk/Verification.ts"
import { drain } from "../RestOfBody.ts"
import type { OpenPut } from "../s3/SignedPut.ts"
import type { SigningStore } from "../Signature.ts"
import { pass } from "./RelayPump.ts"

/**
 * The relay's routes. A host mounts one of the two below the path of the
 * relay's URL, before anything that reads bodies. A stored file is answered with 204, a
 * refusal with S3's error document.
 *
 * The server around must not limit how long a request takes
 * (`server.requestTimeout = 0`); bodies that stall are cut here.
 */
export class FormRelay extends Context.Service<FormRelay, {
  /** For `node:http`. `req.url` may begin with the mount's path or come without it. */
  readonly handleNode: (req: IncomingMessage, res: ServerResponse) => void
  /** For web-standard hosts. */
  readonly handleWeb: (request: Request) => Promise<Response>
}>()("@filedrive/adapter-node/storage/relay/FormRelay") {}

/** Opens the PUT that a form's file goes into. */
export type OpenFormPut = (
  form: VerifiedForm & { readonly bucket: "private" | "public" }
) => Effect.Effect<OpenPut, StorageError, Scope.Scope>

/** A body with less progress than this in an interval is cut. */
const stallInterval = Duration.seconds(60)
const leastProgressBytes = 16 * 1024

const preflight: Reply = {
  status: 204,
  headers: {
    ...corsHeaders,
    "access-control-allow-methods": "POST",
    "access-control-allow-headers": "*",
    "access-control-max-age": "86400"
  }
}

export const storeFailed = () =>
  new StorageError("InternalError", "The object storage did not take the file; try again.")

const refusable = <A>(decide: () => A | Promise<A>): Effect.Effect<A, StorageError> =>
  Effect.catchDefect(
    Effect.promise(async () => decide()),
    (thrown) => thrown instanceof StorageError ? Effect.fail(thrown) : Effect.die(thrown)
  )

const receive = (
  store: SigningStore,
  open: OpenFormPut,
  exchange: S3Exchange,
  { stalls, watch }: { readonly stalls: StallWatch.StallWatch; readonly watch: StallWatch.Watch }
) =>
  Effect.scoped(Effect.gen(function*() {
    const { body } = exchange
    const { bucket, key } = yield* refusable(() => parseTarget(exchange.url, new URL(store.endpoint).pathname))
    if (exchange.method !== "POST" || key !== "") {
      return yield* Effect.fail(
        new StorageError("MethodNotAllowed", "Forms are posted to the bucket.", { allow: "POST" })
      )
    }
    const boundary = yield* refusable(() => boundaryOf(header(exchange, "content-type")))
    const { fields, first, headBytes } = yield* refusable(() => readHead(body, boundary, watch, stalls))
    const nowMillis = DateTime.toEpochMillis(yield* DateTime.now)
    const end = closing(boundary)
    const { digests, form } = yield* refusable(() => {
      const form = verifyForm(store, bucket, fields, nowMillis)
      const digests = digestsOf(Object.entries(exchange.headers), fields)
      refuseByLength(header(exchange, "content-length"), headBytes + form.sizeBytes + end.length)
      return { digests, form }
    })
    const put = yield* open({ ...form, bucket })
    const stored = put.stored.pipe(
      Effect.tapError((failure) => Effect.logWarning(failure.message)),
      Effect.mapError(storeFailed)
    )
    const { sizeBytes } = form
    const passed = pass({
      from: body,
      first,
      to: put.request,
      sizeBytes,
      closing: end,
      digests,
      onProgress: watch.progress
    })
    yield* Effect.raceFirst(Effect.andThen(passed, stored), stored)
  }))

/** The relay of one store's forms. */
export const makeRelay = (store: SigningStore, open: OpenFormPut) =>
  Effect.gen(function*() {
    const context = yield* Effect.context<never>()
    const stalls = StallWatch.make(stallInterval, Effect.runForkWith(context))

    const answer = (exchange: S3Exchange, watch: StallWatch.Watch): Promise<Reply> =>
      exchange.method === "OPTIONS"
        ? Promise.resolve(preflight)
        : receive(store, open, exchange, { stalls, watch }).pipe(
          Effect.as<Reply>({ status: 204, headers: corsHeaders }),
          Effect.catch((refusal) => Effect.succeed(refuse(refusal))),
          Effect.catchDefect((defect) =>
            Effect.as(Effect.logError("The relay of forms failed", defect), refuse(storeFailed()))
          ),
          Effect.runPromiseWith(context)
        )

    /** Sends the answer while the body is still open, then reads the rest of it. */
    const exchangeWith = async (exchange: S3Exchange, send: (reply: Reply) => void): Promise<void> => {
      const watch = stalls.watch(leastProgressBytes, () => exchange.body.destroy())
      try {
        send(await answer(exchange, watch))
      } finally {
        watch.stop()
      }
      await drain(exchange.body, stalls)
    }

    return FormRelay.of({
      handleNode: (req, res) => {
        const exchange = { method: req.method ?? "", url: req.url ?? "", headers: req.headers, body: req }
        void exchangeWith(exchange, ({ body, headers, status }) => {
          const isRead = req.complete || req.method === "OPTIONS"
          if (!begin(res, status, isRead ? { ...headers } : { ...headers, connection: "close" })) return
          const writer = new ResponseWriter(res)
          if (typeof body === "string") void writer.write(body)
          writer.flush()
        }).finally(() => res.end())
      },
      handleWeb: (request) => {
        const { pathname, search } = new URL(request.url)
        const body = request.body === null ? Readable.from([]) : Readable.fromWeb(request.body as never)
        // A body that is destroyed unread emits an error; its reader knows already.
        body.on("error", () => {})
        const headers = Object.fromEntries(request.headers)
        return new Promise((resolve, reject) => {
          exchangeWith({ method: request.method, url: pathname + search, headers, body }, (reply) => {
            const content = reply.status === 204 ? null : String(reply.body ?? "")
            resolve(new Response(content, { status: reply.status, headers: { ...reply.headers } }))
          }).catch(reject)
        })
      }
    })
  })
