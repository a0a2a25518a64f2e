/** PostgreSQL's wire protocol as far as {@link PgliteWire} must read it: a type byte, an int32 length, the rest. */

export interface Frame {
  readonly type: number
  readonly bytes: Buffer
}

/** Length in bytes of the whole frame at `offset`, or undefined when it has not all arrived. */
export const frameLength = (buffer: Buffer, offset: number): number | undefined => {
  if (buffer.length - offset < 5) {
    return undefined
  }
  const length = buffer.readInt32BE(offset + 1) + 1
  return buffer.length - offset < length ? undefined : length
}

export function* frames(buffer: Buffer): Generator<Frame> {
  for (let offset = 0, length; (length = frameLength(buffer, offset)) !== undefined; offset += length) {
    yield { type: buffer[offset]!, bytes: buffer.subarray(offset, offset + length) }
  }
}

/** The first message of a connection, which has no type byte; undefined when it has not all arrived. */
export const startup = (buffer: Buffer) => {
  if (buffer.length < 8) {
    return undefined
  }
  const length = buffer.readInt32BE(0)
  if (buffer.length < length) {
    return undefined
  }
  const code = buffer.readInt32BE(4)
  const kind = code === 80_877_103 ? "ssl" : code === 80_877_102 ? "cancel" : "startup"
  return { kind, bytes: buffer.subarray(0, length) } as const
}

/** Whether a connection's first message names it so. */
export const isNamed = (startup: Buffer, name: string): boolean => startup.includes(`\0application_name\0${name}\0`)

const frame = (type: string, body: string): Buffer => {
  const content = Buffer.from(body + "\0")
  const head = Buffer.alloc(5)
  head.write(type, "latin1")
  head.writeInt32BE(content.length + 4, 1)
  return Buffer.concat([head, content])
}

export const encodeQuery = (sql: string): Buffer => frame("Q", sql)

/** Closes the named statements: `Close`, once each, and a `Sync`. */
export const closeStatements = (names: Iterable<string>): Buffer =>
  Buffer.concat([...Array.from(names, (name) => frame("C", `S${name}`)), Buffer.from([0x53, 0, 0, 0, 4])])

const beginStatement = /^\s*(?:begin|start\s+transaction)\b/i

/** Whether the statement text at `start` begins a transaction. */
export const begins = (bytes: Buffer, start: number): boolean =>
  beginStatement.test(bytes.toString("latin1", start, Math.min(bytes.length, start + 40)))

const listenStatement = /^\s*(un)?listen\s+(?:"((?:[^"]|"")+)"|(\w+))/i
const startsLikeListen = new Set(Array.from("lLuU \n\t", (letter) => letter.charCodeAt(0)))

/** The channel that the statement text at `start` begins or ends listening on. */
export const channelOf = (bytes: Buffer, start: number) => {
  if (!startsLikeListen.has(bytes[start]!)) {
    return undefined
  }
  const found = listenStatement.exec(bytes.toString("utf8", start, Math.min(bytes.length, start + 200)))
  if (found === null) {
    return undefined
  }
  return { listen: found[1] === undefined, channel: found[2]?.replaceAll("\"\"", "\"") ?? found[3]!.toLowerCase() }
}
