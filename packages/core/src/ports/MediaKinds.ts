/**
 * Detects the kind of files. The first bytes of an object decide its kind; its name
 * and its sender's declaration do not.
 */
import { Context, type Effect } from "effect"

export class MediaKinds extends Context.Service<MediaKinds, {
  /**
   * The media type of a file whose first bytes (up to {@link headBytes}) are
   * `head`, like `image/png`, or null when they are of no known kind.
   */
  readonly detect: (head: Uint8Array) => Effect.Effect<string | null>
}>()("@filedrive/core/ports/MediaKinds") {}

/** How many of a file's first bytes {@link MediaKinds} is shown. */
export const headBytes = 4_100
