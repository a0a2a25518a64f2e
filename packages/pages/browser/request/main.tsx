import { mountPage } from "../foundation/mountPage.tsx"

mountPage(
  <main>
    <div class="card" />
  </main>
)
