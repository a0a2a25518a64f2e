/**
 * Files of 20 KiB recorded one after the other, the whole path over HTTP: the drive's three requests a file, against the same three
 * to a server written by hand that writes the bytes, syncs them once and inserts one row; and against one request to it that does
 * all. PostgreSQL syncs what it commits.
 */
import { join } from "node:path"
import { type DriveCaller, type DriveOptions, withDirectory, withDrive } from "../DriveCaller.ts"
import { type DurablePostgres, withDurablePostgres } from "../Postgres.ts"
import { interleave, median, ratio } from "../Rounds.ts"
import { quiet, type ServerProcess, startServer } from "../ServerProcess.ts"
import { loadNow, smallFileRounds, smallFileSeconds, smallFileWarmupSeconds } from "../Settings.ts"
import { filesInList, type HandOptions, type Sending, type SentFiles } from "../SmallFiles.ts"
import { atLeast, type Outcome } from "../Table.ts"

type Server = ServerProcess<{ readonly origin: string }>

interface Measured extends SentFiles {
  /** Milliseconds of processor time a file, of the server and of PostgreSQL, with what they do after the last answer. */
  readonly serverMillis: number
  readonly postgresMillis: number
}

const manyAccounts = 16
const fileBytes = 20 * 1024

/** Each on a connection of its own: fewer files are sent at the same time than without lists. */
const listsAtOnce = 4

const measure = async (server: Server, sending: Omit<Sending, "fileBytes">, postgres?: DurablePostgres) => {
  const cpu = () => [server.cpuSeconds(), postgres?.cpuSeconds() ?? 0] as const
  const before = cpu()
  await using client = await startServer<SentFiles>("sendFiles", { ...sending, fileBytes })
  await quiet(() => cpu()[0] + cpu()[1])
  const [serverMillis, postgresMillis] = cpu().map((now, at) => (now - before[at]!) / client.said.files * 1_000)
  return { ...client.said, serverMillis: serverMillis!, postgresMillis: postgresMillis! }
}

const describe = (measured: ReadonlyArray<Measured>) => {
  const of = (figure: (one: Measured) => number, digits = 1) => median(measured.map(figure)).toFixed(digits)
  const requests = measured[0]!.requestMillis.map((_, at) => of(({ requestMillis }) => requestMillis[at]!)).join(" + ")
  const postgres = median(measured.map(({ postgresMillis }) => postgresMillis))
  return `${of(({ perSecond }) => perSecond, 0)}/s (requests ${requests} ms), CPU ${
    of(({ serverMillis }) => serverMillis)
  } ms a file${postgres === 0 ? "" : ` and PostgreSQL ${postgres.toFixed(1)}`}`
}

const cells = [1, manyAccounts].flatMap((accounts) => [1, 16].map((atOnce) => ({ accounts, atOnce })))

interface Contender {
  readonly name: string
  readonly server: Server
  readonly to: Sending["to"]
}

const compare = async (
  database: string,
  drive: DriveCaller,
  [held, ...shown]: readonly [Contender, ...ReadonlyArray<Contender>],
  postgres?: DurablePostgres
): Promise<ReadonlyArray<Outcome>> => {
  const outcomes: Array<Outcome> = []
  for (const { server, to } of [{ server: drive.server, to: "drive" } as const, held, ...shown]) {
    const { accounts } = drive.server.said
    await measure(server, {
      to,
      origin: server.said.origin,
      accounts,
      atOnce: 16,
      warmupSeconds: 0,
      seconds: smallFileWarmupSeconds
    })
  }
  for (const { accounts, atOnce } of cells) {
    const sending = {
      accounts: drive.server.said.accounts.slice(0, accounts),
      atOnce,
      warmupSeconds: smallFileSeconds / 4,
      seconds: smallFileSeconds
    }
    const byHand = ({ server, to }: Contender) =>
      measure(server, { ...sending, to, origin: server.said.origin }, postgres)
    const others = Object.fromEntries(shown.map((contender) => [contender.name, () => byHand(contender)]))
    const toDrive = (to: "drive" | "drive in lists") => () =>
      measure(drive.server, {
        ...sending,
        ...to === "drive in lists" && { atOnce: listsAtOnce },
        to,
        origin: drive.server.said.origin
      }, postgres)
    const measured = await interleave<string, Measured>(smallFileRounds, {
      drive: toDrive("drive"),
      ...atOnce > 1 && { lists: toDrive("drive in lists") },
      [held.name]: () => byHand(held),
      ...others
    })
    const rates = (name: string) => measured[name]!.map(({ perSecond }) => perSecond)
    const against = [held, ...shown].map(({ name }) => `${name}: ${describe(measured[name]!)}`).join("; ")
    const what = `small files a second, whole path over HTTP, ${database}, ${
      accounts === 1 ? "1 account" : `${accounts} accounts`
    }, ${atOnce === 1 ? "one by one" : `${atOnce} at once`} (${loadNow()})`
    const row = (contender: "drive" | "lists", what: string) =>
      atLeast(0.7, {
        what,
        own: describe(measured[contender]!),
        against,
        factor: ratio(rates(contender), rates(held.name))
      })
    outcomes.push(row("drive", what))
    if (atOnce > 1) outcomes.push(row("lists", `the same, ${listsAtOnce} lists of ${filesInList} files at once`))
  }
  return outcomes
}

const startHand = (options: HandOptions) => startServer<{ readonly origin: string }>("smallFiles", options)

const drive = <A>(options: Omit<DriveOptions, "accounts">, work: (drive: DriveCaller) => Promise<A>) =>
  withDrive({ ...options, accounts: manyAccounts }, work)

export const smallFiles = (): Promise<ReadonlyArray<Outcome>> =>
  withDurablePostgres((postgres) =>
    postgres.withDatabase((databaseUrl) =>
      postgres.withDatabase((url) =>
        withDirectory((directory) =>
          drive({ dataDirectory: join(directory, "drive"), databaseUrl }, async (drive) => {
            await using server = await startHand({ directory, database: { kind: "postgres", url } })
            return await compare("on PostgreSQL", drive, [
              { name: "Fastify 5 and pg, by hand, the same three requests", server, to: "hand in three" },
              { name: "in one request", server, to: "hand in one" }
            ], postgres)
          })
        )
      )
    )
  )

export const smallFilesEmbedded = (): Promise<ReadonlyArray<Outcome>> =>
  withDirectory((directory) =>
    drive({ dataDirectory: join(directory, "drive") }, async (drive) => {
      await using synced = await startHand({ directory: join(directory, "synced"), database: { kind: "synced" } })
      await using unsynced = await startHand({ directory: join(directory, "unsynced"), database: { kind: "unsynced" } })
      return await compare("embedded", drive, [
        {
          name: "Fastify 5 and PGlite, its log synced, by hand, the same three requests",
          server: synced,
          to: "hand in three"
        },
        { name: "in one request", server: synced, to: "hand in one" },
        { name: "in one request with PGlite as it comes, unsynced", server: unsynced, to: "hand in one" }
      ])
    })
  )
