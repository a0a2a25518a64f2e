export type { Ask, Call, Decision, Link, Reply, ToolCall } from "./planner/Decision.ts"
export * as Planner from "./planner/Planner.ts"
export * as PlannerModel from "./planner/PlannerModel.ts"
export type { MadeCall, Part, ToolFailure, Transcript, Turn } from "./planner/Transcript.ts"
