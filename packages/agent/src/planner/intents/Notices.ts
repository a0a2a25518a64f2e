/** What stands beside an event when one only wants to be told of it: "let me know when …". */
import type { Intent } from "./Intent.ts"

export const notices: ReadonlyArray<Intent> = [
  {
    name: "tell me",
    forms: [
      "@notify [me|us|mir|mich|uns] [about it|of it|of that|that|davon|daruber|bescheid|darum|it|so]",
      "@notify [me|us|mir|mich|uns] [bescheid]",
      "(gib|sag) [mir|uns] bescheid",
      "(mochte|will|wuss|wusste) [ich] [gern|gerne] [es] wissen",
      "(can|could|will|would) you @notify",
      "(please|pls|bitte) @notify",
      "@notify [me|us|mir|uns] [bescheid|a message|a note|kurz|then|dann|please|bitte]",
      "(want|like|need|wait) [to] [be] (know|told|informed|notified|@notify|pinged|hear) [about it]",
      "(i|we) (want|need|like) to @know",
      "@know [it]",
      "@notify [me|us|mir|uns] (what|who|which|was|wer|welche) [it|he|she|they|somebody|someone|files|file|notes|note|people|has|have|es|er|sie|jemand|dateien] [has|have] (is|was|are|were|says|said|wrote|written|sent|uploaded|came|came in|arrived|did|left|say|write|gesagt|geschrieben|schreibt|sagt|geschickt|war|ist|sind) [in|hat|haben|war]",
      "@notify [me|us|mir|uns] [about] (it|that|this|the result|das ergebnis|them)",
      "drop [me|us] (a line|a note|a message)",
      "give [me|us] a (shout|ring|ping|sign|heads up)",
      "@wait",
      "keep (an eye|watch)"
    ],
    *plan() {
      return { text: "" }
    }
  }
]
