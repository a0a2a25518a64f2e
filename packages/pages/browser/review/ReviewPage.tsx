import { useEffect } from "preact/hooks"
import { Button } from "../components/Button.tsx"
import { Failed } from "../components/Failed.tsx"
import { Notable } from "../components/Notable.tsx"
import { PasswordGate } from "../components/PasswordGate.tsx"
import { common } from "../foundation/common.ts"
import { shown } from "../foundation/format.ts"
import { Reviewed } from "./Reviewed.tsx"
import type { ReviewLink, View } from "./ReviewLink.ts"
import { t } from "./texts.ts"
import "./review.css"
import "./player.css"
import "./notes.css"

const Loading = () => (
  <div class="wait" role="status" aria-label={common("common.loading")}>
    <div class="wait-mark" />
  </div>
)

const Again = ({ onClick }: { readonly onClick: () => void }) => (
  <Button icon="retry" onClick={onClick}>{common("common.retry")}</Button>
)

/** Of the file, where the review ended while the page was open: a link that has ended tells nothing of it. */
const Name = ({ link: { review } }: { readonly link: ReviewLink }) =>
  review.value === null ? null : <p class="closed-name" dir="auto">{shown(review.value.file.fileName)}</p>

/** What is said in the place of a review that can't be shown. */
const Told = ({ link, view }: { readonly link: ReviewLink; readonly view: Exclude<View, "loading" | "open"> }) =>
  view === "password"
    ? <PasswordGate open={link.unlock} />
    : view === "notFound"
    ? (
      <Notable icon="search" title={common("common.notFoundTitle")}>
        <p>{common("common.notFound")}</p>
      </Notable>
    )
    : view === "closed"
    ? (
      <Notable icon="lock" title={t("review.closedTitle")} actions={<Again onClick={() => void link.load()} />}>
        <Name link={link} />
        <p>{t("review.closedText")}</p>
      </Notable>
    )
    : view === "expired"
    ? (
      <Notable icon="clock" title={t("review.expiredTitle")} actions={<Again onClick={() => void link.load()} />}>
        <Name link={link} />
        <p>{t("review.expiredText")}</p>
      </Notable>
    )
    : <Failed error={link.failure.value} onRetry={link.load} />

export const ReviewPage = ({ link }: { readonly link: ReviewLink }) => {
  useEffect(() => void link.load(), [])
  const view = link.view.value
  const review = link.review.value
  const player = link.player.value
  const draft = link.draft.value
  if (view !== "open" && view !== "loading") {
    return (
      <main>
        <div class="card" data-view={view}>
          <Told link={link} view={view} />
        </div>
      </main>
    )
  }
  return (
    <main class="review" data-view={view}>
      {view === "loading" || review === null || player === null || draft === null
        ? <Loading />
        : <Reviewed link={link} review={review} player={player} draft={draft} />}
    </main>
  )
}
