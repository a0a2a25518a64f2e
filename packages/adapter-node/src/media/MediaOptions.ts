/** What a host may choose about opening files. Everything may be left out. */
export interface MediaOptions {
  /** How many files are decoded at a time, each in a process of its own. Default: one fewer than the machine has cores, 2 to 4; in the background 1 to 4. */
  readonly processes?: number
  /** Most memory that one such process may take, in bytes; one that takes more is killed. Default 1.5 GB. */
  readonly processMemoryMaxBytes?: number
  /** Where ffmpeg is. Default: where the environment's FFMPEG_PATH says, else on the PATH. Without it videos have no pictures, and tracks are not measured. */
  readonly ffmpegPath?: string
  /** Where ffprobe is. Default: where the environment's FFPROBE_PATH says, else on the PATH. */
  readonly ffprobePath?: string
}
