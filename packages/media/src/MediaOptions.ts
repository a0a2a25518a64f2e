/** A host's options for opening files. All may be left out. */
export interface MediaOptions {
  /**
   * How many files are opened at a time for requests, each in a process of its own; one account has half of these at
   * most. Half as many are extracted in the background, and more of those that take long: all together, twice as many
   * processes. Files that take over five seconds are preempted when others wait. Default: 2, with four cores 4, and two more
   * for files that take over a second.
   */
  readonly processes?: number
  /** Most memory that one such process may take, in bytes; one that takes more is killed. Default 1.5 GB. */
  readonly processMemoryMaxBytes?: number
  /** Where ffmpeg is. Default: where the environment's FFMPEG_PATH says, else on the PATH. Without it videos have no pictures, and tracks are not measured. */
  readonly ffmpegPath?: string
  /** Where ffprobe is. Default: where the environment's FFPROBE_PATH says, else on the PATH. */
  readonly ffprobePath?: string
}
