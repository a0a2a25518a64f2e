/**
 * How sandboxed processes are confined on this machine: by the strongest confinement of its system in which they still work, tested
 * when the first of them is needed. `filedrive doctor` reports the result.
 *
 * Node's own permissions are added, see {@link file://./SandboxProcess.ts}: they confine JavaScript, not native code.
 */
import { execFile } from "node:child_process"
import { randomInt } from "node:crypto"
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { launch } from "./Launcher.ts"
import { ownReads, systemReads } from "./ReadList.ts"

/** The program to start. */
export interface Start {
  readonly path: string
  readonly args: ReadonlyArray<string>
  readonly uid?: number
  readonly gid?: number
}

export interface ProcessAccess {
  /** The one port of this machine it may connect to; null for none. */
  readonly port: number | null
  readonly reads: ReadonlyArray<string>
}

export interface Confinement {
  readonly name: string
  /** What it consists of, for people. */
  readonly means: string
  /** How a program is started confined. */
  readonly start: (path: string, args: ReadonlyArray<string>, wanted: ProcessAccess) => Start
  /** How a process that is confined already starts it. */
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

/** User ids that no system assigns, one for each process, so that no process can reach another. */
const freeUser = (): number => randomInt(60_578, 61_184)

const pathOf = (name: string): string | undefined =>
  [`/usr/bin/${name}`, `/bin/${name}`, `/usr/local/bin/${name}`].find((path) => existsSync(path))

const byPerl = (perl: string, isOther: boolean): Confinement => {
  /** With what is needed to do it once more. */
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

/** A network of its own can't reach the drive: a process that must connect keeps the machine's. */
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

/** The confinements that may work here, the strongest first. */
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

/** The results of a test: for each action whether the process was prevented from it. */
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
  /** A port on 127.0.0.1 with a listener. */
  readonly port: number
  /** Files that must still be readable. */
  readonly needed: ReadonlyArray<string>
}

const probe = fileURLToPath(new URL("./ConfinementProbe.ts", import.meta.url))
const probeMillis = 20_000

/** Tests a confinement with a process without Node's permissions, as native code would act. Null when none can be started in it. */
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

/** The first in which processes work. The later ones are weaker. */
const choose = async (): Promise<Confinement> => {
  const options: ProbeOptions = { secret: "", pid: process.pid, port: 0, needed: ownReads() }
  for (const one of candidates()) {
    if (one === none || (await tryOut(one, options)) !== null) return one
  }
  return none
}

let chosen: Promise<Confinement> | undefined

/** The confinement of this machine; tested once. */
export const ofThisMachine = (): Promise<Confinement> => chosen ??= choose()
