/** The page on which somebody who is signed in makes reviews, and reads and answers the notes on them. */
import { SignedInFrame } from "../components/SignedInFrame.tsx"
import { mountPage } from "../foundation/mountPage.tsx"
import { sessionClient } from "../foundation/session.ts"
import { makeReviews } from "./reviews.ts"
import { ReviewsPage } from "./ReviewsPage.tsx"

const reviews = makeReviews(sessionClient())

mountPage(
  <SignedInFrame page="reviews">
    <ReviewsPage reviews={reviews} />
  </SignedInFrame>
)
