/**
 * Plays the file, to the frame. `position` is where the frame begins that is shown; of a track, where it is. It runs backwards as well, which
 * browsers don't do by themselves: then it goes from frame to frame.
 */
import { computed, effect, signal } from "@preact/signals"
import { beginOf, frameAt, middleOf, type Rate } from "../foundation/FrameRate.ts"

/** A speed for each press of J or L. */
const shuttleMax = 8

/** What is left at the end of a file, so that its last frame is shown. */
const endSeconds = 0.001

/** A video as far as its browser tells which frame it shows. */
type Shows = HTMLMediaElement & Partial<Pick<HTMLVideoElement, "requestVideoFrameCallback">>

export interface PlayerOptions {
  readonly isVideo: boolean
  /** Null for a track. Of a video that was just uploaded the drive learns it later: until then it has positions, and no frames. */
  readonly rate: Rate | null
  /** Seconds, as far as the drive knows. */
  readonly duration: number | null
  /** What was to be played can't be. */
  readonly onFailed: () => void
}

export const makePlayer = ({ duration: known, isVideo: isKnownVideo, onFailed, rate: knownRate }: PlayerOptions) => {
  const isVideo = signal(isKnownVideo)
  const rate = signal(knownRate)
  const position = signal(0)
  const mediaDuration = signal<number | null>(null)
  const duration = computed(() => mediaDuration.value ?? known ?? 0)
  const isPlaying = signal(false)
  const isWaiting = signal(false)
  /** How fast it runs: 1 as it is, below 0 backwards. */
  const speed = signal(1)
  const volume = signal(1)
  const isMuted = signal(false)

  let media: Shows | null = null
  let url: string | null = null
  /** Where it is to go as soon as it can. */
  let target: number | null = null
  /** Whether the position is the one that was gone to, and not the one that it has played to. */
  let isSought = true
  let ticking = 0

  /** Where the frame begins that is shown at a moment. */
  const frameOf = (seconds: number): number => {
    const frames = rate.peek()
    return frames === null ? seconds : beginOf(frameAt(seconds, frames), frames)
  }

  const snapped = (seconds: number): number => {
    const within = Math.min(Math.max(0, seconds), Math.max(0, duration.peek() - endSeconds))
    return frameOf(within)
  }

  const goOn = (): void => {
    if (target === null || media === null || media.readyState === 0 || media.seeking) return
    const frames = rate.peek()
    const to = frames === null ? target : middleOf(frameAt(target, frames), frames)
    target = null
    media.currentTime = Math.min(to, Math.max(0, duration.peek() - endSeconds))
  }

  /** Also before the file can be played: then it begins there. */
  const seek = (seconds: number): void => {
    position.value = snapped(seconds)
    target = position.peek()
    isSought = true
    goOn()
  }

  const played = (seconds: number): void => {
    if (isSought && !isPlaying.peek()) return
    if (target !== null || media?.seeking === true || speed.peek() < 0) return
    isSought = false
    position.value = frameOf(seconds)
  }

  /** Calls at each frame that is shown; of tracks, and in browsers that don't tell, at each of the screen's. */
  const watch = (shown: Shows): () => void => {
    let isOver = false
    const next = (): void => {
      if (isOver) return
      if (shown.requestVideoFrameCallback !== undefined && isVideo.peek()) {
        shown.requestVideoFrameCallback((_, { mediaTime }) => {
          played(mediaTime)
          next()
        })
      } else {
        requestAnimationFrame(() => {
          if (isPlaying.peek()) played(shown.currentTime)
          next()
        })
      }
    }
    next()
    return () => void (isOver = true)
  }

  const stopBackwards = (): void => {
    cancelAnimationFrame(ticking)
    ticking = 0
  }

  const pause = (): void => {
    stopBackwards()
    isPlaying.value = false
    if (speed.peek() < 0) speed.value = 1
    media?.pause()
  }

  const backwards = (): void => {
    media?.pause()
    stopBackwards()
    isPlaying.value = true
    let at = position.peek()
    let last: number | undefined
    const tick = (now: number): void => {
      at += speed.peek() * ((now - (last ?? now)) / 1_000)
      last = now
      // While the frame before is still being looked for, none is asked for: so slow machines leave some out.
      if (media?.seeking !== true) seek(at)
      if (at <= 0) return pause()
      ticking = requestAnimationFrame(tick)
    }
    ticking = requestAnimationFrame(tick)
  }

  const play = (): void => {
    if (media === null || media.readyState === 0 && media.error !== null) return
    if (speed.peek() < 0) return backwards()
    stopBackwards()
    media.playbackRate = speed.peek()
    if (position.peek() >= snapped(duration.peek()) && duration.peek() > 0) seek(0)
    isPlaying.value = true
    media.play().catch((error: unknown) => {
      // Another source or a pause came first; else the browser does not let it play.
      if (!(error instanceof DOMException && error.name === "AbortError")) pause()
    })
  }

  const begin = (): void => {
    if (media === null || url === null || media.src === url) return
    const goesOn = isPlaying.peek()
    target = position.peek()
    media.src = url
    media.load()
    if (goesOn) play()
  }

  /** Gives the player its element, and takes it away again. */
  const attach = (element: HTMLMediaElement): () => void => {
    media = element
    const stop = new AbortController()
    const on = (type: string, does: () => void) => element.addEventListener(type, does, { signal: stop.signal })
    const measure = () => {
      if (Number.isFinite(element.duration)) mediaDuration.value = element.duration
    }
    on("loadedmetadata", () => {
      measure()
      goOn()
    })
    on("durationchange", measure)
    on("seeked", goOn)
    on("play", () => void (isPlaying.value = true))
    on("playing", () => void (isWaiting.value = false))
    on("canplay", () => void (isWaiting.value = false))
    on("waiting", () => void (isWaiting.value = true))
    on("pause", () => {
      if (ticking === 0) isPlaying.value = false
    })
    on("ended", () => {
      isPlaying.value = false
      position.value = snapped(duration.peek())
    })
    on("error", () => {
      isWaiting.value = false
      // Without a source there is nothing that could fail.
      if (element.getAttribute("src") !== null) onFailed()
    })
    const unwatch = watch(element)
    const leave = effect(() => {
      element.volume = volume.value
      element.muted = isMuted.value
    })
    begin()
    return () => {
      stopBackwards()
      leave()
      unwatch()
      stop.abort()
      element.pause()
      element.removeAttribute("src")
      element.load()
      media = null
      isPlaying.value = false
    }
  }

  return {
    isVideo,
    rate,
    position,
    duration,
    isPlaying,
    isWaiting,
    speed,
    volume,
    isMuted,
    attach,
    /** The nearest position that is one: the beginning of a frame, within the file. */
    snapped,
    seek,
    play,
    pause,
    toggle: (): void => isPlaying.peek() ? pause() : play(),

    /** Plays from this address; another one goes on where it was. */
    load: (next: string): void => {
      url = next
      begin()
    },

    /** The same address once more, after it failed. */
    reload: (): void => {
      media?.removeAttribute("src")
      begin()
    },

    /** Goes on by so many frames; without any by so many seconds. */
    step: (count: number): void => {
      pause()
      const frames = rate.peek()
      const at = position.peek()
      seek(frames === null ? at + count : beginOf(Math.max(0, frameAt(at, frames) + count), frames))
    },

    setSpeed: (to: number): void => {
      speed.value = to
      if (media !== null && to > 0) media.playbackRate = to
    },

    /** L and J: on or back, twice as fast with each press. */
    shuttle: (direction: 1 | -1): void => {
      const isSame = isPlaying.peek() && Math.sign(speed.peek()) === direction
      const faster = Math.max(1, Math.abs(speed.peek())) * 2
      speed.value = direction * (isSame ? Math.min(shuttleMax, faster) : 1)
      play()
    }
  }
}

export type Player = ReturnType<typeof makePlayer>
