/** How a transfer is measured: how long it takes, and what it costs the server's process. */
import { median, ratio } from "../Rounds.ts"
import type { ServerProcess } from "../ServerProcess.ts"

export interface Transfer {
  /** Processor seconds of the server for each 10^9 bytes. */
  readonly cpuPerGB: number
  readonly megabytesPerSecond: number
}

export const transfer = async (
  server: Pick<ServerProcess, "cpuSeconds">,
  bytes: number,
  work: () => Promise<{ readonly seconds: number }>
): Promise<Transfer> => {
  const before = server.cpuSeconds()
  const { seconds } = await work()
  return { cpuPerGB: (server.cpuSeconds() - before) / (bytes / 1e9), megabytesPerSecond: bytes / 1e6 / seconds }
}

type Transfers = ReadonlyArray<Transfer>

const cpu = (transfers: Transfers) => transfers.map(({ cpuPerGB }) => cpuPerGB)
const speed = (transfers: Transfers) => transfers.map(({ megabytesPerSecond }) => megabytesPerSecond)

/** How many times the processor time of `b` goes into `a`. */
export const cpuRatio = (a: Transfers, b: Transfers): number => ratio(cpu(a), cpu(b))
export const speedRatio = (a: Transfers, b: Transfers): number => ratio(speed(a), speed(b))

export const describe = (transfers: Transfers): string =>
  `${median(cpu(transfers)).toFixed(2)} CPU s/GB, ${median(speed(transfers)).toFixed(0)} MB/s`
