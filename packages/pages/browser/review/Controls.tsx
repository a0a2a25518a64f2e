import { useComputed } from "@preact/signals"
import type { RefObject } from "preact"
import { ControlButton } from "./ControlButton.tsx"
import { canBeFull, isFull, toggleFull } from "./fullScreen.ts"
import { numberOf } from "./numbers.ts"
import type { Player } from "./Player.ts"
import { written } from "./positions.ts"
import { t } from "./texts.ts"

const speeds = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 4, 8] as const

const Time = ({ player }: { readonly player: Player }) => {
  const at = useComputed(() => written(player, player.position.value))
  return (
    <p class="time">
      <span class="visually-hidden">{t("review.position")}</span>
      <span class="time-now">{at}</span>
      <span class="time-all">
        <span aria-hidden="true">/</span> {written(player, player.duration.value)}
      </span>
    </p>
  )
}

const Speed = ({ player }: { readonly player: Player }) => {
  const speed = player.speed.value
  const offered = speeds.some((one) => one === speed) ? speeds : [speed, ...speeds]
  return (
    <select
      class="speed"
      aria-label={t("review.speed")}
      title={t("review.speed")}
      value={String(speed)}
      onChange={(event) => player.setSpeed(Number(event.currentTarget.value))}
    >
      {offered.map((one) => <option key={one} value={String(one)}>{`${numberOf(one)}×`}</option>)}
    </select>
  )
}

const Volume = ({ player }: { readonly player: Player }) => {
  const isMuted = player.isMuted.value || player.volume.value === 0
  return (
    <div class="volume">
      <ControlButton
        icon={isMuted ? "muted" : "volume"}
        label={t(isMuted ? "review.unmute" : "review.mute")}
        onClick={() => {
          if (player.volume.value === 0) player.volume.value = 1
          player.isMuted.value = !isMuted
        }}
      />
      <input
        type="range"
        min="0"
        max="1"
        step="0.05"
        aria-label={t("review.volume")}
        value={isMuted ? 0 : player.volume.value}
        onInput={(event) => {
          player.volume.value = Number(event.currentTarget.value)
          player.isMuted.value = false
        }}
      />
    </div>
  )
}

export interface ControlsProps {
  readonly player: Player
  /** What full screen is of. */
  readonly frame: RefObject<HTMLElement | null>
  readonly onKeys: () => void
}

export const Controls = ({ frame, onKeys, player }: ControlsProps) => {
  const hasFrames = player.rate.value !== null
  const isPlaying = player.isPlaying.value
  return (
    <div class="controls" role="group" aria-label={t("review.controls")}>
      <ControlButton
        kind="main"
        icon={isPlaying ? "pause" : "play"}
        label={t(isPlaying ? "review.pause" : "review.play")}
        keys="K"
        onClick={player.toggle}
      />
      <ControlButton
        icon="frameBack"
        label={t(hasFrames ? "review.frameBack" : "review.secondBack")}
        keys="←"
        onClick={() => player.step(-1)}
      />
      <ControlButton
        icon="frameOn"
        label={t(hasFrames ? "review.frameOn" : "review.secondOn")}
        keys="→"
        onClick={() => player.step(1)}
      />
      <Time player={player} />
      <div class="controls-more">
        <Volume player={player} />
        <Speed player={player} />
        <span class="controls-keys">
          <ControlButton icon="keys" label={t("review.keys")} keys="?" onClick={onKeys} />
        </span>
        {player.isVideo.value && canBeFull(frame.current ?? document.body)
          ? (
            <ControlButton
              icon={isFull.value ? "shrink" : "grow"}
              label={t(isFull.value ? "review.shrink" : "review.grow")}
              keys="F"
              onClick={() => frame.current === null ? undefined : void toggleFull(frame.current)}
            />
          )
          : null}
      </div>
    </div>
  )
}
