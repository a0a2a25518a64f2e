/** A program that sends files once, and says what it took. */
import { byClient } from "../client/byClient.ts"
import { byLoop } from "../client/byLoop.ts"
import { byUppy } from "../client/byUppy.ts"
import type { ClientSending, ClientSent } from "../ClientSending.ts"
import { options, ready } from "./parent.ts"

const sending = options<ClientSending>()
const send = { client: byClient, loop: byLoop, uppy: byUppy }[sending.by]

const idleBytes = process.memoryUsage.rss()
const residentBytes: Array<number> = []
const take = () => residentBytes.push(process.memoryUsage.rss())
const timer = setInterval(take, 100)
const cpu = process.cpuUsage()
const start = performance.now()
const ids = await send(sending)
const seconds = (performance.now() - start) / 1_000
const { system, user } = process.cpuUsage(cpu)
clearInterval(timer)
take()
ready({ ids, seconds, cpuSeconds: (system + user) / 1e6, idleBytes, residentBytes } satisfies ClientSent)
