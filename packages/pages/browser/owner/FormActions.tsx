import { Button } from "../components/Button.tsx"
import { common } from "../foundation/common.ts"

export const FormActions = (
  { action, isBusy, onCancel }: {
    readonly action: string
    readonly isBusy: boolean
    readonly onCancel: () => void
  }
) => (
  <div class="form-actions">
    <Button kind="primary" type="submit" busy={isBusy}>{action}</Button>
    <Button onClick={onCancel}>{common("common.cancel")}</Button>
  </div>
)
