/** Tests which files this host can open: for `filedrive doctor`. */
export { find, type Name, type ProgramLookup } from "./ffmpeg/Ffmpeg.ts"
export { run } from "./ffmpeg/Program.ts"
export { libraries, type Library, versionOf } from "./Libraries.ts"
export { type Held, ofThisMachine, tryOut } from "./sandbox/Confinement.ts"
export { ownReads } from "./sandbox/ReadList.ts"
