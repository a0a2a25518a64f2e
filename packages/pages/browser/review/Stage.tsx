import { useEffect, useRef } from "preact/hooks"
import { Button } from "../components/Button.tsx"
import { Icon } from "../components/Icon.tsx"
import { Progress } from "../components/Progress.tsx"
import { common } from "../foundation/common.ts"
import { percent, shown } from "../foundation/format.ts"
import type { OpenedReview } from "./OpenedReview.ts"
import type { Player } from "./Player.ts"
import type { ReviewLink } from "./ReviewLink.ts"
import { t } from "./texts.ts"
import { isBeingMade } from "./Waiting.ts"

/** There is nothing to play yet, or at all. */
const Nothing = ({ review: { file, preview, stream } }: { readonly review: OpenedReview }) => {
  const { error, progress, status } = preview
  if (isBeingMade(preview)) {
    const text = percent(progress)
    return (
      <div class="stage-told" role="status">
        <p class="stage-title">{t("review.preparing")}</p>
        <Progress label={t("review.preparing")} share={progress === 0 ? null : progress} text={text} />
        <p>{progress === 0 ? t("review.preparingHint") : `${text} · ${t("review.preparingHint")}`}</p>
      </div>
    )
  }
  return (
    <div class="stage-told">
      <Icon name={status === "failed" ? "warning" : file.type === "Video" ? "video" : "sound"} size={30} />
      <p class="stage-title">{t(status === "failed" ? "review.noPreview" : "review.noFile")}</p>
      {status === "failed" && error !== null && stream === null
        ? <p lang="en">{shown(error)}</p>
        : <p>{t(status === "failed" ? "review.noPreviewHint" : "review.noFileHint")}</p>}
    </div>
  )
}

const Unplayable = ({ link }: { readonly link: ReviewLink }) => (
  <div class="stage-told" role="alert">
    <Icon name="warning" size={30} />
    <p class="stage-title">{t("review.unplayable")}</p>
    <p>{t("review.unplayableHint")}</p>
    <Button icon="retry" onClick={() => void link.playAgain()}>{common("common.retry")}</Button>
  </div>
)

/** The picture, or what is there in its place. Of a track the timeline is all there is to see. */
export const Stage = (
  { link, player, review }: { readonly link: ReviewLink; readonly player: Player; readonly review: OpenedReview }
) => {
  const media = useRef<HTMLVideoElement & HTMLAudioElement>(null)
  const { file, stream } = review
  const isVideo = file.type === "Video"
  const plays = stream !== null
  useEffect(() => media.current === null ? undefined : player.attach(media.current), [player, plays])
  const isUnplayable = plays && link.isUnplayable.value
  const height = file.height ?? 9
  const width = file.width ?? 16
  return (
    <div
      class={`stage${isVideo ? " stage-video" : ""}${plays && !isVideo && !isUnplayable ? " stage-empty" : ""}`}
      style={isVideo ? { "--ratio": String(width / height) } : {}}
    >
      {!plays
        ? <Nothing review={review} />
        : isVideo
        ? (
          <video
            ref={media}
            playsInline
            preload="metadata"
            tabIndex={-1}
            aria-label={shown(file.fileName)}
            onClick={player.toggle}
          />
        )
        : <audio ref={media} preload="metadata" />}
      {plays && isVideo && player.isWaiting.value && !isUnplayable
        ? (
          <div class="stage-wait" role="status" aria-label={common("common.loading")}>
            <div class="wait-mark" />
          </div>
        )
        : null}
      {isUnplayable
        ? (
          <div class="stage-cover">
            <Unplayable link={link} />
          </div>
        )
        : null}
    </div>
  )
}
