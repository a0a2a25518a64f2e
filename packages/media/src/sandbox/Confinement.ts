/**
 * What holds sandboxed processes on this machine: the strongest of what its system offers in which they still work, tried
 * for real when the first of them is wanted. What it comes to is told by `filedrive doctor`.
 *
 * Node's own permissions come on top, see {@link file://./SandboxProcess.ts}: they hold JavaScript, not native code.
 */
import { execFile } from "node:child_process"
import { randomInt } from "node:crypto"
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { launch } from "./Launcher.ts"
import { ownReads, systemReads } from "./ReadList.ts"

/** What becomes of the program that is to be started. */
export interface Start {
  readonly path: string
  readonly args: ReadonlyArray<string>
  readonly uid?: number
  readonly gid?: number
}

export interface ProcessAccess {
  /** The port of this machine it may connect to; null for none. */
  readonly port: number | null
  readonly reads: ReadonlyArray<string>
}

export interface Confinement {
  readonly name: string
  /** What it consists of, for people. */
  readonly means: string
  /** How a program is started confined. */
  readonly start: (path: string, args: ReadonlyArray<string>, wanted: ProcessAccess) => Start
  /** The same by a process that is confined already. */
  readonly further: (path: string, args: ReadonlyArray<string>, wanted: ProcessAccess) => Start
}

const asIs = (path: string, args: ReadonlyArray<string>): Start => ({ path, args })

/** Nothing but Node's permissions. */
export const none: Confinement = {
  name: "node",
  means: "Node's permissions alone",
  start: asIs,
  further: asIs
}

/** Users that no system gives to anyone, one for each process, so that none is another's. */
const freeUser = (): number => randomInt(60_578, 61_184)

const pathOf = (name: string): string | undefined =>
  [`/usr/bin/${name}`, `/bin/${name}`, `/usr/local/bin/${name}`].find((path) => existsSync(path))

const byPerl = (perl: string, isOther: boolean): Confinement => {
  /** With what it takes to do it once more. */
  const own = [perl, "/usr/share/perl", "/usr/share/perl5"]
  return ({
    name: isOther ? "landlock, user" : "landlock",
    means: `Landlock and a filter of system calls${isOther ? ", as a user of its own" : ""}`,
    start: (path, args, { port, reads }) => ({
      path: perl,
      args: [...launch({ userId: isOther ? freeUser() : null, port, reads: [...reads, ...own] }), path, ...args]
    }),
    further: (path, args, { port, reads }) => ({
      path: perl,
      args: [...launch({ userId: null, port, reads }), path, ...args]
    })
  })
}

/** A network of its own has no way to the drive: what is to connect keeps the machine's. */
const byUnshare = (unshare: string, isRoot: boolean): Confinement => ({
  name: isRoot ? "network, user" : "namespaces",
  means: isRoot ? "a network and user of its own" : "namespaces of its own",
  start: (path, args, { port }) => {
    const user = freeUser()
    if (isRoot && port !== null) return { path, args, uid: user, gid: user }
    const kept = port === null ? ["--net", "--ipc"] : ["--ipc"]
    const whose = isRoot ? ["--setgid", String(user), "--setuid", String(user)] : ["--user"]
    return { path: unshare, args: [...kept, ...whose, "--", path, ...args] }
  },
  further: asIs
})

const byUser: Confinement = {
  name: "user",
  means: "a user of its own",
  start: (path, args) => {
    const uid = freeUser()
    return { path, args, uid, gid: uid }
  },
  further: asIs
}

/** What might hold here, the strongest first. */
export const candidates = (): ReadonlyArray<Confinement> => {
  if (process.platform !== "linux") return [none]
  const isRoot = process.getuid?.() === 0
  const [perl, unshare] = [pathOf("perl"), pathOf("unshare")]
  return [
    ...perl === undefined ? [] : isRoot ? [byPerl(perl, true), byPerl(perl, false)] : [byPerl(perl, false)],
    ...unshare === undefined ? [] : [byUnshare(unshare, isRoot)],
    ...isRoot ? [byUser] : [],
    none
  ]
}

/** What a process could do when it was tried. Of each: whether it was kept from it. */
export interface Held {
  /** Reading a file that only the drive's user may read. */
  readonly files: boolean
  /** Reading another process's environment. */
  readonly processes: boolean
  /** Connecting to a port of this machine. */
  readonly network: boolean
}

export interface ProbeOptions {
  /** A file that only this user may read. */
  readonly secret: string
  /** A process of this user's. */
  readonly pid: number
  /** Where somebody listens, on 127.0.0.1. */
  readonly port: number
  /** What must be readable all the same. */
  readonly needed: ReadonlyArray<string>
}

const probe = fileURLToPath(new URL("./ConfinementProbe.ts", import.meta.url))
const probeMillis = 20_000

/** Tries a confinement by a process without Node's permissions, so that native code is meant. Null when none can be started in it. */
export const tryOut = (confinement: Confinement, options: ProbeOptions): Promise<Held | null> => {
  const { args, path, ...user } = confinement.start(process.execPath, [probe, JSON.stringify(options)], {
    port: null,
    reads: [...ownReads(), ...systemReads()]
  })
  const place = process.platform === "win32" ? {} : { cwd: "/" }
  return new Promise<Held | null>((resolve) =>
    void execFile(
      path,
      args,
      { env: {}, ...place, timeout: probeMillis, ...user },
      (error, stdout) => resolve(error === null ? JSON.parse(stdout) as Held : null)
    )
  ).catch(() => null) // Being another user may be refused right away.
}

/** The first in which processes work. Those that follow hold less. */
const choose = async (): Promise<Confinement> => {
  const options: ProbeOptions = { secret: "", pid: process.pid, port: 0, needed: ownReads() }
  for (const one of candidates()) {
    if (one === none || (await tryOut(one, options)) !== null) return one
  }
  return none
}

let chosen: Promise<Confinement> | undefined

/** What holds here; tried once. */
export const ofThisMachine = (): Promise<Confinement> => chosen ??= choose()
