import { useSignal } from "@preact/signals"
import { say } from "../foundation/announce.ts"
import { go } from "../owner/address.ts"
import { BackLink } from "../owner/BackLink.tsx"
import { useTitle } from "../owner/useTitle.ts"
import { type ChosenFile, FileChoice } from "./FileChoice.tsx"
import { ReviewForm, type ReviewValues } from "./ReviewForm.tsx"
import type { Reviews } from "./reviews.ts"
import { t } from "./texts.ts"

export const NewReview = ({ reviews }: { readonly reviews: Reviews }) => {
  const heading = useTitle(t("reviews.create"), "new")
  const file = useSignal<ChosenFile | null>(null)
  const fileError = useSignal<string | undefined>(undefined)

  const create = async (values: ReviewValues) => {
    const { id } = await reviews.client.createFileReview({ ...values, fileId: file.value!.id })
    reviews.changed()
    reviews.toNewest()
    say(t("reviews.made"))
    go({ name: "one", id }, { instead: true })
  }
  return (
    <>
      <BackLink text={t("reviews.all")} />
      <section class="card">
        <h1 ref={heading} tabIndex={-1}>{t("reviews.create")}</h1>
        <ReviewForm
          review={null}
          action={t("reviews.make")}
          onSave={create}
          onCancel={() => go({ name: "list" })}
          isReady={() => {
            if (file.value === null) fileError.value = t("reviews.wrong.fileId")
            return file.value !== null
          }}
          onFileRefused={() => {
            file.value = null
            fileError.value = t("reviews.fileRefused")
          }}
        >
          <FileChoice
            client={reviews.client}
            chosen={file.value}
            error={fileError.value}
            onChoose={(one) => {
              file.value = one
              fileError.value = undefined
            }}
          />
        </ReviewForm>
      </section>
    </>
  )
}
