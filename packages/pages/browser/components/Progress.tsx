import "./progress.css"

export interface ProgressProps {
  /** What it is of, for screen readers. */
  readonly label: string
  /** 0 to 1; null while nobody knows. */
  readonly share: number | null
  readonly kind?: "running" | "paused" | "failed" | "done"
  /** In words, like `40 %, 2 minutes left`. */
  readonly text?: string
}

export const Progress = ({ kind = "running", label, share, text }: ProgressProps) => {
  const hundredths = share === null ? undefined : Math.min(100, Math.max(0, Math.floor(share * 100)))
  return (
    <div
      class={`progress progress-${kind}${share === null ? " progress-unknown" : ""}`}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={hundredths}
      aria-valuetext={text}
    >
      <div class="progress-bar" style={{ transform: `scaleX(${share ?? 0.3})` }} />
    </div>
  )
}
