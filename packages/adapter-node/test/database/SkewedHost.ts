/**
 * A process whose clock is wrong: `node SkewedHost.ts <database url> <schema> <directory> <seconds ahead>`. Prints what a drive makes of it.
 */
const [url, schema, dataDirectory, ahead] = process.argv.slice(2) as [string, string, string, string]
const machineNow = Date.now
Date.now = () => machineNow() + Number(ahead) * 1_000

const { createDrive } = await import("@filedrive/adapter-node")
const { default: pg } = await import("pg")
const { printLine } = await import("../printLine.ts")

const drive = createDrive({ database: { url, schema }, dataDirectory, agent: false, log: "json", runJobs: false })
await drive.ready()
const client = new pg.Client({ connectionString: url })
await client.connect()

// Another process's job, whose lease has just begun by the database's clock.
const kind = "sessions.sweep"
await drive.runJobs()
await client.query(
  `UPDATE ${schema}.jobs SET lease = gen_random_uuid(), run_time = clock_timestamp() + interval '30 s' WHERE kind = '${kind}'`
)
const held = async () => (await client.query(`SELECT lease FROM ${schema}.jobs WHERE kind = '${kind}'`)).rows[0].lease
const before = await held()
await drive.runJobs()
const isHeld = before !== null && before === await held()

const user = await drive.accounts.create({ handle: "ada" })
const { rows: [{ seconds }] } = await client.query(
  `SELECT extract(epoch FROM clock_timestamp() - insert_time)::float8 AS seconds FROM ${schema}.profiles WHERE user_id = $1`,
  [user!.userId]
)
const ready = await drive.fetch(new Request("http://127.0.0.1:4500/readyz"))
printLine(JSON.stringify({ isHeld, seconds, status: ready.status, body: await ready.json() }))
await client.query(`DROP SCHEMA ${schema} CASCADE`)
await client.end()
await drive.close()
process.exit(0)
