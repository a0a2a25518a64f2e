/**
 * The drive's client in Node: a file in parts and many small files, against a loop of requests written by hand and against
 * `@uppy/aws-s3`; a small call against `fetch`; and the memory of a client that sends a large file. Whoever sends is a process of its
 * own, of which processor time and memory are measured. Files are kept on disk.
 */
import { build } from "esbuild"
import { randomBytes } from "node:crypto"
import { open, truncate, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import type { ClientCall, ClientCalled, ClientCalling, ClientSending, ClientSent, SentBy } from "../ClientSending.ts"
import { type DriveCaller, withDirectory, withDrive } from "../DriveCaller.ts"
import { interleave, median, ratio } from "../Rounds.ts"
import { startServer } from "../ServerProcess.ts"
import {
  clientBytes,
  clientCallRounds,
  clientFiles,
  clientMemoryBytes,
  clientRounds,
  loadNow,
  MiB
} from "../Settings.ts"
import { atLeast, atMost, type Outcome } from "../Table.ts"

const atOnce = 4
const smallBytes = 20 * 1024
const limitBytes = 150 * MiB

interface Setup {
  readonly drive: DriveCaller
  /** The program that sends, in one file, as it would be published: nothing is compiled while it starts. */
  readonly program: string
}

const bundle = async (directory: string): Promise<string> => {
  const outfile = join(directory, "clientSends.mjs")
  await build({
    entryPoints: [fileURLToPath(new URL("../servers/clientSends.ts", import.meta.url))],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["@filedrive/source"],
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)" }
  })
  return pathToFileURL(outfile).href
}

const send = async (
  { drive, program }: Setup,
  sending: Omit<ClientSending, "account" | "origin" | "atOnce">
): Promise<ClientSent> => {
  const { accounts, origin } = drive.server.said
  await using sender = await startServer<ClientSent>(program, {
    ...sending,
    account: accounts[0]!,
    origin,
    atOnce
  })
  const { ids } = sender.said
  for (let at = 0; at < ids.length; at += 100) {
    await drive.call("/delete-files", ids.slice(at, at + 100).map((id) => ({ id })))
  }
  await drive.server.quiet()
  return sender.said
}

/** Each sends once a round, another one first each time. */
const inTurns = (setup: Setup, name: string, what: ClientSending["what"]) => {
  const senders: ReadonlyArray<SentBy> = ["client", "loop", "uppy"]
  const rotated = async (round: number) => {
    const sent = {} as Record<SentBy, ClientSent>
    for (let at = 0; at < senders.length; at++) {
      const by = senders[(at + round) % senders.length]!
      sent[by] = await send(setup, { by, name: `${name}-${by}-${round}`, what })
    }
    return sent
  }
  return interleave(clientRounds, { rotated })
}

const compare = async (
  setup: Setup,
  name: string,
  what: string,
  sending: ClientSending["what"],
  timesUppy: number
): Promise<ReadonlyArray<Outcome>> => {
  const { rotated } = await inTurns(setup, name, sending)
  const figures = (by: SentBy, figure: "seconds" | "cpuSeconds") => rotated.map((sent) => sent[by][figure])
  const describe = (by: SentBy) =>
    `${median(figures(by, "seconds")).toFixed(2)} s, CPU ${median(figures(by, "cpuSeconds")).toFixed(2)} s`
  const than = (by: SentBy, figure: "seconds" | "cpuSeconds") => ratio(figures(by, figure), figures("client", figure))
  const row = { own: describe("client") }
  const loop = `a loop of requests by hand: ${describe("loop")}`
  const uppy = `@uppy/aws-s3: ${describe("uppy")}`
  return [
    atMost(1.1, { ...row, what: `${what} (${loadNow()})`, against: loop, factor: 1 / than("loop", "seconds") }),
    atMost(1.1, { ...row, what: `the same, the sender's CPU`, against: loop, factor: 1 / than("loop", "cpuSeconds") }),
    atLeast(timesUppy, { ...row, what: "the same", against: uppy, factor: than("uppy", "seconds") }),
    atLeast(1, { ...row, what: "the same, the sender's CPU", against: uppy, factor: than("uppy", "cpuSeconds") })
  ]
}

const calls = async (drive: DriveCaller): Promise<ReadonlyArray<Outcome>> => {
  const { accounts, origin } = drive.server.said
  const calling: ClientCalling = {
    account: accounts[0]!,
    origin,
    fileId: await drive.upload("called", smallBytes),
    rounds: clientCallRounds,
    callsInRound: 50
  }
  await using caller = await startServer<ClientCalled>("clientCalls", calling)
  const { client, fetch } = caller.said
  const row = (figure: keyof ClientCall, what: string): Outcome => {
    const [ours, bare] = [client, fetch].map((calls) => calls.map((call) => call[figure])) as [
      Array<number>,
      Array<number>
    ]
    return atMost(1.1, {
      what,
      own: `${median(ours).toFixed(0)} µs`,
      against: `fetch: ${median(bare).toFixed(0)} µs`,
      factor: ratio(ours, bare)
    })
  }
  return [
    row("wall", `\`/generate-download-url\` by the client in Node, one by one (${loadNow()})`),
    row("cpu", "the same, the caller's CPU")
  ]
}

/** Flat: the last third of the samples is at most a tenth above the second. */
const memory = async (setup: Setup, what: string, sending: ClientSending["what"]): Promise<Outcome> => {
  const sent = await send(setup, { by: "client", name: what.replaceAll(" ", "-"), what: sending })
  const resident = sent.residentBytes
  const third = Math.floor(resident.length / 3)
  const middle = median(resident.slice(third, 2 * third + 1))
  const last = median(resident.slice(2 * third))
  const peak = Math.max(...resident)
  const mebibytes = (bytes: number) => `${Math.round(bytes / MiB)} MiB`
  return {
    what: `memory of a client that sends ${sending.bytes / MiB} MiB of ${what} (${loadNow()})`,
    own: `idle ${mebibytes(sent.idleBytes)}, second third ${mebibytes(middle)}, last third ${mebibytes(last)}`,
    against: `${(sending.bytes / 1e6 / sent.seconds).toFixed(0)} MB/s`,
    result: `peak ${mebibytes(peak)}`,
    target: "flat, under 150 MiB",
    met: peak < limitBytes && last <= middle * 1.1
  }
}

/** A file whose bytes are on disk, and in its cache once it has been sent. */
const writeLarge = async (path: string) => {
  await using file = await open(path, "w")
  const piece = randomBytes(MiB)
  for (let at = 0; at < clientBytes; at += MiB) await file.write(piece)
}

export const client = (): Promise<ReadonlyArray<Outcome>> =>
  withDirectory((directory) =>
    withDrive({ dataDirectory: join(directory, "drive") }, async (drive) => {
      const setup = { drive, program: await bundle(directory) }
      const large = join(directory, "large")
      await writeLarge(large)
      const sparse = join(directory, "sparse")
      await writeFile(sparse, "")
      await truncate(sparse, clientMemoryBytes)
      return [
        ...await compare(setup, "large", `${clientBytes / MiB} MiB sent in parts, 4 at once`, {
          path: large,
          bytes: clientBytes
        }, 1),
        ...await compare(setup, "small", `${clientFiles} files of 20 KiB sent, 4 at once`, {
          files: clientFiles,
          bytes: smallBytes
        }, 2),
        ...await calls(drive),
        await memory(setup, "a path", { path: sparse, bytes: clientMemoryBytes }),
        await memory(setup, "a stream", { stream: true, bytes: clientMemoryBytes })
      ]
    })
  )
