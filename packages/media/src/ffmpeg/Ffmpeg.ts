/** The ffmpeg and ffprobe of this host, where it has them, and how they are run. */
import { DriveError, MediaTools } from "@filedrive/core"
import { Config, Duration, Effect, Exit, Option, type Scope } from "effect"
import { access, constants } from "node:fs/promises"
import { delimiter, join } from "node:path"
import { type Confinement, none, ofThisMachine } from "../sandbox/Confinement.ts"
import { programReads, systemReads } from "../sandbox/ReadList.ts"
import { contentOf, make as makeSandbox, type Sandbox } from "../sandbox/Sandbox.ts"
import type { TaskAnswer } from "../sandbox/Tasks.ts"
import type { SourceBlocks } from "../SourceBlocks.ts"
import { run } from "./Program.ts"
import type { ProgramLimits, Ran } from "./ProgramStart.ts"
import * as RangeProxy from "./RangeProxy.ts"
import { bytesOfFrame, type FramePicture, type Listened, type Peaked, type Pictured } from "./RunTasks.ts"

export type Name = "ffmpeg" | "ffprobe"

export interface Program {
  readonly path: string
  /** Its own version text, like `5.1.9-0+deb12u1`. */
  readonly version: string
}

type ProgramTask = "program" | "frame" | "listen" | "peaks"

/** Runs a program on a file. */
type Asking<Answer> = (
  name: Name,
  blocks: SourceBlocks,
  args: (url: string) => ReadonlyArray<string>,
  limits?: Partial<ProgramLimits>
) => Effect.Effect<Answer, DriveError.Unreadable | DriveError.Unavailable>

export interface Ffmpeg {
  /** Which of the two this host has; determined once, and again ten minutes after one did not answer. */
  readonly program: (name: Name) => Effect.Effect<Program | null>
  /**
   * The output of a program for a file: `args` gets the file's address. `Unreadable` when the host lacks the program, or
   * when it exceeds a limit; `Unavailable` when somebody else killed it; the caller judges how it ended otherwise.
   */
  readonly run: Asking<Ran>
  /** Runs ffmpeg to decode one picture, in the pixels of `framePixels`, and returns it as a JPEG. */
  readonly frame: (
    blocks: SourceBlocks,
    args: (url: string) => ReadonlyArray<string>,
    picture: FramePicture
  ) => Effect.Effect<Pictured, DriveError.Unreadable | DriveError.Unavailable>
  /** Runs ffmpeg to decode samples, and returns how they sound. */
  readonly listen: (
    blocks: SourceBlocks,
    args: (url: string) => ReadonlyArray<string>,
    limits?: Partial<ProgramLimits>
  ) => Effect.Effect<Listened, DriveError.Unreadable | DriveError.Unavailable>
  /** Runs ffmpeg to decode all samples of a file, and returns their peaks. */
  readonly peaks: (
    blocks: SourceBlocks,
    args: (url: string) => ReadonlyArray<string>,
    limits: Partial<ProgramLimits>
  ) => Effect.Effect<Peaked, DriveError.Unreadable | DriveError.Unavailable>
  /**
   * Runs ffmpeg to make another file, which it sends to the address it reads from; `write` takes that. As {@link run}, and
   * resolves when all of it was taken.
   */
  readonly convert: <E>(
    blocks: SourceBlocks,
    args: (url: string) => ReadonlyArray<string>,
    limits: Partial<ProgramLimits>,
    write: (bytes: Uint8Array) => Effect.Effect<void, E>
  ) => Effect.Effect<Ran, DriveError.Unreadable | DriveError.Unavailable | E>
}

export interface FfmpegOptions {
  readonly ffmpegPath?: string
  readonly ffprobePath?: string
  /** Programs that run at a time, for what takes seconds. */
  readonly processes: number
  /** Programs that run at a time beside these, for what takes as long as a film does. Default 3. */
  readonly longProcesses?: number
  readonly memoryMaxBytes: number
  /** How long a program may take to tell its version. Default: half a minute. */
  readonly askMillis?: number
}

/** Formats that may be opened: those that contain sound and pictures themselves, not playlists or scripts, which name other files. */
const formats = [
  "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,mpegvideo,flv,asf,ogg",
  "mp3,flac,wav,w64,aac,ac3,eac3,amr,ape,aiff,caf,au,wv,tta,mpc,mpc8,dsf"
].join()

/** How every file is opened: by the proxy alone, with bounded pictures, and no longer than the store takes at most. */
export const inputOptions: ReadonlyArray<string> = [
  ["-protocol_whitelist", "http,tcp"],
  ["-format_whitelist", formats],
  ["-rw_timeout", "25000000"],
  ["-max_streams", "100"],
  // A connection within a machine buffers megabytes that may never be read; they would be fetched for nothing.
  process.platform === "win32" ? [] : ["-recv_buffer_size", "65536", "-tcp_mss", "1460"]
].flat()

/**
 * A host without the program fails at once. Otherwise it gets time, and several tries: the first file often comes while a busy
 * host still starts, and may kill or stop what it starts.
 */
const defaultAskMillis = 30_000
const triesMax = 3

/** A program that did not answer at all counts as missing for so long. */
const unansweredLifetime = Duration.minutes(10)

const asking: ProgramLimits = {
  deadlineMillis: defaultAskMillis,
  cpuMaxSeconds: 3,
  memoryMaxBytes: 1e9,
  outputMaxBytes: 1e6
}
const defaults: Omit<ProgramLimits, "memoryMaxBytes"> = {
  deadlineMillis: 60_000,
  cpuMaxSeconds: 20,
  outputMaxBytes: 16e6
}

/** The exit code of ffmpeg when it was asked to end by a signal. */
const endedBySignal = 255

/** The most that any work takes that takes as long as a film does; each has limits of its own. */
export const longest = { cpuMaxSeconds: 12 * 3_600, deadlineMillis: 11 * 3_600_000 }

const tooMuch = {
  time: "This file could not be opened: it takes too much time.",
  memory: "This file could not be opened: it takes too much memory.",
  output: "This file could not be opened: it has more in it than can be shown."
}

const fromEnvironment = (name: string): Effect.Effect<string | undefined> =>
  Config.option(Config.String(name)).pipe(Effect.map(Option.getOrUndefined), Effect.orElseSucceed(() => undefined))

/** Where a program is on the PATH. */
const onPath = Effect.fnUntraced(function*(name: Name) {
  const path = (yield* fromEnvironment("PATH")) ?? ""
  const files = path.split(delimiter).filter((directory) => directory !== "").flatMap((directory) =>
    process.platform === "win32" ? [join(directory, `${name}.exe`)] : [join(directory, name)]
  )
  for (const file of files) {
    const found = yield* Effect.promise(() => access(file, constants.X_OK).then(() => true, () => false))
    if (found) return file
  }
  return undefined
})

/** A program that was found, or why it is missing. Without an answer it may be another time. */
export type ProgramLookup = Program | { readonly missing: string; readonly isUnanswered: boolean }

/** Runs a program to identify it; again when it is killed or stands still. */
const ask = Effect.fnUntraced(function*(path: string, args: ReadonlyArray<string>, limits: ProgramLimits) {
  let told = yield* run(path, args, limits)
  for (let tries = 1; tries < triesMax && isUnanswered(told); tries++) told = yield* run(path, args, limits)
  return told
})

/** Whether it ended by no code of its own. One that can't be started gives none either: memory may be short. */
const isUnanswered = ({ exitCode }: Ran): boolean => exitCode === null

/** Finds a program: at the path `chosen`, or that of the environment (`FFMPEG_PATH`, `FFPROBE_PATH`), or on the PATH. */
export const find = Effect.fnUntraced(function*(
  name: Name,
  chosen: string | undefined,
  askMillis = defaultAskMillis
): Effect.fn.Return<ProgramLookup> {
  const path = chosen ?? (yield* fromEnvironment(`${name.toUpperCase()}_PATH`)) ?? (yield* onPath(name))
  if (path === undefined) return { missing: `There is no ${name} on this host`, isUnanswered: false }
  const told = yield* ask(path, ["-version"], { ...asking, deadlineMillis: askMillis })
  const version = /^\S+ version (\S+)/.exec(Buffer.from(told.output).toString("latin1"))?.[1]
  if (told.exitCode === 0 && version !== undefined) return { path, version }
  return {
    missing: `${path} does not work as ${name}${told.lastWords === "" ? "" : `: ${told.lastWords.trim()}`}`,
    isUnanswered: isUnanswered(told)
  }
})

/** What this host has, and how it is run. */
interface Host {
  readonly programs: Readonly<Record<Name, Program | null>>
  readonly confinement: Confinement
  /** What confined programs may read. */
  readonly reads: ReadonlyArray<string>
  /** Why programs are missing. */
  readonly missing: ReadonlyArray<string>
  /** Whether one of them gave no answer, and may give one later. */
  readonly isUnanswered: boolean
}

/** Finds both programs, and how they can be confined. */
const lookUp = Effect.fnUntraced(function*(
  { askMillis, ffmpegPath, ffprobePath }: FfmpegOptions
): Effect.fn.Return<Host> {
  const found = [yield* find("ffmpeg", ffmpegPath, askMillis), yield* find("ffprobe", ffprobePath, askMillis)] as const
  const [ffmpeg, ffprobe] = [programOf(found[0]), programOf(found[1])]
  const reads = [ffmpeg, ffprobe].flatMap((one) => one === null ? [] : programReads(one.path))
  const allReads = [...reads, ...systemReads()]
  const confined = yield* confinementOf([ffmpeg, ffprobe], allReads)
  const missing = found.flatMap((one) => "missing" in one ? [one.missing] : [])
  if ("unanswered" in confined) {
    const because = `${confined.unanswered} does not answer when it is confined`
    const programs = { ffmpeg: null, ffprobe: null }
    return { programs, confinement: none, reads: allReads, missing: [...missing, because], isUnanswered: true }
  }
  return {
    programs: { ffmpeg, ffprobe },
    confinement: confined,
    reads: allReads,
    missing,
    isUnanswered: found.some((one) => "missing" in one && one.isUnanswered)
  }
})

const programOf = (found: ProgramLookup): Program | null => "missing" in found ? null : found

/**
 * The confinement of the programs: the machine's, if they work in it. A script that starts another program may not. One that does
 * not answer shows nothing: it is not run without confinement.
 */
const confinementOf = Effect.fnUntraced(function*(
  programs: ReadonlyArray<Program | null>,
  reads: ReadonlyArray<string>
): Effect.fn.Return<Confinement | { readonly unanswered: string }> {
  const confinement = yield* Effect.promise(ofThisMachine)
  for (const program of programs) {
    if (program === null) continue
    const { args, path } = confinement.start(program.path, ["-version"], { port: null, reads })
    const told = yield* ask(path, args, asking)
    if (told.exitCode === 0) continue
    if (isUnanswered(told)) return { unanswered: program.path }
    const { lastWords } = told
    yield* Effect.logWarning(
      `${program.path} does not work confined (${lastWords.trim()}), so the programs that decode videos and tracks may read what `
        + "the drive may. Name the program itself, not a script that starts it, by FFMPEG_PATH and FFPROBE_PATH."
    )
    return none
  }
  return confinement
})

/** Logs what is missing, once for as long as it is. */
const tellOnce = Effect.sync(() => {
  let isTold = false
  return Effect.fnUntraced(function*({ missing }: Host) {
    if (missing.length > 0 && !isTold) {
      yield* Effect.logWarning(
        `${
          missing.join("; ")
        }. Videos are not shown and tracks not measured until ffmpeg is installed; \`npx filedrive doctor\` tells more.`
      )
    }
    isTold = missing.length > 0
  })
})

export const make = (options: FfmpegOptions): Effect.Effect<Ffmpeg, never, Scope.Scope> =>
  Effect.gen(function*() {
    const { memoryMaxBytes, processes } = options
    const proxy = yield* RangeProxy.make
    const host = yield* Effect.cachedWithTTL(
      Effect.tap(lookUp(options), yield* tellOnce),
      (exit) => Exit.isFailure(exit) ? 0 : exit.value.isUnanswered ? unansweredLifetime : Infinity
    )
    const confinement = Effect.map(host, ({ confinement }) => confinement)
    // The CPU time of a program is in its directory below /proc.
    const access = Effect.zipWith(proxy.port, host, (port, { reads }) => ({ port, reads: [...reads, "/proc"] }))
    const sandbox = yield* makeSandbox({
      processes,
      confinement,
      // The CPU of the program and of the analysis of its output.
      cpuMaxSeconds: 2 * defaults.cpuMaxSeconds,
      programs: access
    })
    const longSandbox = yield* makeSandbox({
      processes: options.longProcesses ?? 3,
      confinement,
      cpuMaxSeconds: longest.cpuMaxSeconds,
      deadlineMillis: longest.deadlineMillis,
      programs: access
    })
    const program: Ffmpeg["program"] = (name) => Effect.map(host, ({ programs }) => programs[name])

    /** Runs a program on a file that is served, in one of the sandboxes. */
    const perform = <Task extends ProgramTask, E>(
      where: Sandbox,
      task: Task,
      name: Name,
      blocks: SourceBlocks,
      serve: Effect.Effect<RangeProxy.ServedBothWays<E> | RangeProxy.Served, DriveError.Unavailable, Scope.Scope>,
      args: (url: string) => ReadonlyArray<string>,
      limits: Partial<ProgramLimits> | undefined,
      picture?: FramePicture
    ) =>
      Effect.gen(function*() {
        const { confinement, programs, reads } = yield* host
        const found = programs[name]
        if (found === null) return yield* missing(name)
        const served = yield* serve
        const { budget } = blocks
        const chosen = { ...defaults, memoryMaxBytes, ...limits }
        const started = confinement.further(found.path, args(served.url), { port: yield* proxy.port, reads })
        const options = {
          pairs: MediaTools.peakPairs,
          picture,
          path: started.path,
          args: started.args,
          environment: served.environment,
          limits: { ...chosen, cpuMaxSeconds: Math.min(chosen.cpuMaxSeconds, yield* budget.left) }
        }
        const running = where.run<ProgramTask>(task, options, { ...nothing, budget })
        const ran = yield* Effect.raceFirst(running, served.failed)
        if (ran.passed !== null) return yield* new DriveError.Unreadable({ because: tooMuch[ran.passed] })
        if (ran.isKilled || ran.exitCode === endedBySignal) return yield* MediaTools.killed(name)
        // One that fails has sent less than all.
        if ("received" in served && ran.exitCode === 0) yield* Effect.raceFirst(served.received, served.failed)
        return ran as TaskAnswer<Task>
      }).pipe(Effect.scoped)
    return {
      program,
      run: (name, blocks, args, limits) => perform(sandbox, "program", name, blocks, proxy.serve(blocks), args, limits),
      frame: (blocks, args, picture) => {
        const limits = { outputMaxBytes: bytesOfFrame(picture) }
        return perform(sandbox, "frame", "ffmpeg", blocks, proxy.serve(blocks), args, limits, picture)
      },
      listen: (blocks, args, limits) => perform(sandbox, "listen", "ffmpeg", blocks, proxy.serve(blocks), args, limits),
      peaks: (blocks, args, limits) =>
        perform(longSandbox, "peaks", "ffmpeg", blocks, proxy.serve(blocks), args, limits),
      convert: (blocks, args, limits, write) =>
        perform(longSandbox, "program", "ffmpeg", blocks, proxy.serveBothWays(blocks, { write }), args, limits)
    }
  })

/** The bytes that its program reads count as read of the file. */
const nothing = contentOf(new Uint8Array())

const missing = (name: Name) =>
  new DriveError.Unreadable({
    because:
      `Opening this file needs ${name} on the server: install ffmpeg, or say where it is by FFMPEG_PATH and FFPROBE_PATH.`,
    missingTool: name
  })
