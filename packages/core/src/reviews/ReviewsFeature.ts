/** Reviews of files, as one value of the list in `Features.ts`. */
import { Layer } from "effect"
import type { Feature } from "../Feature.ts"
import reviews from "./0035_reviews.ts"
import sharesOfReviews from "./0047_shares_of_reviews.ts"
import { noteSweepJob } from "./NoteSweep.ts"
import { PublicReviewsApi } from "./PublicReviewsApi.ts"
import { PublicReviewsHandlers } from "./PublicReviewsHandlers.ts"
import { ReviewsApi } from "./ReviewsApi.ts"
import { ReviewsHandlers } from "./ReviewsHandlers.ts"
import { ReviewsLayer } from "./ReviewsLayer.ts"

const tables = ["file_reviews", "review_notes", "review_networks"] as const

declare module "../database/Database.ts" {
  interface Tables extends Record<typeof tables[number], Table> {}
}

export const ReviewsFeature = {
  name: "reviews",
  layer: ReviewsLayer,
  api: [ReviewsApi, PublicReviewsApi],
  handlers: Layer.merge(ReviewsHandlers, PublicReviewsHandlers),
  tables,
  migrations: { "0035_reviews": reviews, "0047_shares_of_reviews": sharesOfReviews },
  jobs: [noteSweepJob]
} as const satisfies Feature
