import { view } from "../owner/address.ts"
import { Connection } from "../owner/Connection.tsx"
import { Failed, Loading, Missing } from "../owner/Whole.tsx"
import { NewReview } from "./NewReview.tsx"
import { ReviewDetail } from "./ReviewDetail.tsx"
import { ReviewList } from "./ReviewList.tsx"
import type { Reviews } from "./reviews.ts"
import { t } from "./texts.ts"
import "../owner/owner.css"
import "./reviews.css"

const Shown = ({ reviews }: { readonly reviews: Reviews }) => {
  const { failure, opened, page } = reviews
  const { name } = view.value
  if (name === "new") return <NewReview reviews={reviews} />
  const one = opened.value
  if (name === "one" && one?.state === "missing") {
    return <Missing title={t("reviews.missingTitle")} back={t("reviews.all")}>{t("reviews.missing")}</Missing>
  }
  if (name === "one" && one?.state === "there") {
    return <ReviewDetail key={one.id} reviews={reviews} review={one.item} isWhole={one.isWhole} />
  }
  if (name === "list" && page.value !== null) return <ReviewList reviews={reviews} page={page.value} />
  return failure.value === null ? <Loading /> : <Failed error={failure.value} onRetry={reviews.reload} />
}

export const ReviewsPage = ({ reviews }: { readonly reviews: Reviews }) => {
  const { name } = view.value
  const isShown = name === "new" ||
    (name === "list" ? reviews.page.value !== null : reviews.opened.value?.state === "there")
  return (
    <>
      <Connection failure={isShown ? reviews.failure.value : null} onRetry={reviews.reload} />
      <Shown reviews={reviews} />
    </>
  )
}
