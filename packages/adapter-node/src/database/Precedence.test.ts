/** Who goes first in the one session, on a clock that the test moves. */
import { assert, describe, it } from "@effect/vitest"
import type { Duplex } from "node:stream"
import { setImmediate } from "node:timers/promises"
import { backgroundName, PgliteWire } from "./PgliteWire.ts"
import { Precedence } from "./Precedence.ts"
import { encodeQuery } from "./WireFrames.ts"

describe("Precedence", () => {
  it("DB-22 after a long turn that others waited for, transactions asked for from then on wait a little", () => {
    const precedence = new Precedence()
    precedence.begin(0)
    precedence.end(100, true)
    assert.strictEqual(precedence.wait(99, 100), 0)
    assert.strictEqual(precedence.wait(100, 100), 10)
    assert.strictEqual(precedence.wait(101, 103), 7)
    assert.strictEqual(precedence.wait(101, 110), 0)
  })

  it("DB-22 they wait while others continue, for a quarter of the turn's time", () => {
    const precedence = new Precedence()
    precedence.begin(0)
    precedence.end(100, true)
    for (let now = 102; now < 130; now += 2) {
      precedence.begin(now)
      precedence.end(now + 1, false)
      assert.strictEqual(precedence.wait(101, now + 1), Math.max(0, Math.min(10, 125 - now - 1)))
    }
  })

  it("DB-22 nobody waits after a short turn, nor after one that nobody waited for", () => {
    const precedence = new Precedence()
    precedence.begin(0)
    precedence.end(19, true)
    assert.strictEqual(precedence.wait(20, 20), 0)
    precedence.begin(30)
    precedence.end(1_000, false)
    assert.strictEqual(precedence.wait(1_000, 1_000), 0)
  })
})

/** A wire on a session that takes as long for a statement as its text says, and what was run in it. */
const session = () => {
  const ran: Array<string> = []
  const due: Array<{ readonly at: number; readonly work: () => void }> = []
  let now = 0
  let isOpen = false
  const wire = new PgliteWire({
    execute: (message) => {
      const text = Buffer.from(message).toString("utf8", 5, message.length - 1)
      ran.push(text)
      now += Number(/\d+/.exec(text)?.[0] ?? 1)
      if (text.includes("BEGIN")) isOpen = true
      if (text.includes("COMMIT")) isOpen = false
      return Buffer.from("C\0\0\0\u0004")
    },
    inTransaction: () => isOpen,
    clock: { now: () => now, after: (millis, work) => void due.push({ at: now + millis, work }) }
  })
  const passes = async (millis: number) => {
    now += millis
    for (const { at, work } of due.splice(0)) {
      if (at <= now) work()
      else due.push({ at, work })
    }
    await setImmediate()
  }
  const connect = (name = "test"): Duplex => {
    const connection = wire.connect()
    connection.resume()
    const start = Buffer.from(`\0\0\0\0\0\0\0\0user\0postgres\0application_name\0${name}\0\0`)
    start.writeInt32BE(start.length)
    start.writeInt32BE(196_608, 4)
    connection.write(start)
    return connection
  }
  return { ran, connect, passes }
}

const send = (connection: Duplex, ...texts: ReadonlyArray<string>) => {
  for (const text of texts) connection.write(encodeQuery(text))
}

/** A session in which one connection has begun a long transaction, and another has asked for nothing yet. */
const inTransaction = async () => {
  const { connect, passes, ran } = session()
  const [long, small] = [connect(), connect()]
  await setImmediate()
  ran.length = 0
  send(long, "BEGIN 1", "work 80")
  await setImmediate()
  return { long, passes, ran, small }
}

describe("PgliteWire", () => {
  it("DB-22 a small call of two statements waits for one transaction of a long operation", async () => {
    const { long, passes, ran, small } = await inTransaction()
    send(small, "first")
    send(long, "COMMIT")
    await setImmediate()
    send(long, "BEGIN 2", "more 80", "COMMIT")
    await setImmediate()
    assert.deepStrictEqual(ran, ["BEGIN 1", "work 80", "COMMIT", "first"])
    await passes(2)
    send(small, "second")
    await setImmediate()
    await passes(10)
    await passes(10)
    assert.deepStrictEqual(ran.slice(3), ["first", "second", "BEGIN 2", "more 80", "COMMIT"])
  })

  it("DB-22 a transaction that has waited begins at once, and one that is asked for by a prepared statement waits", async () => {
    const { long, passes, ran, small } = await inTransaction()
    send(small, "start transaction BEGIN", "COMMIT")
    send(long, "COMMIT")
    await setImmediate()
    assert.deepStrictEqual(ran.slice(2), ["COMMIT", "start transaction BEGIN", "COMMIT"])
    const named = (type: string, body: string) => {
      const head = Buffer.from(`${type}\0\0\0\0`)
      head.writeUInt32BE(body.length + 4, 1)
      return Buffer.concat([head, Buffer.from(body)])
    }
    long.write(Buffer.concat([named("P", "s1\0BEGIN\0\0\0"), named("B", "\0s1\0\0\0\0\0\0\0"), named("S", "")]))
    await setImmediate()
    assert.strictEqual(ran.length, 5)
    await passes(10)
    assert.strictEqual(ran.length, 6)
  })

  /** A long statement of a caller's is under way, and what is given is asked for meanwhile, in that order. */
  const during = async (
    ask: (given: {
      readonly caller: Duplex
      readonly other: Duplex
      readonly background: Duplex
      readonly passes: (millis: number) => Promise<void>
    }) => void | Promise<void>
  ) => {
    const { connect, passes, ran } = session()
    const [long, caller, other, background] = [connect(), connect(), connect(), connect(backgroundName)]
    await setImmediate()
    ran.length = 0
    send(long, "BEGIN 1", "work 80")
    await setImmediate()
    await ask({ background, caller, other, passes })
    send(long, "COMMIT")
    await setImmediate()
    return { background, caller, passes, ran: () => ran.slice(3) }
  }

  it("DB-66 what nobody waits for comes after callers who have asked since", async () => {
    const { ran } = await during(({ background, caller, other }) => {
      send(background, "job 1")
      send(caller, "first")
      send(other, "BEGIN second", "COMMIT")
    })
    assert.deepStrictEqual(ran(), ["first", "BEGIN second", "COMMIT", "job 1"])
  })

  it("DB-66 after a tenth of a second it has its turn, and then others' next statements go before its next", async () => {
    const { background, caller, passes, ran } = await during(async ({ background, caller, passes }) => {
      send(background, "job 90")
      await passes(101)
      send(caller, "first")
    })
    assert.deepStrictEqual(ran(), ["job 90", "first"])
    send(background, "job 2")
    await setImmediate()
    await passes(2)
    send(caller, "second")
    await setImmediate()
    await passes(10)
    await passes(10)
    assert.deepStrictEqual(ran().slice(2), ["second", "job 2"])
  })
})
