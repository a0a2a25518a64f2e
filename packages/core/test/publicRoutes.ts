/** What somebody without an account calls, through the link of a file request or a review. */
export const publicRoutes = [
  "/open-file-review",
  "/select-review-notes",
  "/leave-review-note",
  "/edit-review-note",
  "/delete-own-review-note",
  "/open-file-request",
  "/start-drop",
  "/drop-file-urls",
  "/create-drop-upload",
  "/sign-drop-parts",
  "/complete-drop-upload",
  "/abort-drop-upload",
  "/insert-drop-file",
  "/remove-drop-file",
  "/select-drop",
  "/finish-drop"
]
