import { dateTime, shown } from "../foundation/format.ts"
import { Detail } from "../owner/Detail.tsx"
import { Fact, Facts } from "../owner/Facts.tsx"
import { publicLink } from "../owner/publicLink.ts"
import { statusOf } from "../owner/Status.tsx"
import { ownerText } from "../owner/texts.ts"
import { Notes } from "./Notes.tsx"
import { ReviewForm, type ReviewValues } from "./ReviewForm.tsx"
import type { FileReview, Reviews } from "./reviews.ts"
import { t } from "./texts.ts"

const ReviewFacts = ({ review }: { readonly review: FileReview }) => (
  <Facts>
    <Fact icon={review.file.type === "Audio" ? "sound" : "video"}>
      {t("reviews.madeOn", { time: dateTime(review.insertTime) })}
    </Fact>
    {review.expireTime === null ? null : (
      <Fact icon="clock">
        {ownerText(statusOf(review) === "expired" ? "owner.ended" : "owner.until", {
          time: dateTime(review.expireTime)
        })}
      </Fact>
    )}
    {review.hasPassword ? <Fact icon="lock">{ownerText("owner.hasPassword")}</Fact> : null}
    {review.allowDownload ? <Fact icon="download">{t("reviews.downloadAllowed")}</Fact> : null}
  </Facts>
)

export interface ReviewDetailProps {
  readonly reviews: Reviews
  readonly review: FileReview
  /** Else more notes are on their way. */
  readonly isWhole: boolean
}

export const ReviewDetail = ({ isWhole, review, reviews }: ReviewDetailProps) => {
  const { client } = reviews
  const { id: reviewId } = review
  const name = shown(review.file.fileName)
  return (
    <Detail<ReviewValues>
      item={review}
      items={reviews}
      title={name}
      texts={{
        all: t("reviews.all"),
        edit: t("reviews.edit"),
        linkHint: t(review.hasPassword ? "reviews.linkHintPassword" : "reviews.linkHint"),
        deleteTitle: t("reviews.deleteTitle"),
        deleteText: t("reviews.deleteText", { name })
      }}
      link={publicLink("reviews", reviewId)}
      facts={<ReviewFacts review={review} />}
      isClosed={statusOf(review) === "closed"}
      form={(form) => <ReviewForm review={review} {...form} />}
      update={(values) => client.updateFileReview({ reviewId, ...values })}
      setOpen={async (open) => {
        const made = await client.updateFileReview({ reviewId, open })
        reviews.change(reviewId, (item) => ({ ...item, open: made.open }))
      }}
      remove={() => client.deleteFileReview({ reviewId })}
    >
      <Notes reviews={reviews} review={review} isWhole={isWhole} />
    </Detail>
  )
}
