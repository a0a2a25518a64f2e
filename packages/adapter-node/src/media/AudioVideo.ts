/** What tracks and videos are asked: the part of `MediaTools` that is theirs. */
import { DriveError, type MediaTools } from "@filedrive/core"
import { Effect, type Scope } from "effect"
import type { MediaOptions } from "./MediaOptions.ts"
import type { Sandbox } from "./sandbox/Sandbox.ts"

/** `probe` is asked of audio and video only. */
export type AudioVideo = Pick<MediaTools.MediaTools["Service"], "probe" | "frame" | "cover" | "listen">

const unable = () => Effect.fail(new DriveError.Unreadable({ because: "Audio and video can't be opened here." }))

export const make = (_sandbox: Sandbox, _options: MediaOptions): Effect.Effect<AudioVideo, never, Scope.Scope> =>
  Effect.succeed({ probe: unable, frame: unable, cover: unable, listen: unable })
